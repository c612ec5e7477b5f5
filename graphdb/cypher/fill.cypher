// Filling a graph from the record of a crawl. Whatever is repeated changes nothing.

// How far the graph is filled: `filled` of its crawl, which is set in the same transaction as the rows.

// name: crawl
MATCH (c:Crawl)
RETURN c.id AS id, c.filled AS filled;

// name: is_empty
MATCH (n)
RETURN n LIMIT 1;

// name: put_crawl
MERGE (c:Crawl {id: $id})
SET c += $set;

// name: note
MATCH (c:Crawl)
SET c.filled = $filled;

// name: put_sites
UNWIND $rows AS row
MERGE (s:Site {host: row.host})
SET s += row;

// name: put_concepts
UNWIND $rows AS row
MERGE (c:Concept {iri: row.iri})
SET c += row;

// name: remove_concepts
MATCH (c:Concept)
WHERE NOT c.iri IN $iris
DETACH DELETE c;

// name: forget_narrower
MATCH (:Concept)-[r:NARROWER]->(:Concept)
DELETE r;

// name: put_narrower
UNWIND $rows AS row
MATCH (c:Concept {iri: row.iri})
MATCH (d:Concept {iri: row.narrower})
CREATE (c)-[:NARROWER]->(d);

// name: forget_traps
MATCH (t:Trap)
DELETE t;

// name: put_traps
UNWIND $rows AS row
CREATE (t:Trap)
SET t += row;

// name: existing
UNWIND $urls AS url
MATCH (p:Page {url: url})
RETURN collect(url) AS urls;

// Pages that wait. Creating them with single properties costs a third of setting these afterwards.

// name: add_waiting
UNWIND $rows AS row
MATCH (s:Site {host: row.host})
CREATE (p:Page {
  url: row.url,
  status: row.status,
  host: row.host,
  depth: row.depth,
  priority: row.priority,
  redirects: row.redirects,
  found: row.found,
  reasons: row.reasons,
  shares: row.shares
})-[:ON_SITE]->(s);

// The same in Neo4j, where a page has labels by which Neo4j Browser colours it. The embedded engine stores only one.

// name: add_labelled_waiting
UNWIND $rows AS row
MATCH (s:Site {host: row.host})
CREATE (p:Page:Waiting {
  url: row.url,
  status: row.status,
  host: row.host,
  depth: row.depth,
  priority: row.priority,
  redirects: row.redirects,
  found: row.found,
  reasons: row.reasons,
  shares: row.shares
})-[:ON_SITE]->(s);

// name: add_pages
UNWIND $rows AS row
MATCH (s:Site {host: row.set.host})
CREATE (p:Page {url: row.url})-[:ON_SITE]->(s)
SET p += row.set;

// name: update_pages
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
SET p += row.set;

// name: label_pages
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
FOREACH (_ IN CASE WHEN p.on_topic THEN [1] ELSE [] END | SET p:OnTopic)
FOREACH (_ IN CASE WHEN p.on_topic THEN [] ELSE [1] END | REMOVE p:OnTopic)
FOREACH (_ IN CASE WHEN p.status = 'queued' THEN [1] ELSE [] END | SET p:Waiting)
FOREACH (_ IN CASE WHEN p.status = 'queued' THEN [] ELSE [1] END | REMOVE p:Waiting)
FOREACH (_ IN CASE WHEN p.kind = 'listing' THEN [1] ELSE [] END | SET p:Listing)
FOREACH (_ IN CASE WHEN p.kind = 'listing' THEN [] ELSE [1] END | REMOVE p:Listing)
FOREACH (_ IN CASE WHEN row.is_seed THEN [1] ELSE [] END | SET p:Seed)
FOREACH (_ IN CASE WHEN row.is_seed THEN [] ELSE [1] END | REMOVE p:Seed)
FOREACH (_ IN CASE WHEN row.is_copy THEN [1] ELSE [] END | SET p:Copy)
FOREACH (_ IN CASE WHEN row.is_copy THEN [] ELSE [1] END | REMOVE p:Copy);

