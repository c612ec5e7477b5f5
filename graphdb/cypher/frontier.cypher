// What a crawl that goes on must know.

// name: queued
MATCH (p:Page)
WHERE p.status = 'queued'
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN p.url AS url, p.priority AS priority, p.depth AS depth, parent.url AS parent, p.redirects AS redirects,
  p.reasons AS reasons, p.found AS found;

// Of every hundredth of them its priority.

// name: sample
MATCH (p:Page)
WHERE p.status = 'queued' AND p.found % 100 = 0
RETURN p.priority AS priority;

// The best of them, none worse than $worst: to sort all takes three times as long.

// name: best
MATCH (p:Page)
WHERE p.status = 'queued' AND p.priority >= $worst
WITH p
ORDER BY p.priority DESC, p.found, p.url
LIMIT $most
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN p.url AS url, p.priority AS priority, p.depth AS depth, parent.url AS parent, p.redirects AS redirects,
  p.reasons AS reasons, p.found AS found
ORDER BY priority DESC, found, url;

// All of them, as they come.

// name: waiting
MATCH (p:Page)
WHERE p.status = 'queued'
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN p.url AS url, p.priority AS priority, p.depth AS depth, parent.url AS parent, p.redirects AS redirects,
  p.found AS found;

// name: queue_size
MATCH (p:Page)
WHERE p.status = 'queued'
RETURN count(*) AS waiting, max(p.found) AS found;

// name: known
MATCH (p:Page)
WHERE p.status <> 'queued' AND p.depth IS NOT NULL
RETURN p.url AS url;

// What only discarded links lead to.

// name: discarded
MATCH (p:Page {status: 'refused'})
WHERE p.depth IS NULL AND p.outside IS NULL
RETURN p.url AS url;

// What is out of scope, and by which option.

// name: outside
MATCH (p:Page {status: 'refused'})
WHERE p.outside IS NOT NULL
RETURN p.url AS url, p.outside AS why;

// What is known of such addresses ($urls) from the time they waited: their place, and the page that first queued them.

// name: left
UNWIND $urls AS url
MATCH (p:Page {url: url})
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN url, {priority: p.priority, found: p.found, redirects: p.redirects} AS page, parent.status AS status, parent.depth AS depth;

// The links that lead to them and that the strategy did not discard. The page first, on its own: from there its links
// are found at once.

// name: leading
UNWIND $urls AS url
MATCH (p:Page {url: url})
MATCH (p)<-[l:LINKS_TO]-(source:Page)
WHERE l.priority IS NOT NULL
RETURN url, source.url AS source, {status: source.status, depth: source.depth} AS page,
  {priority: l.priority, reasons: l.reasons} AS link;

// Hosts that want to be left alone.

// name: away
MATCH (s:Site)
WHERE s.away > $now
RETURN s.host AS host, s.away AS away;

// Texts of pages, to know copies of them; in order by these columns.

// name: fingerprints
MATCH (p:Page)
WHERE p.fingerprint IS NOT NULL
RETURN coalesce(p.order, 0) AS rank, p.url AS url, p.fingerprint AS fingerprint, p.order AS order,
  coalesce(p.on_topic, false) AS on_topic, (p.status <> 'fetched' OR p.content IS NULL) AS withdrawn,
  p.canonical AS canonical, p.presents AS presents;

// Pages as traps are told by them: copies, feeds and sitemaps too, which have no `order` and say nothing new. In order by
// these columns.

// name: visits
MATCH (p:Page {status: 'fetched'})
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
WHERE p.on_topic
RETURN coalesce(p.fetched_at, '') AS fetched_at, p.url AS url, parent.url AS parent, p.on_topic AS on_topic,
  (p.stale OR p.order IS NULL) AS stale;

// name: failures
MATCH (p:Page {status: 'failed'})
RETURN p.url AS url;
