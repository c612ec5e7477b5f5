// Pages that are asked for again: `ontocrawl crawl --recrawl`.

// Wanted: results, seeds, and feeds and sitemaps (which have neither rank nor `stale`).

// name: want_again
MATCH (p:Page {status: 'fetched'})
WHERE p.on_topic OR (p.order IS NULL AND p.stale IS NULL) OR EXISTS { (:Crawl)-[:SEED]->(p) }
SET p.wanted = true;

// name: wanted
MATCH (p:Page {status: 'fetched'})
WHERE p.wanted
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN p.url AS url, p.order AS order, p.priority AS priority, p.depth AS depth, parent.url AS parent,
  coalesce(p.relevance, 0.0) AS relevance, coalesce(p.on_topic, false) AS on_topic, p.fingerprint AS fingerprint,
  p.etag AS etag, p.last_modified AS last_modified
ORDER BY relevance DESC, order, url;

// Ways to results, which are others when pages are judged anew.

// name: forget_paths
MATCH (p:Page {on_path: true})
SET p.on_path = null;

// name: results
MATCH (p:Page {on_topic: true})
RETURN p.url AS url
ORDER BY url;
