"""`ontocrawl ontology`: what an ontology says, and what a page is worth by it."""
