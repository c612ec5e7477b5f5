// The stored pages, read back: the recorded web on which `ontocrawl simulate --store` tries other strategies.

// Addresses that ended. Sorted by these columns: pages in the order of fetching, copies, then what was not a page.

// name: ended
MATCH (p:Page)
WHERE p.status <> 'queued' AND p.depth IS NOT NULL
RETURN p.status <> 'fetched' AS no_page, p.order IS NULL AS copied, coalesce(p.order, 0) AS order, p.url AS url,
  p.status AS status, p.content IS NOT NULL AS has_text;

// Those of them that ended after the strategy's memory was saved; none if the crawl was stopped and not killed.

// name: unremembered
MATCH (c:Crawl)
WITH c.seconds AS seconds
MATCH (m:Memory {part: 0})
WHERE m.seconds < seconds
WITH m.seconds AS seconds
MATCH (p:Page)
WHERE p.ended_after > seconds
RETURN p.status <> 'fetched' AS no_page, p.order IS NULL AS copied, coalesce(p.order, 0) AS order, p.url AS url,
  p.status AS status, p.content IS NOT NULL AS has_text;

// What judging needs of pages with text.

// name: texts
UNWIND $urls AS url
MATCH (p:Page {url: url})
OPTIONAL MATCH (p)-[m:MENTIONS]->(c:Concept)
WITH p, collect([c.iri, m.count, m.weight, m.`where`]) AS mentions
RETURN p.url AS url, p.http_status AS http_status, p.title AS title, p.language AS language, p.content AS content,
  p.depth AS depth, p.relevance AS relevance, coalesce(p.on_topic, false) AS on_topic, p.verdict AS verdict,
  p.kind AS kind, mentions;

// What some pages say.

// name: contents
UNWIND $urls AS url
MATCH (p:Page {url: url})
RETURN url, p.content AS content;

// A copy recorded by a version without COPY_OF has its page as its canonical, and neither rank nor content.

// name: pages
UNWIND $urls AS url
MATCH (p:Page {url: url})
OPTIONAL MATCH (p)-[:COPY_OF]->(page:Page)
RETURN p.url AS url, p.status AS status, p.http_status AS http_status, p.order AS order, p.title AS title,
  p.language AS language, p.reasons AS reasons, p.content AS content, p.depth AS depth,
  coalesce(page.url, CASE WHEN p.stale AND p.order IS NULL AND p.content IS NULL THEN p.canonical END) AS copy_of;

// Links of pages without content: redirects, and pages that ask not to be indexed.

// name: links
UNWIND $urls AS url
MATCH (p:Page {url: url})-[link:LINKS_TO]->(target:Page)
WHERE p.content IS NULL
RETURN p.url AS url, target.url AS target, link.anchor AS anchor, link.context AS context, link.priority AS priority,
  link.position AS position
ORDER BY p.url, link.position, target.url;

// The crawl and its progress, by which a change is noticed.

// name: crawl
MATCH (c:Crawl)
RETURN c.id AS id, c.strategy AS strategy, c.pages AS pages, c.requests AS requests;

// name: seeds
MATCH (:Crawl)-[:SEED]->(p:Page)
RETURN p.url AS url
ORDER BY p.order, p.url;

// name: unrecorded
MATCH (p:Page)
WHERE p.http_status IS NULL
RETURN count(*) AS addresses;

// name: textless
MATCH (p:Page {status: 'fetched'})
WHERE p.content IS NULL
RETURN count(*) AS pages;
