// From one store to another. Every write is a MERGE: a copy that broke off is simply made again.

// name: crawl
MATCH (c:Crawl)
RETURN properties(c) AS set, [(c)-[:SEED]->(p:Page) | p.url] AS seeds;

// name: sites
MATCH (s:Site)
RETURN s.host AS host, properties(s) AS set;

// name: concepts
MATCH (c:Concept)
RETURN c.iri AS iri, properties(c) AS set, [(c)-[:NARROWER]->(d:Concept) | d.iri] AS narrower;

// name: urls
MATCH (p:Page)
RETURN p.url AS url;

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
RETURN url, collect({concept: c.iri, set: properties(m)}) AS items;

// name: parents
UNWIND $urls AS url
MATCH (p:Page {url: url})-[:DISCOVERED_FROM]->(parent:Page)
RETURN url, parent.url AS parent;

// name: copies
UNWIND $urls AS url
MATCH (p:Page {url: url})-[:COPY_OF]->(page:Page)
RETURN url, page.url AS copy_of;

// name: put_crawl
UNWIND $rows AS row
MERGE (c:Crawl {id: row.set.id})
SET c += row.set;

// name: put_sites
UNWIND $rows AS row
MERGE (s:Site {host: row.host})
SET s += row.set;

// name: put_concepts
UNWIND $rows AS row
MERGE (c:Concept {iri: row.iri})
SET c += row.set;

// name: put_narrower
UNWIND $rows AS row
MATCH (c:Concept {iri: row.iri})
UNWIND row.narrower AS narrower
MATCH (d:Concept {iri: narrower})
MERGE (c)-[:NARROWER]->(d);

// name: put_pages
UNWIND $rows AS row
MERGE (p:Page {url: row.url})
SET p += row.set
WITH p, row
MATCH (s:Site {host: row.set.host})
MERGE (p)-[:ON_SITE]->(s);

// name: put_links
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.items AS item
MATCH (target:Page {url: item.url})
MERGE (p)-[l:LINKS_TO]->(target)
SET l += item.set;

// name: put_mentions
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.items AS item
MATCH (c:Concept {iri: item.concept})
MERGE (p)-[m:MENTIONS]->(c)
SET m += item.set;

// name: put_parents
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (parent:Page {url: row.parent})
MERGE (p)-[:DISCOVERED_FROM]->(parent);

// name: put_copies
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (page:Page {url: row.copy_of})
MERGE (p)-[:COPY_OF]->(page);

// name: put_seeds
UNWIND $rows AS row
MATCH (c:Crawl {id: row.set.id})
UNWIND row.seeds AS url
MATCH (p:Page {url: url})
MERGE (c)-[:SEED]->(p);
