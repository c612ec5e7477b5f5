// Saved queries for Neo4j Browser. Each begins with its name; what may be changed is said below it.
// They need the labels OnTopic, Seed, Waiting, Listing and Copy, which only a crawl in Neo4j has.

// name: crawl_and_seeds
// The crawl and its seeds
MATCH way = (:Crawl)-[:SEED]->(:Page)
RETURN way
LIMIT 50;

// name: best_pages
// The best articles
MATCH (p:OnTopic)
WHERE p.relevance IS NOT NULL AND NOT p:Listing AND NOT p:Copy
RETURN p
ORDER BY p.relevance DESC
LIMIT 25;

// name: newest_pages
// The newest articles, by the day that each says
// Write a day between the quotes, such as 2024-05-03, for those from that day on.
WITH '' AS day
MATCH (p:OnTopic)
WHERE p.published >= day AND NOT p:Listing AND NOT p:Copy
RETURN p.published AS published, round(p.relevance, 2) AS relevance, p.title AS title, p.author AS author,
  p.url AS address
ORDER BY published DESC, relevance DESC
LIMIT 50;

// name: best_of_concept
// Best pages of a concept, by how much of it they say
// Write its name between the first quotes. Without one it is the concept that most pages mention.
WITH '' AS name
CALL (name) {
  MATCH (c:Concept)
  WHERE name = '' OR name IN c.names
  RETURN c
  ORDER BY COUNT { (c)<-[:MENTIONS]-() } DESC
  LIMIT 1
}
MATCH (c)<-[m:MENTIONS]-(p:OnTopic)
WITH c, m, p
ORDER BY m.weight DESC, m.count DESC
LIMIT 25
RETURN c, m, p;

// name: words_in_titles
// Pages by words in their titles
// Write words between the first quotes: tea AND (green OR white) NOT shop, "in this order", oolon*
// Chinese words of three characters or more stand in double quotes, a single character has a star: "乌龙茶", 茶*
// Without any it is the name of the concept that most pages mention.
WITH '' AS words
CALL (words) {
  MATCH (c:Concept)
  WHERE words = ''
  RETURN '"' + replace(c.label, '"', ' ') + '"' AS asked
  ORDER BY COUNT { (c)<-[:MENTIONS]-() } DESC
  LIMIT 1
  UNION
  WITH words
  WHERE words <> ''
  RETURN words AS asked
}
CALL db.index.fulltext.queryNodes('page_titles', asked, {limit: 50}) YIELD node, score
RETURN node.title AS title, round(score, 2) AS fits, round(node.relevance, 2) AS relevance, node.on_topic AS on_topic,
  node.url AS address
ORDER BY fits DESC, relevance DESC;

// name: words_in_links
// Pages by the words of the links that lead to them, also pages that wait
// Write words between the first quotes, as in the query before this one.
WITH '' AS words
CALL (words) {
  MATCH (c:Concept)
  WHERE words = ''
  RETURN '"' + replace(c.label, '"', ' ') + '"' AS asked
  ORDER BY COUNT { (c)<-[:MENTIONS]-() } DESC
  LIMIT 1
  UNION
  WITH words
  WHERE words <> ''
  RETURN words AS asked
}
CALL db.index.fulltext.queryRelationships('link_words', asked, {limit: 1000}) YIELD relationship, score
WITH endNode(relationship) AS p, count(*) AS links, max(score) AS fits, head(collect(relationship.anchor)) AS words
RETURN words AS link, links, round(fits, 2) AS fits, p.status AS status, p.title AS title, p.url AS address
ORDER BY links DESC, fits DESC
LIMIT 50;

// name: way_from_seed
// The way from a seed to a page
// Write an address between the quotes. Without one it is the best page.
WITH '' AS url
CALL (url) {
  MATCH (p:Page {url: url})
  RETURN p
  UNION
  WITH url
  WHERE url = ''
  MATCH (p:OnTopic)
  WHERE p.relevance IS NOT NULL
  RETURN p
  ORDER BY p.relevance DESC
  LIMIT 1
}
MATCH way = (p)-[:DISCOVERED_FROM*0..]->(s:Seed)
RETURN way
LIMIT 1;

