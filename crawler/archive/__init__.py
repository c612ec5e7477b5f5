"""Answers on disk: WARC files, read and written, and the pages that a store has kept."""
