"""Cypher: the statements in files, the graph's own words, and what makes a query more than a question."""
