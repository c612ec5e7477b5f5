"""Where Chinese words begin and end."""
