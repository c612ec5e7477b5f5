// G_w of paper J, definition 5: the pages on a way from a seed to a result, and the links among them.

// name: link_graph
MATCH (p:Page {on_path: true})
OPTIONAL MATCH (p)-[:LINKS_TO]->(target:Page {on_path: true})
RETURN p.url AS url, p.on_topic AS result, EXISTS { (:Crawl)-[:SEED]->(p) } AS seed, collect(target.url) AS targets;
