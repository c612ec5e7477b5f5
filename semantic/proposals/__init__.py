"""What pages of a crawl suggest for the ontology: new terms with their places, misleading words, and weights."""
