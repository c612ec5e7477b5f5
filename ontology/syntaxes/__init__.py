"""One file of an ontology, whatever syntax it was saved in: its text, its syntax, what it states."""
