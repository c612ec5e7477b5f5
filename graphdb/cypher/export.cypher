// A crawl's record for other programs, some pages at a time. $which: 'all' pages, those that were 'fetched', or those
// that are 'on-topic'. Links are exported if both of their pages are.

// name: urls
MATCH (p:Page)
WHERE $which = 'all' OR (p.status = 'fetched' AND ($which = 'fetched' OR p.on_topic))
RETURN p.url AS url;

// name: pages
UNWIND $urls AS url
MATCH (p:Page {url: url})
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
OPTIONAL MATCH (p)-[:COPY_OF]->(page:Page)
OPTIONAL MATCH (c:Crawl)-[:SEED]->(p)
RETURN url, p.title AS title, p.status AS status, p.host AS host, p.language AS language, p.kind AS kind,
  coalesce(p.on_topic, false) AS on_topic, p.relevance AS relevance, p.verdict AS verdict, c IS NOT NULL AS seed,
  p.depth AS depth, p.order AS order, p.priority AS priority, parent.url AS discovered_from, page.url AS copy_of,
  p.canonical AS canonical, p.reserved AS reserved, p.http_status AS http_status, p.fetched_at AS fetched_at, p.reasons AS reasons,
  p.chosen AS chosen;

// name: contents
UNWIND $urls AS url
MATCH (p:Page {url: url})
RETURN url, p.content AS content;

// name: links
UNWIND $urls AS url
MATCH (p:Page {url: url})-[l:LINKS_TO]->(target:Page)
WHERE $which = 'all' OR (target.status = 'fetched' AND ($which = 'fetched' OR target.on_topic))
RETURN url AS source, target.url AS target, l.anchor AS anchor, l.context AS context, l.priority AS priority,
  l.position AS position;

// name: mentions
UNWIND $urls AS url
MATCH (p:Page {url: url})-[m:MENTIONS]->(c:Concept)
RETURN url AS page, c.iri AS concept, c.label AS label, m.count AS count, m.weight AS weight, m.where AS positions;

// name: concepts
MATCH (c:Concept)
RETURN c.iri AS iri, c.label AS label, c.label_zh AS label_zh, c.label_en AS label_en, c.names AS names,
  c.weight AS weight, c.layer AS layer, coalesce(c.gone, false) AS gone,
  [(c)-[:NARROWER]->(d:Concept) | d.iri] AS narrower;

// name: sites
MATCH (s:Site)
RETURN s.host AS host, s.delay AS delay, s.robots AS robots, s.away AS away;

// name: crawl
MATCH (c:Crawl)
RETURN c.id AS id, c.topic AS topic, c.ontology AS ontology, c.strategy AS strategy, c.started_at AS started_at,
  c.pages AS pages, c.on_topic AS on_topic, c.requests AS requests, c.errors AS errors, c.seconds AS seconds,
  c.copies AS copies, c.settings AS settings;

// The times at which these pages were fetched.

// name: moments
MATCH (p:Page)
WHERE p.fetched_at IS NOT NULL
  AND ($which = 'all' OR (p.status = 'fetched' AND ($which = 'fetched' OR p.on_topic)))
RETURN p.url AS url, p.fetched_at AS fetched_at;
