// Pages that the expert has marked: `verdict` is 'good' or 'bad'; in Neo4j Browser: SET p.verdict = 'good'.

// name: marked
MATCH (p:Page)
WHERE p.verdict IN ['good', 'bad']
RETURN p.url AS url, p.verdict AS verdict;

// name: mark
UNWIND $rows AS row
MATCH (p:Page {url: row.url, status: 'fetched'})
SET p.verdict = row.verdict
RETURN p.url AS url;

// By which ontology its pages were judged.

// name: fingerprint
MATCH (c:Crawl)
RETURN c.fingerprint AS fingerprint;

// Seeds of the crawl.

// name: seeds
MATCH (:Crawl)-[:SEED]->(p:Page)
RETURN p.url AS url
ORDER BY p.found, url;

// Which of these addresses ($urls) are fetched pages.

// name: known
UNWIND $urls AS url
MATCH (p:Page {url: url, status: 'fetched'})
RETURN p.url AS url;

// The judgement of each page that may be a result; `order`: of fetching.

// name: verdicts
MATCH (p:Page {status: 'fetched'})
WHERE p.order IS NOT NULL AND p.relevance IS NOT NULL AND p.content IS NOT NULL
RETURN p.url AS url, p.title AS title, p.relevance AS relevance, coalesce(p.on_topic, false) AS on_topic,
  p.verdict AS verdict, p.kind AS kind, p.order AS order;
