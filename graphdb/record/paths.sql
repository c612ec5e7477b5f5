-- The paths from seeds to results. INDEXED BY and CROSS JOIN (which joins in the order written) are there because SQLite
-- would otherwise go through all pages, or all links.

-- Which pages lie on a path to a page that leads (a result, or a listing that is on topic by all that it says), by the
-- current relevance of pages.

-- name: unmark_strays
WITH RECURSIVE way (page) AS (
  SELECT id FROM pages WHERE leads
  UNION
  SELECT pages.parent FROM way JOIN pages ON pages.id = way.page WHERE pages.parent IS NOT NULL
)
UPDATE pages SET on_path = NULL WHERE on_path AND id NOT IN (SELECT page FROM way);

-- name: mark_missed
WITH RECURSIVE way (page) AS (
  SELECT id FROM pages WHERE leads
  UNION
  SELECT pages.parent FROM way JOIN pages ON pages.id = way.page WHERE pages.parent IS NOT NULL
)
UPDATE pages SET on_path = 1 WHERE on_path IS NULL AND id IN (SELECT page FROM way);

-- name: results
SELECT count(*) FROM pages WHERE on_topic AND status = 'fetched';

-- Which links are behind traps is to be computed again.

-- name: outdate_traps
UPDATE traps SET outdated = 1;

-- The judgement of pages that may be results: no copies, feeds and sitemaps, and no noindex pages (no content).

-- name: set_threshold
UPDATE pages SET on_topic = relevance >= ?1,
  leads = relevance >= ?1 OR verdict = 'hub'
    OR (kind = 'listing' AND 2 * relevance / (1 + relevance) >= ?1)  -- it may be that of half of u
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND "order" IS NOT NULL AND relevance IS NOT NULL
  AND id IN (SELECT page FROM contents);

-- name: judged_on_topic
SELECT count(*) FROM pages INDEXED BY pages_on_topic
WHERE on_topic AND status = 'fetched' AND "order" IS NOT NULL AND relevance IS NOT NULL
  AND id IN (SELECT page FROM contents);

-- The pages to be requested again: results, seeds, and feeds and sitemaps (which have neither rank nor `stale`).

-- name: want
UPDATE pages SET wanted = 1
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched'
  AND (on_topic OR is_seed OR ("order" IS NULL AND stale IS NULL));

-- name: wanted
SELECT pages.url, pages."order", pages.priority, pages.depth, parents.url AS parent,
  coalesce(pages.relevance, 0.0) AS relevance, coalesce(pages.on_topic, 0) AS on_topic, pages.fingerprint, pages.etag, pages.last_modified
FROM pages LEFT JOIN pages AS parents ON parents.id = pages.parent
WHERE pages.wanted
ORDER BY coalesce(pages.relevance, 0.0) DESC, pages."order" IS NULL, pages."order", pages.url;

-- G_w of paper J, definition 5: the pages on the paths by which the crawl found its results, with the link by which each
-- was found. Only links that the strategy extracted, which have a priority: one that it discarded is no link of G_w.

-- name: on_path
SELECT pages.id, pages.url, coalesce(pages.leads, 0) AS leads, coalesce(pages.is_seed, 0) AS is_seed,
  links.anchor, links.context
FROM pages INDEXED BY pages_on_path
  LEFT JOIN links ON links.source = pages.parent AND links.target = pages.id
WHERE pages.on_path
ORDER BY pages.url;

-- name: links_on_path
SELECT links.source, links.target
FROM pages INDEXED BY pages_on_path
  CROSS JOIN links ON links.source = pages.id
  CROSS JOIN pages AS targets ON targets.id = links.target
WHERE pages.on_path AND targets.on_path AND links.priority IS NOT NULL;

-- The same for all paths: every page from which links lead to a result.

-- name: leading
WITH RECURSIVE leading (page) AS (
  SELECT id FROM pages WHERE leads AND on_path
  UNION
  SELECT links.source FROM leading JOIN links ON links.target = leading.page WHERE links.priority IS NOT NULL
)
SELECT pages.id, pages.url, coalesce(pages.leads, 0) AS leads, coalesce(pages.is_seed, 0) AS is_seed,
  links.anchor, links.context
FROM leading JOIN pages ON pages.id = leading.page
  LEFT JOIN links ON links.source = pages.parent AND links.target = pages.id
ORDER BY pages.url;

-- name: links_leading
WITH RECURSIVE leading (page) AS (
  SELECT id FROM pages WHERE leads AND on_path
  UNION
  SELECT links.source FROM leading JOIN links ON links.target = leading.page WHERE links.priority IS NOT NULL
)
SELECT links.source, links.target
FROM leading CROSS JOIN links ON links.target = leading.page
WHERE links.priority IS NOT NULL;

-- name: pages
SELECT pages FROM crawl;

-- Imported pages, which were not crawled: their links are taken for the way in which they were found. For each page
-- without a parent the first page, in the order of reading, that links to it. One fixed order means that there are no
-- cycles. (With max or min, SQLite takes the other columns from the row that has it.)

-- name: found_on
SELECT pages.id, links.source, min(sources."order")
FROM pages
  JOIN links ON links.target = pages.id
  JOIN pages AS sources ON sources.id = links.source
WHERE pages.depth IS NOT NULL AND pages.status <> 'queued' AND pages.parent IS NULL
  AND sources."order" IS NOT NULL AND (pages."order" IS NULL OR sources."order" < pages."order")
GROUP BY pages.id;

-- name: ended
SELECT id, depth, parent FROM pages
WHERE depth IS NOT NULL AND status <> 'queued'
ORDER BY "order" IS NULL, "order", url;

-- name: set_way
UPDATE pages SET parent = ?, depth = ? WHERE id = ?;

-- name: unseed
UPDATE pages SET is_seed = NULL WHERE is_seed AND parent IS NOT NULL AND depth IS NOT NULL AND status <> 'queued';

-- name: seeds
SELECT count(*) FROM pages WHERE is_seed;
