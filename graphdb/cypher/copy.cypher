// Copying one store to another, part by part. Each part is one transaction, which also stores in the target's crawl
// (`copying`) what is done. So an interrupted copy continues there, no part is written twice, and plain CREATE suffices.

// name: crawl
MATCH (c:Crawl)
RETURN properties(c) AS set, [(c)-[:SEED]->(p:Page) | p.url] AS seeds;

// name: copying
MATCH (c:Crawl)
RETURN c.copying AS copying;

// name: note
MATCH (c:Crawl)
SET c.copying = $copying;

// name: sites
MATCH (s:Site)
RETURN s.host AS host, properties(s) AS set;

// name: concepts
MATCH (c:Concept)
RETURN c.iri AS iri, properties(c) AS set, [(c)-[:NARROWER]->(d:Concept) | d.iri] AS narrower;

// name: traps
MATCH (t:Trap)
RETURN properties(t) AS set;

// Pages, with the ids by which everything else is read. `heavy`: a page with text; fewer of these are copied at once.

// name: addresses
MATCH (p:Page)
RETURN p.url AS url, elementId(p) AS id, p.content IS NOT NULL AS heavy;

// name: concept_ids
MATCH (c:Concept)
RETURN c.iri AS iri, elementId(c) AS id;

// All rows of a part are one list, because each row of an answer costs ten times as much to read as an item of a list.

// name: pages
UNWIND $ids AS id
MATCH (p)
WHERE elementId(p) = id
RETURN collect(properties(p)) AS rows;

// Values of pages and links by position: the names are in `graphdb.graph.copied_rows`, in this order. The number of
// properties, at the end, tells whether there are others.

// name: plain_pages
UNWIND $ids AS id
MATCH (p)
WHERE elementId(p) = id
RETURN collect([id, p.depth, p.found, p.host, p.priority, p.reasons, p.redirects, p.shares, p.status, p.url,
  size(keys(p))]) AS rows;

// name: plain_links
UNWIND $ids AS id
MATCH (p)
WHERE elementId(p) = id
MATCH (p)-[l:LINKS_TO]->(target:Page)
WITH id, collect([elementId(target), l.anchor, l.context, l.position, l.priority, l.reasons, size(keys(l))]) AS items
RETURN collect([id, items]) AS rows;

// name: links
UNWIND $ids AS id
MATCH (p)
WHERE elementId(p) = id
MATCH (p)-[l:LINKS_TO]->(target:Page)
WITH id, collect([elementId(target), properties(l)]) AS items
RETURN collect([id, items]) AS rows;

// name: mentions
UNWIND $ids AS id
MATCH (p)
WHERE elementId(p) = id
MATCH (p)-[m:MENTIONS]->(c:Concept)
WITH id, collect([elementId(c), properties(m)]) AS items
RETURN collect([id, items]) AS rows;

// name: parents
UNWIND $ids AS id
MATCH (p)
WHERE elementId(p) = id
MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN collect([id, elementId(parent)]) AS rows;

// name: copies
UNWIND $ids AS id
MATCH (p)
WHERE elementId(p) = id
MATCH (p)-[:COPY_OF]->(page:Page)
RETURN collect([id, elementId(page)]) AS rows;

// name: on_site
MATCH (:Page)-[r:ON_SITE]->(:Site)
RETURN count(r) AS relations;

// name: put_crawl
CREATE (c:Crawl)
SET c += $set;

// name: put_sites
UNWIND $rows AS row
CREATE (s:Site)
SET s += row.set;

// name: put_concepts
UNWIND $rows AS row
CREATE (c:Concept)
SET c += row.set;

// name: put_traps
UNWIND $rows AS row
CREATE (t:Trap)
SET t += row.set;

// name: put_narrower
UNWIND $rows AS row
MATCH (c:Concept {iri: row.iri})
UNWIND row.narrower AS narrower
MATCH (d:Concept {iri: narrower})
CREATE (c)-[:NARROWER]->(d);

// Pages that wait or were discarded. Creating them with single properties costs a third of setting these afterwards.

// name: put_plain_pages
UNWIND $rows AS row
MATCH (s:Site {host: row[3]})
CREATE (p:Page {
  depth: row[1],
  found: row[2],
  host: row[3],
  priority: row[4],
  reasons: row[5],
  redirects: row[6],
  shares: row[7],
  status: row[8],
  url: row[9]
})-[:ON_SITE]->(s);

// name: put_pages
UNWIND $rows AS row
MATCH (s:Site {host: row.host})
CREATE (p:Page {url: row.url})-[:ON_SITE]->(s)
SET p += row;

// Both ends of a relation are found by their ids, which costs half of looking up their addresses.

// name: put_plain_links
UNWIND $rows AS row
MATCH (p)
WHERE elementId(p) = row.id
UNWIND row.items AS item
MATCH (target)
WHERE elementId(target) = item[0]
CREATE (p)-[:LINKS_TO {anchor: item[1], context: item[2], position: item[3], priority: item[4], reasons: item[5]}]->
  (target);

// name: put_links
UNWIND $rows AS row
MATCH (p)
WHERE elementId(p) = row.id
UNWIND row.items AS item
MATCH (target)
WHERE elementId(target) = item[0]
CREATE (p)-[l:LINKS_TO]->(target)
SET l += item[1];

// name: put_mentions
UNWIND $rows AS row
MATCH (p)
WHERE elementId(p) = row.id
UNWIND row.items AS item
MATCH (c)
WHERE elementId(c) = item[0]
CREATE (p)-[m:MENTIONS]->(c)
SET m += item[1];

// name: put_parents
UNWIND $rows AS row
MATCH (p)
WHERE elementId(p) = row[0]
MATCH (parent)
WHERE elementId(parent) = row[1]
CREATE (p)-[:DISCOVERED_FROM]->(parent);

// name: put_copies
UNWIND $rows AS row
MATCH (p)
WHERE elementId(p) = row[0]
MATCH (page)
WHERE elementId(page) = row[1]
CREATE (p)-[:COPY_OF]->(page);

// name: put_seeds
MATCH (c:Crawl)
UNWIND $urls AS url
MATCH (p:Page {url: url})
CREATE (c)-[:SEED]->(p);

// name: empty
MATCH (n)
WITH n LIMIT 2000
DETACH DELETE n
RETURN count(*) AS nodes;
