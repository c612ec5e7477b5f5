// G_w of paper J, definition 5: the pages on the paths by which the crawl found its results, the links among them, and
// the link by which each page was found. Only links that the strategy extracted, which have a priority: one that it
// discarded is no link of G_w. Some pages at a time, because the embedded server cannot return 200,000 at once.

// name: vertices
MATCH (p:Page {on_path: true})
RETURN p.url AS url;

// name: link_graph
UNWIND $urls AS url
MATCH (p:Page {url: url})
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
OPTIONAL MATCH (parent)-[found:LINKS_TO]->(p)
OPTIONAL MATCH (p)-[link:LINKS_TO]->(target:Page {on_path: true})
WHERE link.priority IS NOT NULL
RETURN p.url AS url, p.leads AS result, EXISTS { (:Crawl)-[:SEED]->(p) } AS seed, found.anchor AS anchor,
  found.context AS context, collect(target.url) AS targets;

// The same for all paths: the pages that link to pages known to lead to a result; repeated until there are no new ones.

// name: pages
MATCH (c:Crawl)
RETURN c.pages AS pages;

// name: sources
UNWIND $urls AS url
MATCH (p:Page {url: url})<-[link:LINKS_TO]-(source:Page)
WHERE link.priority IS NOT NULL
RETURN url, collect(source.url) AS sources;

// name: results
MATCH (p:Page {on_path: true})
WHERE p.leads
RETURN p.url AS url;

// name: found_by
UNWIND $urls AS url
MATCH (p:Page {url: url})
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
OPTIONAL MATCH (parent)-[found:LINKS_TO]->(p)
RETURN p.url AS url, p.leads AS result, EXISTS { (:Crawl)-[:SEED]->(p) } AS seed, found.anchor AS anchor,
  found.context AS context, [] AS targets;
