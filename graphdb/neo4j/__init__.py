"""The driver of Neo4j, for a server and for the embedded store alike, and its credentials."""
