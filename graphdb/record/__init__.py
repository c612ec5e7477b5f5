"""A crawl's record, whatever holds it: a batch as cleaned rows, and what has changed since the last run."""
