// Merging the crawl of another store into this one.

// The source as a tree: how pages were found, and of which pages they are copies.

// name: tree
MATCH (p:Page)
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
OPTIONAL MATCH (p)-[:COPY_OF]->(page:Page)
RETURN p.url AS url, p.status AS status, p.depth IS NOT NULL AS taken, p.order AS order, p.outside IS NOT NULL AS outside,
  parent.url AS parent, page.url AS copy_of;

// What the source has of some addresses ($urls).

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

// What the target knows of some addresses ($urls).

// name: state
UNWIND $urls AS url
MATCH (p:Page {url: url})
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
OPTIONAL MATCH (p)-[:COPY_OF]->(page:Page)
RETURN url, p.status AS status, p.depth AS depth, p.order AS order, p.outside AS outside, p.verdict AS verdict,
  parent.url AS parent, page.url AS copy_of;

// name: hosts
MATCH (s:Site)
RETURN s.host AS host;

// name: concepts
MATCH (c:Concept)
RETURN c.iri AS iri;

// Addresses out of the source's scope may be in the target's, and the reverse. With this scope, which no crawl has, the
// next run looks at all of them.

// name: begin
MATCH (c:Crawl)
SET c.writer = $writer, c.scope = 'merged';

// The links of the source by which pages ($urls) were found, and these links in the target.

// name: found_by
UNWIND $urls AS url
MATCH (p:Page {url: url})-[:DISCOVERED_FROM]->(parent:Page)
MATCH (parent)-[l:LINKS_TO]->(p)
RETURN url, parent.url AS parent, properties(l) AS set;

// name: join
UNWIND $rows AS row
MATCH (parent:Page {url: row.parent})
MATCH (p:Page {url: row.url})
MERGE (parent)-[l:LINKS_TO]->(p)
ON CREATE SET l += row.set;
