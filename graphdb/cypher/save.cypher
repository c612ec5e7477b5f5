// One batch, in one transaction, in this order. `existing` decides what is new, so that everything else is a plain
// CREATE; and a batch that is sent a second time (the answer to its commit was lost) changes nothing.

// Only the run that opened the crawl last may write: another one finds nothing here. First, for its lock on the node:
// two runs at once wait for each other.

// name: save_crawl
MATCH (c:Crawl {writer: $writer})
SET c += $set
RETURN c.id AS id;

// What the strategy remembers stands in nodes of its own, in parts: on the crawl's node it would be written anew with
// the totals of every batch.

// name: forget_memory
MATCH (m:Memory)
WHERE m.part >= $parts
DELETE m;

// name: put_memory
MERGE (m:Memory {part: $part})
SET m.bytes = $bytes, m.seconds = $seconds;

// `taken`: queued or ended. The others are targets of links that the strategy discarded: no depth. Two rows, because
// to send a row costs more than to find a page.

// name: existing
UNWIND $urls AS url
MATCH (p:Page {url: url})
RETURN p.depth IS NOT NULL AS taken, collect(url) AS urls;

// name: save_sites
UNWIND $rows AS row
MERGE (s:Site {host: row.host})
SET s += row.set;

// name: add_pages
UNWIND $rows AS row
MATCH (s:Site {host: row.set.host})
CREATE (p:Page {url: row.url})-[:ON_SITE]->(s)
SET p += row.set;

// Pages that wait, by the page of this batch that shows them: a page and its two relations at one stroke, property by
// property, cost a third of what setting and relating them afterwards does. `WITH` leaves the rest of the row behind:
// a store that keeps all rows until the last is read would keep it once for each child.

// name: add_children
UNWIND $rows AS row
MATCH (parent:Page {url: row.url})
UNWIND row.items AS child
WITH parent, child
MATCH (s:Site {host: child.host})
CREATE (p:Page {
  url: child.url,
  status: child.status,
  host: child.host,
  depth: child.depth,
  priority: child.priority,
  redirects: child.redirects,
  found: child.found,
  reasons: child.reasons,
  shares: child.shares
})-[:ON_SITE]->(s),
(p)-[:DISCOVERED_FROM]->(parent);

// name: update_pages
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
SET p += row.set;

// Pages that are out of scope and have not ended: they wait no more.

// name: leave_out
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
WHERE p.status = 'queued' OR p.depth IS NULL
SET p += row.set;

// Pages that waited and have ended. Why they were chosen stays: what was last said of their place.

// name: end_pages
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
WITH p, row, CASE WHEN p.status = 'queued' THEN coalesce(row.chosen, p.reasons) ELSE p.chosen END AS chosen
SET p += row.set, p.chosen = chosen;

// name: add_parents
UNWIND $rows AS row
MATCH (parent:Page {url: row.url})
UNWIND row.items AS child
MATCH (p:Page {url: child.url})
CREATE (p)-[:DISCOVERED_FROM]->(parent);

// name: raise_pages
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
WHERE p.status = 'queued' AND p.priority < row.priority
SET p.priority = row.priority, p.reasons = row.reasons, p.shares = row.shares;

// What the strategy now makes of pages that wait, better or worse than before.

// name: revise_pages
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
WHERE p.status = 'queued'
SET p += row.set;

// name: forget_page
UNWIND $urls AS url
MATCH (p:Page {url: url})-[r:LINKS_TO|MENTIONS|COPY_OF]->()
DELETE r;

// name: forget_mentions
UNWIND $urls AS url
MATCH (p:Page {url: url})-[r:MENTIONS]->()
DELETE r;

// name: add_links
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.items AS link
MATCH (target:Page {url: link.url})
CREATE (p)-[:LINKS_TO {
  anchor: link.anchor,
  context: link.context,
  priority: link.priority,
  position: link.position,
  reasons: link.reasons
}]->(target);

// name: add_mentions
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.items AS mention
MERGE (c:Concept {iri: mention.concept})
CREATE (p)-[:MENTIONS {count: mention.count, weight: mention.weight, `where`: mention.where}]->(c);

// The way from each result back to its seed, as far as no earlier result has marked it.

// name: mark_paths
UNWIND $urls AS url
MATCH path = (:Page {url: url})-[:DISCOVERED_FROM*0..]->(p:Page)
WHERE none(step IN nodes(path) WHERE coalesce(step.on_path, false))
SET p.on_path = true;

// name: add_copies
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (page:Page {url: row.copy_of})
MERGE (p)-[:COPY_OF]->(page);

// A page of before gives way to another one ($copy_of) that has its text: it keeps the links by which others were found,
// and its copies are copies of the other now.

// name: become_copy
MATCH (p:Page {url: $url})
SET p += $set;

// name: forget_links
MATCH (p:Page {url: $url})-[r:LINKS_TO]->(target:Page)
WHERE NOT (target)-[:DISCOVERED_FROM]->(p)
DELETE r;

// name: free_copies
MATCH (copy:Page)-[r:COPY_OF]->(:Page {url: $url})
DELETE r
RETURN copy.url AS url;

// Marks a page as on no way to a result any more, where it is none and no page found on it is on one.

// name: unmark_path
MATCH (p:Page {url: $url})
WHERE p.on_path AND NOT coalesce(p.on_topic, false)
OPTIONAL MATCH (found:Page {on_path: true})-[:DISCOVERED_FROM]->(p)
WITH p, count(found) AS leads
WHERE leads = 0
SET p.on_path = null
WITH p
OPTIONAL MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
RETURN parent.url AS url;
