"""An ontology as its author looks at it: coded checks, the concepts as a tree, what they are called."""
