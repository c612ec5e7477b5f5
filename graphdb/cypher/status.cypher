// What `ontocrawl status` reads.

// The crawl itself.

// name: crawl
MATCH (crawl:Crawl)
RETURN crawl.ontology AS ontology, crawl.topic AS topic, crawl.strategy AS strategy, crawl.started_at AS started_at,
  crawl.pages AS pages, crawl.on_topic AS on_topic, crawl.requests AS requests, crawl.errors AS errors,
  crawl.inversions AS inversions, crawl.seconds AS seconds, crawl.copies AS copies, crawl.settings AS settings;

// The number of pages with each status, with each kind if they are on topic (null if an older version recorded them), and
// out of scope by each option that says so. One look through all pages takes two thirds of the time of three (measured).

// name: addresses
MATCH (page:Page)
RETURN page.status AS status, coalesce(page.on_topic, false) AS on_topic, page.kind AS kind, page.outside AS why,
  count(*) AS pages;

// The hosts with pages that are reserved for text and data mining, by the page itself, its header, or the origin's files.

// name: reserved
MATCH (page:Page)
WHERE page.reserved IS NOT NULL
RETURN page.host AS host, count(*) AS pages
ORDER BY pages DESC, host;

// The number of waiting pages beyond the crawl's depth ($depth).

// name: too_deep
MATCH (page:Page {status: 'queued'})
WHERE page.depth > $depth
RETURN count(*) AS pages;

// Pages that may be results, grouped by relevance in steps of a thousandth: their number, two of their addresses, and
// how many reach $threshold. (A row for each page would be 200,000 rows.)

// name: scale
MATCH (page:Page {status: 'fetched'})
WHERE page.order IS NOT NULL AND page.relevance IS NOT NULL AND page.content IS NOT NULL
RETURN toInteger(floor(page.relevance * 1000)) AS part, count(*) AS pages, min(page.url) AS first,
  max(page.url) AS last, sum(CASE WHEN page.relevance >= $threshold THEN 1 ELSE 0 END) AS reaching;

// What is shown about some of these pages ($urls).

// name: near
UNWIND $urls AS url
MATCH (page:Page {url: url})
RETURN url, page.title AS title, page.relevance AS relevance, page.kind AS kind;

// The pages that will be fetched next: none that is deeper than $depth, the crawl's limit.

// name: waiting
MATCH (page:Page {status: 'queued'})
WHERE page.depth <= $depth
RETURN page.url AS url, page.priority AS priority
ORDER BY page.priority DESC, page.found, page.url
LIMIT 3;

// The hosts with the most pages on topic.

// name: hosts
MATCH (page:Page {on_topic: true})
RETURN page.host AS host, count(*) AS pages
ORDER BY pages DESC, host
LIMIT 5;

// The hosts with the most pages of which less than $share are on topic; at least $least pages each.

// name: barren
MATCH (page:Page {status: 'fetched'})
WHERE page.order IS NOT NULL
WITH page.host AS host, count(*) AS pages, sum(CASE WHEN page.on_topic THEN 1 ELSE 0 END) AS on_topic
WHERE pages >= $least AND on_topic < $share * pages
RETURN host, pages, on_topic
ORDER BY pages DESC, host
LIMIT 5;

// The last $most pages fetched, without seeds: the priority with which each was chosen, and its relevance.

// name: last
MATCH (page:Page {status: 'fetched'})
WHERE page.order IS NOT NULL AND page.depth > 0
RETURN page.url AS url, page.priority AS priority, page.relevance AS relevance
ORDER BY page.order DESC
LIMIT $most;

// The same for given addresses ($urls).

// name: places
UNWIND $urls AS url
MATCH (page:Page {url: url, status: 'fetched'})
RETURN url, page.priority AS priority, page.relevance AS relevance
ORDER BY url;

// The names of the ontology's concepts.

// name: names
MATCH (concept:Concept)
WHERE concept.names IS NOT NULL
RETURN concept.names AS names;

// The anchors and contexts of links to these pages ($urls). The page is matched first, on its own, so that its links are
// found by its index.

// name: said
UNWIND $urls AS url
MATCH (page:Page {url: url})
MATCH (page)<-[link:LINKS_TO]-(:Page)
RETURN url, collect(DISTINCT link.anchor)[..20] AS anchors, collect(DISTINCT link.context)[..20] AS contexts;
