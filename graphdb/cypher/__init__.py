"""Cypher: the statements in files, the graph's vocabulary, and the check that a query only reads."""
