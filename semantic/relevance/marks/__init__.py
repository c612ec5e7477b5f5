"""The expert's marks, and what they say of pages like the marked ones."""
