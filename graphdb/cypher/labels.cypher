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

// Pages as a copy writes them: with their labels at once, which costs less than setting them afterwards.

// name: put_waiting_pages
UNWIND $rows AS row
MATCH (s:Site {host: row[3]})
CREATE (p:Page:Waiting {
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
SET p += row
FOREACH (_ IN CASE WHEN row.on_topic THEN [1] ELSE [] END | SET p:OnTopic)
FOREACH (_ IN CASE WHEN row.status = 'queued' THEN [1] ELSE [] END | SET p:Waiting)
FOREACH (_ IN CASE WHEN row.kind = 'listing' THEN [1] ELSE [] END | SET p:Listing);

// name: put_copies
UNWIND $rows AS row
MATCH (p)
WHERE elementId(p) = row[0]
MATCH (page)
WHERE elementId(page) = row[1]
CREATE (p)-[:COPY_OF]->(page)
SET p:Copy;
