-- What `ontocrawl demo` asks about its crawl of the web about tea.

-- The ten best articles and their reasons; listings only lead to such pages.

-- name: best
SELECT url, title, relevance, reasons AS "reasons [reasons]" FROM pages
WHERE on_topic AND kind = 'article'
ORDER BY relevance DESC, url
LIMIT 10;

-- The pages that mention one concept of the ontology most, its narrower concepts included.

-- name: concept
WITH RECURSIVE named (concept, steps) AS (
  SELECT id, 0 FROM concepts WHERE 'oolong' IN (SELECT value FROM json_each(names))
  UNION ALL
  SELECT narrower.narrower, steps + 1 FROM named JOIN narrower ON narrower.concept = named.concept WHERE steps < 2
)
SELECT pages.title AS page, sum(mentions.count) AS mentions, json_group_array(DISTINCT concepts.label) AS "names [json]"
FROM named
  JOIN mentions ON mentions.concept = named.concept
  JOIN pages ON pages.id = mentions.page
  JOIN concepts ON concepts.id = named.concept
WHERE pages.on_topic
GROUP BY pages.title
ORDER BY sum(mentions.count) DESC, pages.title
LIMIT 5;

-- The longest path from a seed to a page on topic: it may lead through pages off topic.

-- name: way
WITH RECURSIVE up (page, step, length) AS (
  SELECT id, id, 0 FROM pages WHERE on_topic
  UNION ALL
  SELECT up.page, pages.parent, length + 1 FROM up JOIN pages ON pages.id = up.step WHERE pages.parent IS NOT NULL
), longest (page, length) AS (
  SELECT up.page, length
  FROM up JOIN pages AS seeds ON seeds.id = up.step JOIN pages AS results ON results.id = up.page
  WHERE seeds.is_seed AND length > 0
  ORDER BY length DESC, results.relevance DESC
  LIMIT 1
)
SELECT pages.url AS step, pages.status, pages.relevance
FROM longest JOIN up ON up.page = longest.page AND up.length <= longest.length JOIN pages ON pages.id = up.step
ORDER BY up.length DESC;

-- Concepts that no page mentions: their pages were not found yet, or they need other words in the ontology.

-- name: unmentioned
SELECT label AS concept, iri FROM concepts
WHERE id NOT IN (SELECT concept FROM mentions)
ORDER BY label
LIMIT 8;
