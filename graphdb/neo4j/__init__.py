"""The Bolt driver, for a Neo4j server and for the embedded engine, and a server's credentials."""