// name: hubs_of_concept
// Hubs of a concept: pages that link to most pages about it
// Write its name between the first quotes. Without one it is the concept that most pages mention.
WITH '' AS name
CALL (name) {
  MATCH (c:Concept)
  WHERE name = '' OR name IN c.names
  RETURN c
  ORDER BY COUNT { (c)<-[:MENTIONS]-() } DESC
  LIMIT 1
}
CALL (c) {
  MATCH (c)<-[m:MENTIONS]-(p:OnTopic)
  RETURN p
  ORDER BY m.weight DESC, m.count DESC
  LIMIT 500
}
MATCH (hub:Page)-[:LINKS_TO]->(p)
RETURN c.label AS concept, hub.title AS hub, count(p) AS leads_to, hub.host AS host, hub.url AS address
ORDER BY leads_to DESC
LIMIT 25;

// name: bridges
// Bridges: links between sites from one of the best pages to another
CALL () {
  MATCH (p:OnTopic)
  WHERE p.relevance IS NOT NULL
  RETURN p
  ORDER BY p.relevance DESC
  LIMIT 2000
}
MATCH (p)-[l:LINKS_TO]->(q:OnTopic)
WHERE p.host <> q.host
RETURN p.host AS from_site, q.host AS to_site, count(l) AS links, left(head(collect(l.anchor)), 60) AS for_example
ORDER BY links DESC
LIMIT 25;

// name: concepts_without_pages
// Concepts that no page mentions: still to be found, or in need of another word
MATCH (c:Concept)
WHERE c.gone IS NULL AND NOT EXISTS { (c)<-[:MENTIONS]-() }
RETURN c.label AS concept, c.weight AS weight, c.names AS words
ORDER BY weight DESC, concept;

// name: what_misled
// What misled the crawl: pages that promised most and gave least
MATCH (p:Page)
WHERE p.order IS NOT NULL AND p.relevance IS NOT NULL AND NOT p:OnTopic AND NOT p:Seed
WITH p
ORDER BY p.priority - p.relevance DESC
LIMIT 25
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)-[l:LINKS_TO]->(p)
RETURN p.title AS page, round(p.priority, 2) AS promised, round(p.relevance, 2) AS gave, l.anchor AS link,
  p.chosen[..2] AS because, parent.title AS on_page, p.url AS address;

// name: links_waiting
// Links that wait, the best first
MATCH (p:Waiting)
WHERE p.priority IS NOT NULL
WITH p
ORDER BY p.priority DESC
LIMIT 25
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN round(p.priority, 3) AS priority, p.url AS address, p.reasons[..2] AS because, parent.title AS found_on;

// name: traps
// Traps: endless sets of addresses that gave nothing, and the links that wait behind them
MATCH (t:Trap)
RETURN t.name AS trap, t.kind AS kind, t.links AS links_waiting, t.why AS why, t.first AS best_link,
  coalesce(t.outdated, false) AS outdated
ORDER BY links_waiting DESC, trap
LIMIT 100;

// name: marked
// Pages that an expert has marked; to mark one: MATCH (p:Page {url: '…'}) SET p.verdict = 'good'
MATCH (p:Page)
WHERE p.verdict IN ['good', 'bad', 'hub']
RETURN p
ORDER BY p.verdict DESC, p.relevance DESC
LIMIT 100;

// name: around_page
// What leads to a page, and where it leads: the ten best of each
// Write an address between the quotes. Without one it is the best page.
WITH '' AS url
CALL (url) {
  MATCH (p:Page {url: url})
  RETURN p
  UNION
  WITH url
  WHERE url = ''
  MATCH (p:OnTopic)
  WHERE p.relevance IS NOT NULL
  RETURN p
  ORDER BY p.relevance DESC
  LIMIT 1
}
CALL (p) {
  MATCH (p)<-[l:LINKS_TO]-(other:OnTopic)
  RETURN l, other
  ORDER BY other.relevance DESC
  LIMIT 10
  UNION
  MATCH (p)-[l:LINKS_TO]->(other:OnTopic)
  RETURN l, other
  ORDER BY other.relevance DESC
  LIMIT 10
}
RETURN p, l, other;
