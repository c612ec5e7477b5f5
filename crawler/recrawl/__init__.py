"""Pages asked for again, to learn what has changed."""
