"""Inspecting an ontology: coded checks, the tree of concepts, their captions, differences between two versions."""
