"""From a file and all it imports to one ontology: imports, concepts put together, the reasoner."""
