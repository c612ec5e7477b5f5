"""Thesauri and word lists as sources of proposals for an ontology's words."""
