"""What Neo4j Browser is given to show a crawl: a guide, saved queries, a style."""
