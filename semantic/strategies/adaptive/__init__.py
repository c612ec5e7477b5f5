"""Paper A: an adaptive topic, and tunnelling."""
