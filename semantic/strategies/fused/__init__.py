"""The default strategy: evidence of many kinds, joined by what this very crawl has found behind its links."""
