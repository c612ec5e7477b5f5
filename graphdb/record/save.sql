-- One batch, in one transaction.

-- name: last_page
SELECT coalesce(max(id), 0) FROM pages;

-- name: save_site
INSERT INTO sites (host, delay, robots, away) VALUES (:host, :delay, :robots, :away)
ON CONFLICT (host) DO UPDATE SET
  delay = coalesce(excluded.delay, delay),
  robots = coalesce(excluded.robots, robots),
  away = coalesce(excluded.away, away);

-- name: set_parent
UPDATE pages SET parent = ? WHERE id = ?;

-- Why a page that waits and now ends was chosen: the reasons of its last priority, unless the batch has others.

-- name: keep_chosen
UPDATE pages SET chosen = coalesce(:chosen, reasons) WHERE url = :url AND status = 'queued';

-- name: forget_links
DELETE FROM links WHERE source = ?;

-- name: forget_mentions
DELETE FROM found_mentions WHERE page = ?;

-- name: forget_content
DELETE FROM contents WHERE page = ?;

-- name: forget_laid_aside
DELETE FROM laid_aside WHERE page = ?;

-- name: lay_aside
INSERT OR REPLACE INTO laid_aside (page, bytes) SELECT id, ?2 FROM pages WHERE url = ?1 AND status = 'queued';

-- A person has put a host's links first, or not any more.

-- name: raise_host
UPDATE pages SET priority = priority + ?2 WHERE status = 'queued' AND host = ?1;

-- name: add_link
INSERT INTO links (source, target, anchor, context, priority, position, reasons) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: add_content
INSERT INTO contents (page, content) VALUES (?, ?);

-- name: add_parts
INSERT INTO parts (page, texts, own) VALUES (?, ?, ?);

-- name: forget_mention
DELETE FROM found_mentions WHERE page = ? AND concept = (SELECT id FROM concepts WHERE iri = ?);

-- name: add_concept
INSERT INTO concepts (iri) VALUES (?) ON CONFLICT (iri) DO NOTHING;

-- name: add_mention
INSERT OR REPLACE INTO found_mentions (page, concept, count, weight, "where", places)
SELECT :page, id, :count, :weight, :where, :places FROM concepts WHERE iri = :concept;

-- Marks the ways from results (a list of numbers) back to their seeds. It stops where a page is marked already, so each
-- page is looked at once.

-- name: mark_paths
WITH RECURSIVE way (page) AS (
  SELECT pages.id FROM json_each(?) AS result JOIN pages ON pages.id = result.value WHERE pages.on_path IS NULL
  UNION
  SELECT parents.id
  FROM way JOIN pages ON pages.id = way.page JOIN pages AS parents ON parents.id = pages.parent
  WHERE parents.on_path IS NULL
)
UPDATE pages SET on_path = 1 WHERE id IN (SELECT page FROM way);

-- name: set_copy
UPDATE pages SET copy_of = ? WHERE id = ?;

-- A former page that has become a copy keeps the links by which other pages were found, and its copies become copies of
-- the other page.

-- name: forget_unfollowed_links
DELETE FROM links
WHERE source = ?1 AND target NOT IN (
  SELECT pages.id FROM links JOIN pages ON pages.id = links.target WHERE links.source = ?1 AND pages.parent = ?1
);

-- name: move_copies
UPDATE pages SET copy_of = ? WHERE copy_of = ?;

-- Removes a page's mark as being on a path to a result, if it is not a result and no page found on it has the mark.

-- name: unmark_path
UPDATE pages SET on_path = NULL
WHERE id = ?1 AND on_path AND NOT coalesce(leads, 0)
  AND NOT EXISTS (SELECT 1 FROM pages AS found WHERE found.parent = ?1 AND found.on_path);

-- name: parent
SELECT parent FROM pages WHERE id = ?;
