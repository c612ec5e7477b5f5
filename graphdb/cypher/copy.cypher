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

// `heavy`: a page with text; fewer of these are copied at once.

// name: urls
MATCH (p:Page)
RETURN p.url AS url, p.content IS NOT NULL AS heavy;

// name: pages
UNWIND $urls AS url
MATCH (p:Page {url: url})
RETURN url, properties(p) AS set;

// name: links
UNWIND $urls AS url
MATCH (p:Page {url: url})-[l:LINKS_TO]->(target:Page)
RETURN url, collect({url: target.url, set: properties(l)}) AS items;

// name: mentions
UNWIND $urls AS url
MATCH (p:Page {url: url})-[m:MENTIONS]->(c:Concept)
RETURN url, collect({url: c.iri, set: properties(m)}) AS items;

// name: parents
UNWIND $urls AS url
MATCH (p:Page {url: url})-[:DISCOVERED_FROM]->(parent:Page)
RETURN url, parent.url AS other;

// name: copies
UNWIND $urls AS url
MATCH (p:Page {url: url})-[:COPY_OF]->(page:Page)
RETURN url, page.url AS other;

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
MATCH (s:Site {host: row.set.host})
CREATE (p:Page {
  url: row.set.url,
  status: row.set.status,
  host: row.set.host,
  depth: row.set.depth,
  priority: row.set.priority,
  redirects: row.set.redirects,
  found: row.set.found,
  reasons: row.set.reasons,
  shares: row.set.shares
})-[:ON_SITE]->(s);

// name: put_pages
UNWIND $rows AS row
MATCH (s:Site {host: row.set.host})
CREATE (p:Page {url: row.set.url})-[:ON_SITE]->(s)
SET p += row.set;

// name: put_plain_links
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.items AS item
MATCH (target:Page {url: item.url})
CREATE (p)-[:LINKS_TO {
  anchor: item.set.anchor,
  context: item.set.context,
  priority: item.set.priority,
  position: item.set.position,
  reasons: item.set.reasons
}]->(target);

// name: put_links
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.items AS item
MATCH (target:Page {url: item.url})
CREATE (p)-[l:LINKS_TO]->(target)
SET l += item.set;

// name: put_mentions
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.items AS item
MATCH (c:Concept {iri: item.url})
CREATE (p)-[m:MENTIONS]->(c)
SET m += item.set;

// name: put_parents
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (parent:Page {url: row.other})
CREATE (p)-[:DISCOVERED_FROM]->(parent);

// name: put_copies
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (page:Page {url: row.other})
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
