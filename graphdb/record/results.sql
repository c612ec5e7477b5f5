-- The results of a crawl: pages on topic by the judge or by the expert's mark. Copies, feeds and sitemaps, pages that ask
-- not to be a result, and pages marked as bad or as a hub are none.

-- The results that fit, best first, with what they are counted by. What is NULL asks for nothing.
-- :site is a host; those below it fit, too. :language is the first part of a tag, in small letters. :concepts are numbers (JSON), and concepts below these fit, too.
-- :marked is good, none, or for what is no result bad or hub, whatever the judge says of these pages. :new: see `former_results`.

-- name: fitting
WITH RECURSIVE about (concept) AS (
  SELECT value FROM json_each(:concepts)
  UNION
  SELECT narrower.narrower FROM about JOIN narrower ON narrower.concept = about.concept
),
result AS (
  SELECT id, host, kind, language, verdict, relevance, "order" FROM pages
  WHERE on_topic AND coalesce(verdict, 'good') = 'good'
  UNION ALL
  SELECT id, host, kind, language, verdict, relevance, "order" FROM pages
  WHERE verdict IS NOT NULL AND CASE verdict WHEN 'good' THEN NOT coalesce(on_topic, 0) ELSE :marked IS verdict END
    AND status = 'fetched' AND "order" IS NOT NULL AND relevance IS NOT NULL
    AND EXISTS (SELECT 1 FROM contents WHERE contents.page = pages.id)
)
SELECT id, host, kind, language, verdict FROM result
WHERE (:marked IS NULL OR coalesce(verdict, 'none') = :marked)
  AND (:kind IS NULL OR kind = :kind)
  AND (:language IS NULL OR lower(language) = :language OR lower(language) LIKE :language || '-%')
  AND (:site IS NULL OR host = :site OR substr(host, -length(:site) - 1) = '.' || :site)
  AND (:new IS NULL OR id NOT IN (SELECT page FROM former_results))
  AND (:concepts IS NULL OR id IN (SELECT page FROM mentions WHERE concept IN (SELECT concept FROM about)))
ORDER BY relevance DESC, "order";

-- What is shown of one of them, with the concepts that it says most about.

-- name: shown
SELECT id, url, host, title, relevance, kind, language, published, author, site_name, fetched_at, verdict,
  reasons AS "reasons [reasons]", content, own,
  (SELECT json_group_array(label) FROM (
    SELECT coalesce(concepts.label, concepts.iri) AS label
    FROM mentions JOIN concepts ON concepts.id = mentions.concept
    WHERE mentions.page = pages.id
    ORDER BY mentions.weight DESC, mentions.count DESC, concepts.iri
    LIMIT 5
  )) AS "concepts [json]"
FROM pages LEFT JOIN contents ON contents.page = pages.id LEFT JOIN parts ON parts.page = pages.id
WHERE id = :page;

-- Their numbers by their addresses.

-- name: numbered
SELECT id FROM pages WHERE url = :url;

-- The pages among these (numbers as JSON) that mention each concept.

-- name: mentioning
SELECT concept, json_group_array(page) AS "pages [json]" FROM found_mentions INDEXED BY found_mentions_concept
WHERE count AND page IN (SELECT value FROM json_each(:among))
GROUP BY concept;

-- The concepts with all names, and the numbers of those directly below each.

-- name: concepts
SELECT id, iri, coalesce(label, iri) AS label, names AS "names [json]",
  (SELECT json_group_array(narrower) FROM narrower WHERE narrower.concept = concepts.id) AS "narrower [json]"
FROM concepts;

-- A run begins: what is a result now is no new one.

-- name: forget_former
DELETE FROM former_results;

-- name: note_former
INSERT INTO former_results
SELECT id, fingerprint FROM pages WHERE on_topic UNION SELECT id, fingerprint FROM pages WHERE verdict = 'good';

-- What the last run has changed: results that are new, results with another text, former results that are none now.

-- name: news
SELECT what, url, coalesce(title, '') AS title, relevance FROM (
  SELECT CASE
      WHEN former_results.page IS NULL THEN 'new'
      WHEN former_results.fingerprint IS NOT pages.fingerprint THEN 'changed'
    END AS what, pages.*
  FROM pages LEFT JOIN former_results ON former_results.page = pages.id
  WHERE CASE WHEN verdict IS NULL THEN on_topic ELSE verdict = 'good' END
  UNION ALL
  SELECT 'gone', pages.* FROM former_results JOIN pages ON pages.id = former_results.page
  WHERE NOT coalesce(on_topic, 0) AND verdict IS NOT 'good'
)
WHERE what IS NOT NULL
ORDER BY what = 'gone', what = 'changed', relevance DESC, url;
