-- What `ontocrawl ontology coverage` reads.

-- Every concept of the ontology and those directly below it.

-- name: concepts
SELECT iri, coalesce(label, iri) AS label, weight, layer,
  (SELECT json_group_array(below.iri) FROM narrower JOIN concepts AS below ON below.id = narrower.narrower
   WHERE narrower.concept = concepts.id) AS "narrower [json]"
FROM concepts
WHERE gone IS NULL
ORDER BY iri;

-- For each concept: the pages that mention it, how many of them are on topic, the number of their hosts, and how many
-- were fetched after the page with a rank.

-- name: mentioned
SELECT concepts.iri, count(*) AS pages, count(*) FILTER (WHERE pages.on_topic) AS on_topic,
  count(DISTINCT pages.host) AS hosts, count(*) FILTER (WHERE pages."order" > :late) AS late
FROM mentions JOIN pages ON pages.id = mentions.page JOIN concepts ON concepts.id = mentions.concept
WHERE pages."order" IS NOT NULL
GROUP BY concepts.id;

-- The rank of the page fetched last.

-- name: last_rank
SELECT coalesce(max("order"), 0) AS last FROM pages WHERE depth IS NOT NULL AND status <> 'queued';
