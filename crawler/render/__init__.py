"""Pages whose text their scripts make: rendered by a browser that has no network."""
