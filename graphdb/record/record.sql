-- The stored pages, read back.

-- Addresses that ended: pages in the order of fetching, copies, then what was not a page.

-- name: ended
SELECT id, status FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND coalesce(ended_after, 0) > ?
ORDER BY status <> 'fetched', "order" IS NULL, "order", url;

-- name: page
SELECT pages.url, pages.status, pages.http_status, pages."order", pages.title, pages.language, pages.reasons,
  contents.content, pages.depth, originals.url AS copy_of, pages.relevance,
  pages.on_topic, pages.verdict, pages.kind
FROM pages
  LEFT JOIN contents ON contents.page = pages.id
  LEFT JOIN pages AS originals ON originals.id = pages.copy_of
WHERE pages.id = ?;

-- Until when the strategy's memory is complete; no row if it has none.

-- name: remembered_until
SELECT seconds FROM memory;

-- name: links
SELECT pages.url, links.anchor, links.context, links.priority, links.position
FROM links JOIN pages ON pages.id = links.target
WHERE links.source = ?
ORDER BY links.position, pages.url;

-- name: mentions
SELECT concepts.iri, count, found_mentions.weight, "where", places
FROM found_mentions JOIN concepts ON concepts.id = found_mentions.concept
WHERE page = ?;

-- What some page says, and which parts of it are its own text.

-- name: content
SELECT content, own
FROM pages JOIN contents ON contents.page = pages.id LEFT JOIN parts ON parts.page = pages.id
WHERE url = ?;

-- The crawl and its progress, by which a change is noticed.

-- name: crawl
SELECT id, strategy, pages, requests FROM crawl;

-- name: seeds
SELECT url FROM pages WHERE is_seed ORDER BY "order" NULLS LAST, url;

-- Addresses without an answer. In three parts, so that the rows of waiting pages are not read.

-- name: unrecorded
SELECT (SELECT count(*) FROM pages WHERE status = 'queued')
  + (SELECT count(*) FROM pages WHERE depth IS NULL AND status = 'refused')
  + (SELECT count(*) FROM pages WHERE depth IS NOT NULL AND status <> 'queued' AND http_status IS NULL) AS addresses;

-- name: textless
SELECT count(*) AS pages FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND id NOT IN (SELECT page FROM contents);
