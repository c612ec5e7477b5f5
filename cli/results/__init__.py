"""The results of a crawl: which fit, how many there are of each kind, and what each says."""
