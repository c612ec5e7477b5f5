"""Paper A: a topic that adapts itself, and tunnelling."""
