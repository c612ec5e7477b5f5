"""A strategy's memory: arrays that grow with the crawl, and its bytes for the store."""
