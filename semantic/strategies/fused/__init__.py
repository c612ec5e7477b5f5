"""The default strategy: evidence of many kinds, weighted by what this crawl has found behind its links."""
