"""What a crawl shows of itself while it runs, and what a person wants of it: a socket beside it, and its state."""
