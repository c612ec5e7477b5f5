// Pages to be fetched again: `ontocrawl crawl --recrawl`.

// They are marked some at a time; while that is under way, the crawl has `marking`.

// name: begin
MATCH (c:Crawl)
SET c.marking = true;

// name: end
MATCH (c:Crawl)
SET c.marking = null;

// name: is_under_way
MATCH (c:Crawl)
WHERE c.marking
RETURN c.id AS id;

// The paths to results, which change when pages are judged again.

// name: ways
MATCH (p:Page)
WHERE p.status <> 'queued'
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN p.url AS url, parent.url AS parent, coalesce(p.on_topic, false) AS on_topic, coalesce(p.on_path, false) AS on_path;

// The same of those pages that a correct record needs for it: results, and pages marked as on a path.

// name: marked_ways
MATCH (p:Page)
WHERE p.status <> 'queued' AND (p.on_topic OR p.on_path)
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN p.url AS url, parent.url AS parent, coalesce(p.on_topic, false) AS on_topic, coalesce(p.on_path, false) AS on_path,
  (p.status = 'fetched' AND coalesce(p.on_topic, false)) AS is_result;

// name: set_on_path
UNWIND $urls AS url
MATCH (p:Page {url: url})
SET p.on_path = $on_path;

// Which links are behind traps is to be computed again.

// name: outdate_traps
MATCH (t:Trap)
SET t.outdated = true;

// The judgement of pages that may be results: no copies, feeds and sitemaps, and no noindex pages (no content).

// name: judged
MATCH (p:Page {status: 'fetched'})
WHERE p.order IS NOT NULL AND p.relevance IS NOT NULL AND p.content IS NOT NULL
RETURN p.url AS url, p.relevance AS relevance, coalesce(p.on_topic, false) AS on_topic;

// name: set_on_topic
UNWIND $urls AS url
MATCH (p:Page {url: url})
SET p.on_topic = $on_topic;

// The pages to be marked: results, seeds, and feeds and sitemaps (which have neither rank nor `stale`).

// name: to_be_wanted
MATCH (p:Page {status: 'fetched'})
WHERE p.on_topic OR (p.order IS NULL AND p.stale IS NULL) OR EXISTS { (:Crawl)-[:SEED]->(p) }
RETURN p.url AS url;

// name: want
UNWIND $urls AS url
MATCH (p:Page {url: url})
SET p.wanted = true;

// name: wanted
MATCH (p:Page {status: 'fetched'})
WHERE p.wanted
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN p.url AS url, p.order AS order, p.priority AS priority, p.depth AS depth, parent.url AS parent,
  coalesce(p.relevance, 0.0) AS relevance, coalesce(p.on_topic, false) AS on_topic, p.fingerprint AS fingerprint,
  p.etag AS etag, p.last_modified AS last_modified;
