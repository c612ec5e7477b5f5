// What `ontocrawl demo` asks about its crawl of the web about tea.

// The ten best articles and their reasons; listings only lead to such pages.

// name: best
MATCH (page:Page {on_topic: true, kind: 'article'})
RETURN page.url AS url, page.title AS title, page.relevance AS relevance, page.reasons AS reasons
ORDER BY relevance DESC, url
LIMIT 10;

// The pages that mention one concept of the ontology most, its narrower concepts included.

// name: concept
MATCH (concept:Concept)-[:NARROWER*0..2]->(named:Concept)
MATCH (named)<-[mention:MENTIONS]-(page:Page)
WHERE 'oolong' IN concept.names AND page.on_topic
RETURN page.title AS page, sum(mention.count) AS mentions,
  collect(DISTINCT named.label) AS names
ORDER BY mentions DESC, page
LIMIT 5;

// The longest path from a seed to a page on topic: it may lead through pages off topic.

// name: way
MATCH way = (page:Page)-[:DISCOVERED_FROM*]->(seed:Page)
WHERE page.on_topic AND (seed)<-[:SEED]-(:Crawl)
WITH page, way
ORDER BY length(way) DESC, page.relevance DESC
LIMIT 1
UNWIND reverse(nodes(way)) AS step
RETURN step.url AS step, step.status AS status, step.relevance AS relevance;

// Concepts that no page mentions: their pages were not found yet, or they need other words in the ontology.

// name: unmentioned
MATCH (concept:Concept)
WHERE NOT (concept)<-[:MENTIONS]-()
RETURN concept.label AS concept, concept.iri AS iri
ORDER BY concept
LIMIT 8;
