-- What `ontocrawl status` reads. A column `x [bool]` or `x [json]` becomes a Python value of that kind.
-- The conditions on `depth` and `status` are those of the indexes in schema.sql, which SQLite uses only if it finds the
-- same words.

-- name: crawl
SELECT ontology, topic, strategy, started_at, pages, on_topic, requests, errors, inversions, seconds, copies, settings
FROM crawl;

-- The number of pages with each status, with each kind if they are on topic, and out of scope by each option that says
-- so. In three parts, so that the rows of waiting pages, which are most, are not read.

-- name: addresses
SELECT status, on_topic AS "on_topic [bool]", kind, why, sum(pages) AS pages
FROM (
  SELECT 'queued' AS status, 0 AS on_topic, NULL AS kind, NULL AS why, count(*) AS pages
  FROM pages WHERE status = 'queued'
  UNION ALL
  SELECT status, 0, NULL, outside, count(*)
  FROM pages WHERE depth IS NULL AND status = 'refused'
  GROUP BY outside
  UNION ALL
  SELECT status, coalesce(on_topic, 0), kind, outside, count(*)
  FROM pages WHERE depth IS NOT NULL AND status <> 'queued'
  GROUP BY status, coalesce(on_topic, 0), kind, outside
)
WHERE pages > 0
GROUP BY status, on_topic, kind, why;

-- The pages that are counted and can be no results: they ask not to be one (`hidden`), or are error pages.

-- name: no_results
SELECT count(*) FILTER (WHERE kind IS NOT 'error') AS hidden, count(*) FILTER (WHERE kind = 'error') AS error_pages
FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND "order" IS NOT NULL
  AND id NOT IN (SELECT page FROM contents);

-- The hosts with pages that are reserved for text and data mining, by the page itself, its header, or the origin's files.

-- name: reserved
SELECT host, count(*) AS pages FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND reserved IS NOT NULL
GROUP BY host
ORDER BY pages DESC, host;

-- How many pages need scripts that were not run, or were run in vain, with one of them; and how many scripts made.

-- name: scripts
SELECT script, count(*) AS pages, min(url) AS example FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND script IS NOT NULL
GROUP BY script;

-- What became of every address: how many there are of each sort, and one of them (`first`). One statement, so that each
-- is counted once, also while a crawl runs.
-- waiting: `what` is deep, banned, away (at the time :now), or waits; the first is the best.
-- not queued: only discarded links lead there; or `option` says that it is out of scope.
-- fetched: `what` is redirected, source (feed or sitemap), copy, noindex, result, script (needs one that was not run),
-- or the page's kind.
-- failed, refused: by reason.

-- name: ledger
SELECT 'waiting' AS "group", what, NULL AS option, NULL AS "reason [reasons]", pages,
  (SELECT url FROM pages WHERE id = best) AS first
FROM (
  SELECT CASE
      WHEN depth > :depth THEN 'deep'
      WHEN host IN (SELECT host FROM sites WHERE banned) THEN 'banned'
      WHEN host IN (SELECT host FROM sites WHERE away > :now) THEN 'away'
      ELSE 'waits'
    END AS what,
    count(*) AS pages, id AS best, max(priority)
  FROM pages WHERE status = 'queued'
  GROUP BY what
)
UNION ALL
SELECT 'not queued', CASE WHEN option IS NULL THEN 'discarded' ELSE 'outside' END, option, NULL, pages,
  (SELECT url FROM pages WHERE id = one)
FROM (
  SELECT outside AS option, count(*) AS pages, min(id) AS one FROM pages WHERE depth IS NULL AND status = 'refused'
  GROUP BY outside
)
UNION ALL
SELECT 'fetched', CASE
    WHEN status = 'redirected' THEN 'redirected'
    WHEN "order" IS NULL THEN CASE WHEN stale THEN 'copy' ELSE 'source' END
    WHEN kind = 'error' THEN kind
    WHEN NOT EXISTS (SELECT 1 FROM contents WHERE contents.page = pages.id) THEN 'noindex'
    WHEN CASE WHEN verdict IS NULL THEN on_topic ELSE verdict = 'good' END THEN 'result'
    WHEN script = 'needed' THEN 'script'
    ELSE coalesce(kind, 'article')
  END AS what,
  NULL, NULL, count(*), min(url)
FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status IN ('fetched', 'redirected')
GROUP BY what
UNION ALL
SELECT status, 'reason', NULL, json_array(json(json_remove(reasons ->> '$[0]', '$.evidence'))), count(*), min(url)
FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status IN ('failed', 'refused')
GROUP BY status, json_remove(reasons ->> '$[0]', '$.evidence');

-- The number of links behind traps as of the last run, and the first of the largest trap.

-- name: trapped
SELECT coalesce(sum(links), 0) AS pages, (SELECT first FROM traps ORDER BY links DESC LIMIT 1) AS first FROM traps;

-- The hosts with error pages, each with one of them.

-- name: error_pages
SELECT host, count(*) AS pages, min(url) AS example FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND kind = 'error'
GROUP BY host
ORDER BY pages DESC, host;

-- The number of waiting pages beyond the crawl's depth.

-- name: too_deep
SELECT count(*) AS pages FROM pages WHERE status = 'queued' AND depth > :depth;

-- Pages that may be results, grouped by relevance in steps of a thousandth: their number, two of their addresses, and
-- how many reach the threshold. (CAST cuts towards 0; floor is not in every SQLite.)

-- name: scale
SELECT CAST(relevance * 1000 AS INTEGER) - (relevance * 1000 < CAST(relevance * 1000 AS INTEGER)) AS part,
  count(*) AS pages, min(url) AS first, max(url) AS last,
  count(*) FILTER (WHERE relevance >= :threshold) AS reaching
FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND "order" IS NOT NULL AND relevance IS NOT NULL
  AND id IN (SELECT page FROM contents)
GROUP BY part;

-- What is shown about a page.

-- name: near
SELECT url, title, relevance, kind FROM pages WHERE url = :url;

-- The pages that will be fetched next: none that is deeper than the crawl's limit.

-- name: waiting
SELECT url, priority FROM pages
WHERE status = 'queued' AND depth <= :depth
ORDER BY priority DESC, found, url
LIMIT 3;

-- The hosts with the most pages on topic.

-- name: hosts
SELECT host, count(*) AS pages FROM pages WHERE on_topic
GROUP BY host
ORDER BY pages DESC, host
LIMIT 5;

-- The hosts with the most pages of which less than this share are on topic; at least so many pages each.

-- name: barren
SELECT host, count(*) AS pages, count(*) FILTER (WHERE on_topic) AS on_topic FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND "order" IS NOT NULL
GROUP BY host
HAVING count(*) >= :least AND count(*) FILTER (WHERE on_topic) < :share * count(*)
ORDER BY pages DESC, host
LIMIT 5;

-- The last pages fetched, without seeds: the priority with which each was chosen, and its relevance.

-- name: last
SELECT url, priority, relevance FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND "order" IS NOT NULL AND depth > 0
ORDER BY "order" DESC
LIMIT :most;

-- The same for an address.

-- name: places
SELECT url, priority, relevance FROM pages WHERE url = :url AND status = 'fetched';

-- The names of the ontology's concepts.

-- name: names
SELECT names AS "names [json]" FROM concepts WHERE names IS NOT NULL;

-- The anchors and contexts of links to a page.

-- name: said
SELECT url,
  (SELECT json_group_array(anchor) FROM (SELECT DISTINCT anchor FROM links WHERE target = pages.id LIMIT 20))
    AS "anchors [json]",
  (SELECT json_group_array(context) FROM (SELECT DISTINCT context FROM links WHERE target = pages.id LIMIT 20))
    AS "contexts [json]"
FROM pages
WHERE url = :url AND EXISTS (SELECT 1 FROM links WHERE target = pages.id);
