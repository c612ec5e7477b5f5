// What `ontocrawl status` reads.

// The crawl itself.

// name: crawl
MATCH (crawl:Crawl)
RETURN crawl.ontology AS ontology, crawl.topic AS topic, crawl.strategy AS strategy, crawl.started_at AS started_at,
  crawl.pages AS pages, crawl.on_topic AS on_topic, crawl.requests AS requests, crawl.errors AS errors,
  crawl.inversions AS inversions, crawl.seconds AS seconds, crawl.copies AS copies, crawl.settings AS settings;

// How many pages there are of each status.

// name: statuses
MATCH (page:Page)
RETURN page.status AS status, count(*) AS pages
ORDER BY pages DESC;

// How many addresses are out of scope, by the option that says so.

// name: outside
MATCH (page:Page {status: 'refused'})
WHERE page.outside IS NOT NULL
RETURN page.outside AS why, count(*) AS pages
ORDER BY pages DESC, why;

// How many wait beyond the depth to which the crawl goes ($depth).

// name: too_deep
MATCH (page:Page {status: 'queued'})
WHERE page.depth > $depth
RETURN count(*) AS pages;

// Of what kind the pages on topic are; null where an older version recorded them.

// name: kinds
MATCH (page:Page {on_topic: true})
RETURN page.kind AS kind, count(*) AS pages
ORDER BY kind;

// Pages that may be results, by the thousandth of the scale in which their relevance lies, and two of them; how many
// reach $threshold. Addresses alone: rows of whole pages would be 200,000.

// name: scale
MATCH (page:Page {status: 'fetched'})
WHERE page.order IS NOT NULL AND page.relevance IS NOT NULL AND page.content IS NOT NULL
RETURN toInteger(floor(page.relevance * 1000)) AS part, count(*) AS pages, min(page.url) AS first,
  max(page.url) AS last, sum(CASE WHEN page.relevance >= $threshold THEN 1 ELSE 0 END) AS reaching;

// What is shown of some of them ($urls).

// name: near
UNWIND $urls AS url
MATCH (page:Page {url: url})
RETURN url, page.title AS title, page.relevance AS relevance, page.kind AS kind;

// The links that are followed next.

// name: waiting
MATCH (page:Page {status: 'queued'})
RETURN page.url AS url, page.priority AS priority
ORDER BY page.priority DESC, page.found, page.url
LIMIT 3;

// The hosts with the most pages on topic.

// name: hosts
MATCH (page:Page {on_topic: true})
RETURN page.host AS host, count(*) AS pages
ORDER BY pages DESC, host
LIMIT 5;

// The pages fetched last ($most), seeds left out: the place by which each was chosen, and what it was worth.

// name: last
MATCH (page:Page {status: 'fetched'})
WHERE page.order IS NOT NULL AND page.depth > 0
RETURN page.url AS url, page.priority AS priority, page.relevance AS relevance
ORDER BY page.order DESC
LIMIT $most;

// The same of pages by their addresses ($urls).

// name: places
UNWIND $urls AS url
MATCH (page:Page {url: url, status: 'fetched'})
RETURN url, page.priority AS priority, page.relevance AS relevance
ORDER BY url;

// What the ontology's concepts are called.

// name: names
MATCH (concept:Concept)
WHERE concept.names IS NOT NULL
RETURN concept.names AS names;

// What links to these pages ($urls) say of them. The page first, on its own: from there its links are found at once.

// name: said
UNWIND $urls AS url
MATCH (page:Page {url: url})
MATCH (page)<-[link:LINKS_TO]-(:Page)
RETURN url, collect(DISTINCT link.anchor)[..20] AS anchors, collect(DISTINCT link.context)[..20] AS contexts;
