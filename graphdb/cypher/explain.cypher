// What `ontocrawl explain` reads about one page; nothing is recomputed.

// One page by its address ($url), the page it was found on, and the link between them.

// name: page
MATCH (page:Page {url: $url})
OPTIONAL MATCH (page)-[:DISCOVERED_FROM]->(parent:Page)
OPTIONAL MATCH (parent)-[link:LINKS_TO]->(page)
OPTIONAL MATCH (page)-[:COPY_OF]->(original:Page)
RETURN page.status AS status, page.depth AS depth, page.title AS title, page.order AS order, page.priority AS priority,
  page.relevance AS relevance, page.on_topic AS on_topic, page.reasons AS reasons, page.http_status AS http_status,
  page.fetched_at AS fetched_at, page.chosen AS chosen, page.found AS found, parent.url AS parent, link.anchor AS anchor, link.context AS context,
  link.priority AS link_priority, link.reasons AS link_reasons, page.shares AS shares, page.kind AS kind,
  original.url AS copy_of, page.reserved AS reserved;

// Copies of a page ($url).

// name: copies
MATCH (copy:Page)-[:COPY_OF]->(page:Page {url: $url})
RETURN copy.url AS url
ORDER BY url
LIMIT 5;

// The pages that link to a page ($url), best link first.

// name: linking
MATCH (from:Page)-[link:LINKS_TO]->(page:Page {url: $url})
RETURN from.url AS url, from.order AS order, link.anchor AS anchor, link.priority AS priority, link.reasons AS reasons
ORDER BY link.priority DESC, from.url
LIMIT 5;

// The path from a page ($url) back to its seed, beginning with the page itself.

// name: way
MATCH way = (page:Page {url: $url})-[:DISCOVERED_FROM*0..]->(top:Page)
WHERE NOT (top)-[:DISCOVERED_FROM]->(:Page)
RETURN [step IN nodes(way) | step.url] AS urls;

// The concepts that a page ($url) mentions, largest weight first.

// name: mentions
MATCH (page:Page {url: $url})-[mention:MENTIONS]->(concept:Concept)
RETURN concept.label AS label, mention.count AS count, mention.weight AS weight
ORDER BY mention.weight DESC, mention.count DESC, concept.iri
LIMIT 10;

// Known addresses of one host ($host), to suggest one for a misspelled address.

// name: same_host
MATCH (page:Page {host: $host})
RETURN page.url AS url
LIMIT 5000;

// The crawl's strategy, settings and size.

// name: crawl
MATCH (crawl:Crawl)
RETURN crawl.strategy AS strategy, crawl.settings AS settings, crawl.pages AS pages, crawl.fingerprint AS fingerprint;

// The recorded judgement of a page ($url), and its content.

// name: judged
MATCH (page:Page {url: $url})
WHERE page.relevance IS NOT NULL
RETURN page.relevance AS relevance, page.on_topic AS on_topic, page.reasons AS reasons, page.content AS content;

// The page with this text.

// name: same_text
MATCH (page:Page {fingerprint: $fingerprint})
WHERE page.relevance IS NOT NULL AND page.content IS NOT NULL
RETURN page.url AS url
ORDER BY page.order
LIMIT 1;

// The number of waiting pages no deeper than $depth, and of those that come before a priority ($priority) and rank of
// finding ($found).

// name: queue
MATCH (page:Page {status: 'queued'})
WHERE page.depth <= $depth
RETURN count(*) AS waiting,
  sum(CASE WHEN page.priority > $priority OR (page.priority = $priority AND page.found < $found) THEN 1 ELSE 0 END) AS before;

// The waiting page at one position of the queue ($before: the number of pages before it).

// name: place
MATCH (page:Page {status: 'queued'})
WHERE page.depth <= $depth
WITH page.url AS url, page.priority AS priority, page.shares AS shares, page.found AS found
ORDER BY priority DESC, found, url
SKIP $before LIMIT 1
RETURN url, priority, shares;

// The pages on topic with the lowest relevance.

// name: just_on_topic
MATCH (page:Page {on_topic: true})
RETURN page.relevance AS relevance, page.shares AS shares
ORDER BY page.relevance, page.url
LIMIT 20;

// The labels of concepts ($iris).

// name: captions
UNWIND $iris AS iri
MATCH (concept:Concept {iri: iri})
RETURN iri, concept.label AS label;

// The status of addresses ($urls).

// name: known
UNWIND $urls AS url
MATCH (page:Page {url: url})
RETURN url, page.status AS status, page.on_topic AS on_topic;
