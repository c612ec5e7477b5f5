"""The crawl itself: the session without I/O, what it decides, and the driver that does it."""
