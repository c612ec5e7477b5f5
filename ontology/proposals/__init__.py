"""Proposals of a crawl for its ontology: as a file for Protégé, and the expert's decisions about them."""
