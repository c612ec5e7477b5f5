"""The Bolt driver, for a Neo4j server and for the embedded store, and a server's credentials."""
