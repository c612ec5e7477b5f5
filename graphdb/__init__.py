"""A crawl's record in SQLite, and the graphs that are filled from it: in the embedded engine and in Neo4j."""
