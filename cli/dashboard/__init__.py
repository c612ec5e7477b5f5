"""`ontocrawl crawl --dashboard`: a crawl that runs, shown and steered in a browser on this machine."""
