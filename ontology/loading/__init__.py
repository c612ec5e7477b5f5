"""Loading an ontology: a file with its imports, the assembly of concepts, the reasoner."""
