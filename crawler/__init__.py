"""The crawl: a state machine without I/O, the frontier, politeness, and the driver that fetches."""
