-- Which graphs are filled from the record, and what has changed since.

-- name: graph
SELECT id, filled FROM graphs WHERE name = ?;

-- name: servers
SELECT name FROM graphs WHERE name LIKE '%://%' ORDER BY name;

-- name: put_graph
INSERT OR REPLACE INTO graphs (name, id, filled) VALUES (?, ?, ?);

-- name: note_filled
UPDATE graphs SET filled = ? WHERE name = ?;

-- name: last_change
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0);

-- name: forget_changes
DELETE FROM changes WHERE id <= (SELECT min(filled) FROM graphs);

-- The last one of the next so many changes.

-- name: next_portion
SELECT max(id) FROM (SELECT id FROM changes WHERE id > ? AND id <= ? ORDER BY id LIMIT ?);

-- name: changed
SELECT DISTINCT kind, key FROM changes WHERE id > ? AND id <= ? ORDER BY kind, key;

-- The rows that a graph gets. Numbers of pages, and hosts, are given as one JSON list.

-- name: next_pages
SELECT id FROM pages WHERE id > ? ORDER BY id LIMIT ?;

-- name: pages
SELECT pages.* FROM json_each(?) AS wanted JOIN pages ON pages.id = wanted.value;

-- name: contents
SELECT page, content FROM json_each(?) AS wanted JOIN contents ON page = wanted.value;

-- name: ways
SELECT pages.url, parents.url AS parent, originals.url AS copy_of, pages.is_seed
FROM json_each(?) AS wanted JOIN pages ON pages.id = wanted.value
  LEFT JOIN pages AS parents ON parents.id = pages.parent
  LEFT JOIN pages AS originals ON originals.id = pages.copy_of;

-- name: links
SELECT sources.url AS source, targets.url AS target, anchor, context, links.priority, position, links.reasons
FROM json_each(?) AS wanted JOIN links ON links.source = wanted.value
  JOIN pages AS sources ON sources.id = links.source
  JOIN pages AS targets ON targets.id = links.target;

-- name: mentions
SELECT pages.url, iri, count, mentions.weight, "where"
FROM json_each(?) AS wanted JOIN mentions ON mentions.page = wanted.value
  JOIN pages ON pages.id = mentions.page
  JOIN concepts ON concepts.id = mentions.concept;

-- name: sites
SELECT sites.* FROM json_each(?) AS wanted JOIN sites ON host = wanted.value;

-- name: next_sites
SELECT host FROM sites WHERE host > ? ORDER BY host LIMIT ?;

-- name: concepts
SELECT iri, label, label_zh, label_en, names, weight, layer, gone FROM concepts;

-- name: narrower
SELECT above.iri AS iri, below.iri AS narrower
FROM narrower JOIN concepts AS above ON above.id = narrower.concept
  JOIN concepts AS below ON below.id = narrower.narrower;

-- name: traps
SELECT * FROM traps;

-- name: crawl
SELECT * FROM crawl;

-- All marks.

-- name: verdicts
SELECT id, url, verdict FROM pages WHERE verdict IS NOT NULL;
