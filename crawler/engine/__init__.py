"""The crawl engine: the session (a state machine without I/O), its decisions, and the driver that executes them."""
