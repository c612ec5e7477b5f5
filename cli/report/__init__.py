"""`ontocrawl report`: one file that shows what a crawl has found, and what it has not."""
