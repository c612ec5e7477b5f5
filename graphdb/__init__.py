"""The graph that records a crawl: one set of Cypher statements for Neo4j and the embedded store, and a store in
memory.
"""
