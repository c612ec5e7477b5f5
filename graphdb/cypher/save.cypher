// One batch, in one transaction, in this order. `existing` finds out what is new, so that everything else is a plain
// CREATE, and a batch that is sent twice (because the answer to its commit was lost) changes nothing.

// Only the run that opened the crawl last may write; for any other run this returns no row. It is the first statement,
// because it locks the node, so that two runs wait for each other.

// name: save_crawl
MATCH (c:Crawl {writer: $writer})
SET c += $set
RETURN c.id AS id;

// The strategy's memory is stored in nodes of its own, in parts. On the crawl's node it would be rewritten with the
// totals of every batch.

// name: forget_memory
MATCH (m:Memory)
WHERE m.part >= $parts
DELETE m;

// name: put_memory
UNWIND $rows AS row
MERGE (m:Memory {part: row.part})
SET m.bytes = row.bytes, m.seconds = row.seconds;

// `taken`: queued or ended. The others are targets of discarded links, without depth. The result has only two rows,
// because sending a row costs more than finding a page.

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

// New waiting pages, grouped by the page of this batch that links to them. Creating a page with its two relations and
// single properties in one CREATE costs a third of setting and relating them afterwards (measured). `WITH` drops the rest
// of the row: a store that buffers all rows would otherwise buffer it once for each child.

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

// Pages that are out of scope and have not ended: they no longer wait.

// name: leave_out
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
WHERE p.status = 'queued' OR p.depth IS NULL
SET p += row.set;

// Pages that waited and have ended. `chosen` becomes the reasons of their last priority, unless the batch has others.

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

// name: forget_some_mentions
UNWIND $rows AS row
MATCH (p:Page {url: row.url})-[r:MENTIONS]->(c:Concept)
WHERE c.iri IN row.concepts
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

// Marks pages that are on a path from a result back to its seed, and returns the pages that they were found on, which
// are marked next. A page that is marked already is left out, so each page is looked at once. (A pattern of any length,
// `*0..`, looks at all pages back to the seed for each result: minutes where paths have hundreds of pages.)

// name: mark_path
UNWIND $urls AS url
MATCH (p:Page {url: url})
WHERE p.on_path IS NULL
SET p.on_path = true
WITH p
MATCH (p)-[:DISCOVERED_FROM]->(parent:Page)
WHERE parent.on_path IS NULL
RETURN DISTINCT parent.url AS url;

// name: add_copies
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (page:Page {url: row.copy_of})
MERGE (p)-[:COPY_OF]->(page);

// Turns a former page into a copy of another one with the same text: it keeps the links by which other pages were found,
// and its copies become copies of the other page.

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

// Removes a page's mark as being on a path to a result, if it is not a result and no page found on it has the mark.

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
