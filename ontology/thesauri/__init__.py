"""Other people's word lists as sources of proposals: what they say of the words that an ontology has."""
