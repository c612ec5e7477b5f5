// What `ontocrawl ontology coverage` reads.

// Every concept of the ontology and those directly below it.

// name: concepts
MATCH (concept:Concept)
WHERE NOT coalesce(concept.gone, false)
OPTIONAL MATCH (concept)-[:NARROWER]->(below:Concept)
RETURN concept.iri AS iri, coalesce(concept.label, concept.iri) AS label, concept.weight AS weight,
  concept.layer AS layer, collect(below.iri) AS narrower
ORDER BY iri;

// For each concept: the pages that mention it, how many of them are on topic, the number of their hosts, and how many
// were fetched after the page with rank $late.

// name: mentioned
MATCH (page:Page)-[:MENTIONS]->(concept:Concept)
WHERE page.order IS NOT NULL
RETURN concept.iri AS iri, count(page) AS pages, sum(CASE WHEN page.on_topic THEN 1 ELSE 0 END) AS on_topic,
  count(DISTINCT page.host) AS hosts, sum(CASE WHEN page.order > $late THEN 1 ELSE 0 END) AS late;

// Which page mentions which concept, and where on the page.

// name: mentions
MATCH (page:Page)-[mention:MENTIONS]->(concept:Concept)
WHERE page.order IS NOT NULL
RETURN page.url AS url, page.on_topic AS on_topic, concept.iri AS iri, mention.`where` AS where_it_stands;

// The rank of the page fetched last.

// name: last_rank
MATCH (page:Page)
WHERE page.order IS NOT NULL
RETURN coalesce(max(page.order), 0) AS last;
