"""What a crawl proposes for its ontology: as a file for Protégé, and what the expert kept or refused of it."""
