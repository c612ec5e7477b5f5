"""`ontocrawl crawl` and `demo`: a crawl put together, gone on with, and judged anew."""
