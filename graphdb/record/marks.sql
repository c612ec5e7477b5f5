-- Pages that the expert has marked: `verdict` is 'good', 'bad' or 'hub'.

-- name: marked
SELECT url, verdict FROM pages WHERE verdict IS NOT NULL;

-- name: mark
UPDATE pages SET verdict = ? WHERE url = ? AND status = 'fetched';

-- By which ontology its pages were judged.

-- name: fingerprint
SELECT fingerprint FROM crawl;

-- Seeds of the crawl.

-- name: seeds
SELECT url FROM pages WHERE is_seed ORDER BY found NULLS LAST, url;

-- Whether an address is a fetched page.

-- name: known
SELECT url FROM pages WHERE url = :url AND status = 'fetched';

-- The judgement of each page that may be a result; `order`: of fetching.

-- name: verdicts
SELECT url, title, relevance, coalesce(on_topic, 0) AS "on_topic [bool]", verdict, kind, "order" FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND "order" IS NOT NULL AND relevance IS NOT NULL
  AND id IN (SELECT page FROM contents);

-- Wishes of other processes to the crawl that runs.

-- name: wish
INSERT INTO wishes (kind, value) VALUES (?, ?);

-- name: wishes
SELECT id, kind, value FROM wishes ORDER BY id;

-- name: forget_wishes
DELETE FROM wishes WHERE id <= ?;
