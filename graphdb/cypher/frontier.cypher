// What a resumed crawl must know.

// name: queued
MATCH (p:Page)
WHERE p.status = 'queued'
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN p.url AS url, p.priority AS priority, p.depth AS depth, parent.url AS parent, p.redirects AS redirects,
  p.reasons AS reasons, p.found AS found;

// The priority of every hundredth waiting page.

// name: sample
MATCH (p:Page)
WHERE p.status = 'queued' AND p.found % 100 = 0
RETURN p.priority AS priority;

// The best waiting pages, none worse than $worst. (Sorting all of them takes three times as long; measured.)

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

// All waiting pages, in no particular order.

// name: waiting
MATCH (p:Page)
WHERE p.status = 'queued'
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN p.url AS url, p.priority AS priority, p.depth AS depth, parent.url AS parent, p.redirects AS redirects,
  p.found AS found;

// The addresses of all waiting pages, a few hundred in a list: a row for each would take five times as long.
// name: waiting_addresses
MATCH (p:Page)
WHERE p.status = 'queued'
RETURN p.found / 500 AS part, collect(p.url) AS urls;

// name: queue_size
MATCH (p:Page)
WHERE p.status = 'queued'
RETURN count(*) AS waiting, max(p.found) AS found;

// name: known
MATCH (p:Page)
WHERE p.status <> 'queued' AND p.depth IS NOT NULL
RETURN p.url AS url;

// Addresses whose incoming links were all discarded.

// name: discarded
MATCH (p:Page {status: 'refused'})
WHERE p.depth IS NULL AND p.outside IS NULL
RETURN p.url AS url;

// Addresses out of scope, and the option that says so.

// name: outside
MATCH (p:Page {status: 'refused'})
WHERE p.outside IS NOT NULL
RETURN p.url AS url, p.outside AS why;

// For addresses that no longer wait ($urls): their former priority, and the page that first queued them.

// name: left
UNWIND $urls AS url
MATCH (p:Page {url: url})
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN url, {priority: p.priority, found: p.found, redirects: p.redirects} AS page, parent.status AS status, parent.depth AS depth;

// The links to these addresses that the strategy did not discard. The page is matched first, on its own, so that its
// links are found by its index.

// name: leading
UNWIND $urls AS url
MATCH (p:Page {url: url})
MATCH (p)<-[l:LINKS_TO]-(source:Page)
WHERE l.priority IS NOT NULL
RETURN url, source.url AS source, {status: source.status, depth: source.depth} AS page,
  {priority: l.priority, reasons: l.reasons} AS link;

// Hosts whose Retry-After has not expired.

// name: away
MATCH (s:Site)
WHERE s.away > $now
RETURN s.host AS host, s.away AS away;

// What is needed to recognise copies of pages. To be sorted by these columns.

// name: fingerprints
MATCH (p:Page)
WHERE p.fingerprint IS NOT NULL
RETURN coalesce(p.order, 0) AS rank, p.url AS url, p.fingerprint AS fingerprint, p.order AS order,
  coalesce(p.on_topic, false) AS on_topic, (p.status <> 'fetched' OR p.content IS NULL) AS withdrawn,
  p.canonical AS canonical, p.presents AS presents;

// Pages for the detection of traps, copies, feeds and sitemaps included; these have no `order` and count as stale. To be
// sorted by these columns.

// name: visits
MATCH (p:Page {status: 'fetched'})
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
WHERE p.on_topic
OPTIONAL MATCH (p)-[:COPY_OF]->(page:Page)
WHERE p.order IS NULL
RETURN coalesce(p.fetched_at, '') AS fetched_at, p.url AS url, parent.url AS parent, p.on_topic AS on_topic,
  (p.stale OR p.order IS NULL) AS stale, coalesce(page.url, CASE WHEN p.order IS NOT NULL THEN p.url END) AS said_by;

// name: failures
MATCH (p:Page {status: 'failed'})
RETURN p.url AS url;
