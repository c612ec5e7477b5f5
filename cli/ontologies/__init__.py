"""`ontocrawl ontology`: what an ontology says, and how pages are judged by it."""
