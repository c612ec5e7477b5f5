// What `ontocrawl search` reads.

// The crawl that the pages belong to, and what was merged into it.

// name: crawl
MATCH (crawl:Crawl)
RETURN crawl.id AS id, coalesce(crawl.merged, '') AS merged;

// Pages fetched since a time ($since, ISO text), that one included.

// name: since
MATCH (page:Page {status: 'fetched'})
WHERE page.order IS NOT NULL AND page.fetched_at >= $since
RETURN page.url AS url, page.fetched_at AS fetched_at;

// The texts of some pages ($urls).

// name: texts
UNWIND $urls AS url
MATCH (page:Page {url: url})
WHERE page.content IS NOT NULL
RETURN url, page.title AS title, page.fetched_at AS fetched_at, page.content AS content;

// What is shown about the pages found ($urls), without those that have become copies or are gone.

// name: shown
UNWIND $urls AS url
MATCH (page:Page {url: url, status: 'fetched'})
WHERE page.order IS NOT NULL AND page.content IS NOT NULL
RETURN url, page.title AS title, page.relevance AS relevance, page.on_topic AS on_topic, page.kind AS kind;

// The concepts that these pages ($urls) mention. The page is matched first, on its own, so that its relations are found
// by its index.

// name: concepts
UNWIND $urls AS url
MATCH (page:Page {url: url})
MATCH (page)-[mention:MENTIONS]->(concept:Concept)
RETURN url, concept.label AS label, mention.weight AS weight, mention.count AS count;
