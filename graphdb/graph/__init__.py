"""The record of one crawl in a graph database: written in batches, read back, copied."""
