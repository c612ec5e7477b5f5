-- What is told of a crawl that nobody goes on with: one of the lab, or of the one page of `ontocrawl try`.

-- Pages fetched, copies included, in their order, with the link by which each was found.

-- name: fetched
SELECT pages.url, pages.fetched_at, pages.priority, coalesce(pages.relevance, 0.0) AS relevance, pages.on_topic,
  pages.reasons, pages.chosen, pages.copy_of IS NOT NULL AS is_copy, links.anchor, links.reasons AS link_reasons,
  (SELECT json_group_array(concepts.iri) FROM mentions JOIN concepts ON concepts.id = mentions.concept
   WHERE mentions.page = pages.id) AS concepts
FROM pages LEFT JOIN links ON links.source = pages.parent AND links.target = pages.id
WHERE pages."order" IS NOT NULL OR pages.copy_of IS NOT NULL
ORDER BY pages.fetched_at, pages.url;

-- Addresses that gave no page, and why.

-- name: missed
SELECT url, status, depth, priority, outside, reasons FROM pages
WHERE status NOT IN ('fetched', 'redirected')
ORDER BY url;

-- name: page
SELECT pages.id, pages.status, pages.reasons, pages.http_status, coalesce(pages.title, '') AS title,
  coalesce(pages.kind, '') AS kind, pages.relevance, coalesce(pages.on_topic, 0) AS on_topic,
  pages.published, pages.modified, pages.dated_by, pages.author, pages.site_name, contents.content
FROM pages LEFT JOIN contents ON contents.page = pages.id
WHERE pages.url = ?;

-- The concepts that a page mentions, weightiest first.

-- name: mentions
SELECT coalesce(concepts.label, concepts.iri) AS label, mentions.count
FROM mentions JOIN concepts ON concepts.id = mentions.concept
WHERE mentions.page = ?
ORDER BY mentions.weight DESC, concepts.iri;
