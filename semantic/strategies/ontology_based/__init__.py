"""Paper O: the cosine with the ontology's topic, and links predicted by its words."""
