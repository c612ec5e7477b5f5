-- What `ontocrawl search` reads.

-- The crawl that the pages belong to, and what was merged into it.

-- name: crawl
SELECT id, '' AS merged FROM crawl;

-- Pages fetched since a time (ISO text), that one included.

-- name: since
SELECT url, fetched_at FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND "order" IS NOT NULL AND fetched_at >= :since;

-- The text of a page.

-- name: texts
SELECT url, title, fetched_at, content AS "content [base64]"
FROM pages JOIN contents ON contents.page = pages.id
WHERE url = :url;

-- What is shown about a page found, unless it has become a copy or is gone.

-- name: shown
SELECT url, title, relevance, on_topic AS "on_topic [bool]", kind FROM pages
WHERE url = :url AND status = 'fetched' AND "order" IS NOT NULL AND id IN (SELECT page FROM contents);

-- The concepts that a page mentions.

-- name: concepts
SELECT pages.url, concepts.label, mentions.weight, mentions.count
FROM pages JOIN mentions ON mentions.page = pages.id JOIN concepts ON concepts.id = mentions.concept
WHERE pages.url = :url;
