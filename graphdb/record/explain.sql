-- What `ontocrawl explain` reads about one page; nothing is recomputed.

-- One page by its address, the page it was found on, and the link between them.

-- name: page
SELECT pages.status, pages.depth, pages.title, pages."order", pages.priority, pages.relevance,
  pages.on_topic AS "on_topic [bool]", pages.reasons AS "reasons [reasons]", pages.http_status, pages.fetched_at,
  pages.chosen AS "chosen [reasons]", pages.found, parents.url AS parent, links.anchor, links.context,
  links.priority AS link_priority,
  CASE WHEN links.source IS NOT NULL THEN coalesce(links.reasons, '[]') END AS "link_reasons [reasons]",
  pages.reasons AS "shares [shares]", pages.kind, originals.url AS copy_of, pages.reserved,
  pages.script, pages.published, pages.modified, pages.dated_by, pages.author, pages.site_name
FROM pages
  LEFT JOIN pages AS parents ON parents.id = pages.parent
  LEFT JOIN links ON links.source = pages.parent AND links.target = pages.id
  LEFT JOIN pages AS originals ON originals.id = pages.copy_of
WHERE pages.url = :url;

-- Copies of a page.

-- name: copies
SELECT copies.url
FROM pages JOIN pages AS copies ON copies.copy_of = pages.id
WHERE pages.url = :url
ORDER BY copies.url
LIMIT 5;

-- The pages that link to a page, best link first, after those whose links were discarded (so Cypher sorts).

-- name: linking
SELECT sources.url, sources."order", links.anchor, links.priority, coalesce(links.reasons, '[]') AS "reasons [reasons]"
FROM pages JOIN links ON links.target = pages.id JOIN pages AS sources ON sources.id = links.source
WHERE pages.url = :url
ORDER BY links.priority DESC NULLS FIRST, sources.url
LIMIT 5;

-- The path from a page back to its seed, beginning with the page itself. (UNION, so that it ends in any case; its rows
-- come in the order in which they are found.)

-- name: way
WITH RECURSIVE way (page) AS (
  SELECT id FROM pages WHERE url = :url
  UNION
  SELECT pages.parent FROM way JOIN pages ON pages.id = way.page WHERE pages.parent IS NOT NULL
)
SELECT (SELECT json_group_array(pages.url) FROM way CROSS JOIN pages ON pages.id = way.page) AS "urls [json]"
FROM pages WHERE url = :url;

-- The concepts that a page mentions, largest weight first.

-- name: mentions
SELECT concepts.label, mentions.count, mentions.weight
FROM pages JOIN mentions ON mentions.page = pages.id JOIN concepts ON concepts.id = mentions.concept
WHERE pages.url = :url
ORDER BY mentions.weight DESC, mentions.count DESC, concepts.iri
LIMIT 10;

-- Known addresses of one host, to suggest one for a misspelled address. (0 is the character after /.)

-- name: same_host
SELECT url FROM pages
WHERE (url >= 'http://' || :host || '/' AND url < 'http://' || :host || '0')
  OR (url >= 'https://' || :host || '/' AND url < 'https://' || :host || '0')
LIMIT 5000;

-- The crawl's strategy, settings and size.

-- name: crawl
SELECT strategy, settings, pages, fingerprint FROM crawl;

-- The recorded judgement of a page, and its content.

-- name: judged
SELECT relevance, on_topic AS "on_topic [bool]", reasons AS "reasons [reasons]", content
FROM pages LEFT JOIN contents ON contents.page = pages.id
WHERE url = :url AND relevance IS NOT NULL;

-- The page with this text.

-- name: same_text
SELECT url FROM pages
WHERE fingerprint = :fingerprint AND relevance IS NOT NULL AND id IN (SELECT page FROM contents)
ORDER BY "order" NULLS LAST
LIMIT 1;

-- The number of waiting pages no deeper than a limit, and of those that come before a priority and rank of finding.

-- name: queue
SELECT count(*) AS waiting,
  count(*) FILTER (WHERE priority > :priority OR (priority = :priority AND found < :found)) AS before
FROM pages
WHERE status = 'queued' AND depth <= :depth;

-- The waiting page at one position of the queue, by the number of pages before it.

-- name: place
SELECT url, priority, reasons AS "shares [shares]" FROM pages
WHERE status = 'queued' AND depth <= :depth
ORDER BY priority DESC, found, url
LIMIT 1 OFFSET :before;

-- The pages on topic with the lowest relevance.

-- name: just_on_topic
SELECT relevance, reasons AS "shares [shares]" FROM pages WHERE on_topic
ORDER BY relevance, url
LIMIT 20;

-- The label of a concept.

-- name: captions
SELECT iri, label FROM concepts WHERE iri = :iri;

-- The status of an address.

-- name: known
SELECT url, status, on_topic AS "on_topic [bool]" FROM pages WHERE url = :url;
