"""`ontocrawl explain`, `status` and `threshold`: what a crawl's record says, in words."""
