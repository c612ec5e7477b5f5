"""A crawl's record: one SQLite file, or the same in memory."""
