"""`ontocrawl ui`: one local page for the crawls of this machine: results, review, ontology, crawl."""
