-- What `ontocrawl report` reads beside `status`, `coverage`, `threshold` and `marks`.

-- The crawl in parts of so many pages, in the order of fetching: the results of each part, for pages that are not seeds
-- the sums of priority (`promise`) and relevance (`kept`), and when the part was saved.

-- name: curve
SELECT ("order" - 1) / :step AS part, count(*) AS pages, count(*) FILTER (WHERE on_topic) AS on_topic,
  sum(coalesce(relevance, 0.0)) AS relevance, count(*) FILTER (WHERE depth > 0) AS promised,
  sum(CASE WHEN depth > 0 THEN priority ELSE 0.0 END) AS promise,
  sum(CASE WHEN depth > 0 THEN coalesce(relevance, 0.0) ELSE 0.0 END) AS kept, max(ended_after) AS ended_after
FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND "order" IS NOT NULL
GROUP BY part;

-- For each host the numbers of pages fetched, on topic, waiting, and failed or refused. The one question that must look
-- at every address that waits: its host stands nowhere else.

-- name: sites
SELECT host, count("order") AS pages, count(*) FILTER (WHERE on_topic) AS on_topic,
  count(*) FILTER (WHERE status = 'queued') AS waiting,
  count(*) FILTER (WHERE status IN ('failed', 'refused')) AS in_vain
FROM pages NOT INDEXED
WHERE depth IS NOT NULL
GROUP BY host;

-- The number of pages in each language, and how many of them are on topic.

-- name: languages
SELECT coalesce(language, '') AS language, count(*) AS pages, count(*) FILTER (WHERE on_topic) AS on_topic FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND "order" IS NOT NULL
GROUP BY coalesce(language, '');

-- Addresses that gave no page, by reason.

-- name: in_vain
SELECT status, json_array(json(json_remove(reasons ->> '$[0]', '$.evidence'))) AS "reason [reasons]", count(*) AS pages,
  min(url) AS first
FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status IN ('failed', 'refused')
GROUP BY status, json_remove(reasons ->> '$[0]', '$.evidence');

-- The number of addresses whose incoming links were all discarded by the strategy.

-- name: left_out
SELECT count(*) AS pages FROM pages WHERE depth IS NULL AND status = 'refused';

-- A page with its text.

-- name: cards
SELECT url, reasons AS "reasons [reasons]", content, own, language, published
FROM pages LEFT JOIN contents ON contents.page = pages.id LEFT JOIN parts ON parts.page = pages.id
WHERE url = :url;
