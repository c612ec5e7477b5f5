"""`ontocrawl export` and `ontocrawl import`: a crawl's record for other programs, and what others have crawled."""
