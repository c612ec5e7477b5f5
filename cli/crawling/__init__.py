"""`ontocrawl crawl` and `demo`: starting a crawl, resuming it, and judging its pages again."""
