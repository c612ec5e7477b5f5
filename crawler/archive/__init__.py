"""WARC files, read and written, and pages read back from a store."""
