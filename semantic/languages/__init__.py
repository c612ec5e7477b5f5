"""Pages in a language of which the ontology has few names: compared with its concepts by meaning, not by words."""
