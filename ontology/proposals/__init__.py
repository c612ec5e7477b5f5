"""Proposals for the ontology: what the expert may accept."""