// What leads from pages, before it is put again.

// name: forget_relations
UNWIND $urls AS url
MATCH (p:Page {url: url})-[r:LINKS_TO|MENTIONS|DISCOVERED_FROM|COPY_OF]->()
DELETE r;

// name: forget_seeds
UNWIND $urls AS url
MATCH (p:Page {url: url})<-[r:SEED]-(:Crawl)
DELETE r;

// name: put_parents
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (parent:Page {url: row.parent})
CREATE (p)-[:DISCOVERED_FROM]->(parent);

// name: put_copies
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (page:Page {url: row.copy_of})
CREATE (p)-[:COPY_OF]->(page);

// name: put_seeds
MATCH (c:Crawl)
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
CREATE (c)-[:SEED]->(p);

// name: put_links
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.items AS link
MATCH (target:Page {url: link.target})
CREATE (p)-[:LINKS_TO {
  anchor: link.anchor,
  context: link.context,
  priority: link.priority,
  position: link.position,
  reasons: link.reasons,
  reasons_data: link.reasons_data
}]->(target);

// name: put_mentions
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.items AS mention
MATCH (c:Concept {iri: mention.iri})
CREATE (p)-[:MENTIONS {count: mention.count, weight: mention.weight, `where`: mention.where}]->(c);

// Marks of a person, in Neo4j Browser: SET p.verdict = 'good'.

// name: verdicts
MATCH (p:Page)
WHERE p.verdict IN ['good', 'bad', 'hub']
RETURN p.url AS url, p.verdict AS verdict;

// name: set_verdicts
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
SET p.verdict = row.verdict;

// name: empty
MATCH (n)
WITH n LIMIT 2000
DETACH DELETE n
RETURN count(*) AS nodes;

// name: sizes
MATCH (p:Page)
RETURN count(p) AS pages;

// Reading a graph back, to compare it with the record or to make the record again.

// name: counts
OPTIONAL MATCH (p:Page)
WITH count(p) AS pages
OPTIONAL MATCH (:Page)-[l:LINKS_TO]->(:Page)
WITH pages, count(l) AS links
OPTIONAL MATCH (:Page)-[m:MENTIONS]->(:Concept)
RETURN pages, links, count(m) AS mentions;

// name: addresses
MATCH (p:Page)
RETURN p.url AS url;

// All rows of a part are one list, because each row of an answer costs ten times as much to read as an item of a list.

// name: pages_of
UNWIND $urls AS url
MATCH (p:Page {url: url})
RETURN collect(properties(p)) AS rows;

// name: ways_of
UNWIND $urls AS url
MATCH (p:Page {url: url})
RETURN collect({url: url, parent: head([(p)-[:DISCOVERED_FROM]->(q) | q.url]),
  copy_of: head([(p)-[:COPY_OF]->(q) | q.url])}) AS rows;

// name: links_of
UNWIND $urls AS url
MATCH (p:Page {url: url})-[l:LINKS_TO]->(target:Page)
RETURN collect([url, target.url, properties(l)]) AS rows;

// name: mentions_of
UNWIND $urls AS url
MATCH (p:Page {url: url})-[m:MENTIONS]->(c:Concept)
RETURN collect([url, c.iri, properties(m)]) AS rows;

// name: all_crawl
MATCH (c:Crawl)
RETURN properties(c) AS set;

// name: all_seeds
MATCH (:Crawl)-[:SEED]->(p:Page)
RETURN p.url AS url;

// name: all_sites
MATCH (s:Site)
RETURN properties(s) AS set;

// name: all_concepts
MATCH (c:Concept)
RETURN properties(c) AS set;

// name: all_traps
MATCH (t:Trap)
RETURN properties(t) AS set;

// name: all_narrower
MATCH (c:Concept)-[:NARROWER]->(d:Concept)
RETURN c.iri AS iri, d.iri AS narrower;
