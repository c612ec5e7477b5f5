"""`ontocrawl explain`, `status` and `threshold`: a crawl's record in words."""
