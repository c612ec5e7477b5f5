// G_w of paper J, definition 5: the pages on the way by which the crawl came to a result, the links among them, and the
// link by which each was found. Some pages at a time: the embedded server cannot hold what is to be said of 200,000.

// name: vertices
MATCH (p:Page {on_path: true})
RETURN p.url AS url;

// name: link_graph
UNWIND $urls AS url
MATCH (p:Page {url: url})
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
OPTIONAL MATCH (parent)-[found:LINKS_TO]->(p)
OPTIONAL MATCH (p)-[:LINKS_TO]->(target:Page {on_path: true})
RETURN p.url AS url, p.on_topic AS result, EXISTS { (:Crawl)-[:SEED]->(p) } AS seed, found.anchor AS anchor,
  found.context AS context, collect(target.url) AS targets;

// All of it: pages that link to some that are known to lead to a result. Asked until no new ones come.

// name: pages
MATCH (c:Crawl)
RETURN c.pages AS pages;

// name: sources
UNWIND $urls AS url
MATCH (p:Page {url: url})<-[:LINKS_TO]-(source:Page)
RETURN url, collect(source.url) AS sources;

// name: results
MATCH (p:Page {on_path: true})
WHERE p.on_topic
RETURN p.url AS url;

// name: found_by
UNWIND $urls AS url
MATCH (p:Page {url: url})
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
OPTIONAL MATCH (parent)-[found:LINKS_TO]->(p)
RETURN p.url AS url, p.on_topic AS result, EXISTS { (:Crawl)-[:SEED]->(p) } AS seed, found.anchor AS anchor,
  found.context AS context, [] AS targets;
