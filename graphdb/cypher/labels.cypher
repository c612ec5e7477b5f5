// Labels by which Neo4j Browser colours pages, beside :Page. The embedded engine keeps one label a node: only Neo4j has
// these. They are set with what they follow from, in the same transaction.

// name: label_pages
UNWIND $urls AS url
MATCH (p:Page {url: url})
WITH p, EXISTS { (:Crawl)-[:SEED]->(p) } AS is_seed, EXISTS { (p)-[:COPY_OF]->(:Page) } AS is_copy
FOREACH (_ IN CASE WHEN p.on_topic THEN [1] ELSE [] END | SET p:OnTopic)
FOREACH (_ IN CASE WHEN p.on_topic THEN [] ELSE [1] END | REMOVE p:OnTopic)
FOREACH (_ IN CASE WHEN p.status = 'queued' THEN [1] ELSE [] END | SET p:Waiting)
FOREACH (_ IN CASE WHEN p.status = 'queued' THEN [] ELSE [1] END | REMOVE p:Waiting)
FOREACH (_ IN CASE WHEN p.kind = 'listing' THEN [1] ELSE [] END | SET p:Listing)
FOREACH (_ IN CASE WHEN p.kind = 'listing' THEN [] ELSE [1] END | REMOVE p:Listing)
FOREACH (_ IN CASE WHEN is_seed THEN [1] ELSE [] END | SET p:Seed)
FOREACH (_ IN CASE WHEN is_seed THEN [] ELSE [1] END | REMOVE p:Seed)
FOREACH (_ IN CASE WHEN is_copy THEN [1] ELSE [] END | SET p:Copy)
FOREACH (_ IN CASE WHEN is_copy THEN [] ELSE [1] END | REMOVE p:Copy);

// Whether a store has been written by a version that knew no labels.

// name: unlabelled
MATCH (:Crawl)-[:SEED]->(p:Page)
WHERE NOT p:Seed
RETURN p.url AS url
LIMIT 1;

// Its pages, seeds last: where this breaks off, they still tell that it is to be done.

// name: pages
MATCH (p:Page)
RETURN p.url AS url
ORDER BY EXISTS { (:Crawl)-[:SEED]->(p) };
