"""What the crawl has seen that says something of addresses not yet fetched."""
