// Labels by which Neo4j Browser colours pages, in addition to :Page. The embedded engine stores only one label for a
// node, so only Neo4j has them. They are set in the same transaction as the properties that they follow from.

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

// Whether the store was written by a version without labels.

// name: unlabelled
MATCH (:Crawl)-[:SEED]->(p:Page)
WHERE NOT p:Seed
RETURN p.url AS url
LIMIT 1;

// Its pages, seeds last: if this is interrupted, the seeds still show that it is not complete.

// name: pages
MATCH (p:Page)
RETURN p.url AS url
ORDER BY EXISTS { (:Crawl)-[:SEED]->(p) };

// Waiting pages as a copy writes them: with their label at once, which costs less than setting it afterwards.

// name: put_waiting_pages
UNWIND $rows AS row
MATCH (s:Site {host: row.set.host})
CREATE (p:Page:Waiting {
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
