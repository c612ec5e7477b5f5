-- A crawl's record for other programs, as tables. :which: 'all' pages, those that were 'fetched', or those that are
-- 'on-topic'. Links are exported if both of their pages are. (CROSS JOIN joins in the order written.)

-- name: pages
SELECT pages.url, pages.title, pages.status, pages.host, pages.language, pages.kind,
  coalesce(pages.on_topic, 0) AS "on_topic [bool]", pages.relevance, pages.verdict,
  pages.is_seed IS NOT NULL AS "seed [bool]", pages.depth, pages."order", pages.priority,
  parents.url AS discovered_from, originals.url AS copy_of, pages.canonical, pages.published, pages.modified,
  pages.dated_by, pages.author, pages.site_name, pages.reserved, pages.http_status, pages.fetched_at,
  pages.reasons AS "reasons [sentences]", pages.chosen AS "chosen [sentences]", contents.content, parts.own
FROM pages NOT INDEXED
  LEFT JOIN pages AS parents ON parents.id = pages.parent
  LEFT JOIN pages AS originals ON originals.id = pages.copy_of
  LEFT JOIN contents ON :with_text AND contents.page = pages.id
  LEFT JOIN parts ON :with_text AND parts.page = pages.id
WHERE :which = 'all' OR (pages.status = 'fetched' AND (:which = 'fetched' OR pages.on_topic));

-- name: links
SELECT sources.url AS source, targets.url AS target, links.anchor, links.context, links.priority, links.position
FROM links CROSS JOIN pages AS sources ON sources.id = links.source
  CROSS JOIN pages AS targets ON targets.id = links.target
WHERE :which = 'all' OR (
  sources.status = 'fetched' AND targets.status = 'fetched'
  AND (:which = 'fetched' OR (sources.on_topic AND targets.on_topic))
);

-- One page after another.

-- name: mentions
SELECT pages.url AS page, concepts.iri AS concept, concepts.label, mentions.count, mentions.weight,
  mentions."where" AS positions
FROM mentions CROSS JOIN pages ON pages.id = mentions.page CROSS JOIN concepts ON concepts.id = mentions.concept
WHERE :which = 'all' OR (pages.status = 'fetched' AND (:which = 'fetched' OR pages.on_topic))
ORDER BY mentions.page, mentions.concept;

-- The ontology's concepts, and those that have left it and are still mentioned.

-- name: concepts
SELECT iri, label, label_zh, label_en, names AS "names [json]", weight, layer, coalesce(gone, 0) AS "gone [bool]",
  (
    SELECT json_group_array(below.iri) FROM narrower JOIN concepts AS below ON below.id = narrower.narrower
    WHERE narrower.concept = concepts.id
  ) AS "narrower [json]"
FROM concepts;

-- name: sites
SELECT host, delay, robots, away FROM sites;

-- name: crawl
SELECT id, topic, ontology, strategy, started_at, pages, on_topic, requests, errors, seconds, copies, settings
FROM crawl;

-- When a page was fetched, if it is exported.

-- name: moment
SELECT fetched_at FROM pages
WHERE url = :url AND (:which = 'all' OR (status = 'fetched' AND (:which = 'fetched' OR on_topic)));
