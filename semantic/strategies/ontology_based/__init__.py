"""Paper O: the cosine with the ontology's topic, and link prediction by the topic's words."""
