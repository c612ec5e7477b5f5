// Imported pages, which were not crawled: their links are taken for the way in which they were found.

// For each page the first page, in the order of reading, that links to it. One fixed order means that there are no cycles.

// name: found_on
UNWIND $urls AS url
MATCH (p:Page {url: url})
MATCH (p)<-[:LINKS_TO]-(parent:Page)
WHERE parent.order IS NOT NULL AND (p.order IS NULL OR parent.order < p.order)
  AND NOT (p)-[:DISCOVERED_FROM]->(:Page)
WITH url, parent
ORDER BY parent.order
RETURN url, collect(parent.url)[0] AS parent;

// name: ended
MATCH (p:Page)
WHERE p.status <> 'queued' AND p.depth IS NOT NULL
RETURN p.url AS url, p.order AS order, p.depth AS depth;

// name: set_parents
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (parent:Page {url: row.parent})
WHERE NOT (p)-[:DISCOVERED_FROM]->(:Page)
SET p.depth = row.depth
CREATE (p)-[:DISCOVERED_FROM]->(parent);

// name: found_before
UNWIND $urls AS url
MATCH (p:Page {url: url})-[:DISCOVERED_FROM]->(:Page)
RETURN url;

// All are found before the first is deleted: the embedded engine cannot go through a crawl's seeds while they are deleted.

// name: unseed
UNWIND $urls AS url
MATCH (:Page {url: url})<-[s:SEED]-(:Crawl)
WITH collect(s) AS found
UNWIND found AS s
DELETE s;

// name: seeds
MATCH (:Crawl)-[s:SEED]->(:Page)
RETURN count(s) AS seeds;

// Totals of what was asked of servers, read before an import and set again after it.

// name: requested
MATCH (c:Crawl)
RETURN c.requests AS requests, c.inversions AS inversions;

// name: keep_requested
MATCH (c:Crawl)
SET c.requests = $requests, c.inversions = $inversions;
