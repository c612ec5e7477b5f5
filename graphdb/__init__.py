"""The record: one graph, the same Cypher on Neo4j, on the embedded store, and a fake in memory."""
