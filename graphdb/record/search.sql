-- What `ontocrawl search` shows of the pages that the index of texts finds.

-- What is shown about a page found, unless it has become a copy or is gone.

-- name: shown
SELECT url, title, relevance, on_topic AS "on_topic [bool]", kind, published FROM pages
WHERE url = :url AND status = 'fetched' AND "order" IS NOT NULL AND id IN (SELECT page FROM contents);

-- The concepts that a page mentions.

-- name: concepts
SELECT pages.url, concepts.label, mentions.weight, mentions.count
FROM pages JOIN mentions ON mentions.page = pages.id JOIN concepts ON concepts.id = mentions.concept
WHERE pages.url = :url;
