"""What a strategy remembers, small: arrays that grow with the crawl, and their bytes for the store."""
