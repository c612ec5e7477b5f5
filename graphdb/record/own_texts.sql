-- What pages say themselves (`graphdb/record/own_texts.py`).

-- The parts of all pages, one host after another.

-- name: parts
SELECT pages.host, parts.page, parts.texts, parts.own
FROM parts CROSS JOIN pages ON pages.id = parts.page
WHERE pages."order" IS NOT NULL
ORDER BY pages.host;

-- name: pages
SELECT count(*) FROM parts;

-- name: set_own
UPDATE parts SET own = ? WHERE page = ?;

-- name: outdate_index
DELETE FROM indexed WHERE page = ?;

-- name: own_parts
SELECT own FROM parts WHERE page = ?;

-- name: places
SELECT concept, "where", places FROM found_mentions WHERE page = ? AND places IS NOT NULL;

-- name: set_count
UPDATE found_mentions SET count = ?, "where" = ? WHERE page = ? AND concept = ?;
