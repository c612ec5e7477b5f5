-- What a resumed crawl must know. The conditions on `depth` and `status` are those of an index, which SQLite uses only if
-- it finds the same words.

-- The best waiting pages; all of them if $most is -1.

-- name: queued
SELECT pages.url, pages.priority, pages.depth, parents.url AS parent, pages.redirects, pages.reasons, pages.found
FROM pages LEFT JOIN pages AS parents ON parents.id = pages.parent
WHERE pages.status = 'queued'
ORDER BY pages.priority DESC, pages.found, pages.url
LIMIT ?;

-- All waiting pages, in no particular order. In the order of the file, because its pages are then read once.

-- name: waiting
SELECT pages.url, pages.priority, pages.depth, parents.url AS parent, pages.redirects, pages.found
FROM pages NOT INDEXED LEFT JOIN pages AS parents ON parents.id = pages.parent
WHERE pages.status = 'queued';

-- The addresses of all waiting pages, a few hundred in a list, as a graph gives them faster than one by one. In the
-- order of the file.

-- name: waiting_addresses
SELECT found / 500 AS part, json_group_array(url) AS "urls [json]" FROM pages NOT INDEXED WHERE status = 'queued'
GROUP BY part;

-- The queue in its order, by its index alone.

-- name: order
SELECT id, priority, found, depth, host FROM pages WHERE status = 'queued' ORDER BY priority DESC, found;

-- The waiting pages among these, a list of numbers.

-- name: waiting_by_number
SELECT pages.id, pages.url, pages.priority, pages.depth, parents.url AS parent, pages.redirects, pages.found
FROM json_each(?) AS wanted JOIN pages ON pages.id = wanted.value
  LEFT JOIN pages AS parents ON parents.id = pages.parent
WHERE pages.status = 'queued';

-- The waiting pages among these, a list of addresses.

-- name: waiting_by_address
SELECT pages.url, pages.priority, pages.depth, parents.url AS parent, pages.redirects, pages.found
FROM json_each(?) AS wanted JOIN pages ON pages.url = wanted.value
  LEFT JOIN pages AS parents ON parents.id = pages.parent
WHERE pages.status = 'queued';

-- What the strategy knows of these waiting pages, a list of addresses.

-- name: laid_aside
SELECT pages.url, laid_aside.bytes
FROM json_each(?) AS wanted JOIN pages ON pages.url = wanted.value JOIN laid_aside ON laid_aside.page = pages.id;

-- name: queue_size
SELECT count(*) AS waiting, max(found) AS found FROM pages WHERE status = 'queued';

-- name: known
SELECT url FROM pages WHERE depth IS NOT NULL AND status <> 'queued';

-- Addresses whose incoming links were all discarded.

-- name: discarded
SELECT url FROM pages WHERE depth IS NULL AND status = 'refused' AND outside IS NULL;

-- Addresses out of scope, and the option that says so.

-- name: outside
SELECT url, outside FROM pages WHERE depth IS NULL AND status = 'refused' AND outside IS NOT NULL;

-- For an address that no longer waits: its former priority, and the page that first queued it.

-- name: left
SELECT pages.id, pages.priority, pages.found, pages.redirects, parents.status, parents.depth
FROM pages LEFT JOIN pages AS parents ON parents.id = pages.parent
WHERE pages.url = ?;

-- The links to it that the strategy did not discard.

-- name: leading
SELECT sources.url, sources.status, sources.depth, links.priority, links.reasons
FROM links JOIN pages AS sources ON sources.id = links.source
WHERE links.target = ? AND links.priority IS NOT NULL;

-- Hosts whose Retry-After has not expired.

-- name: away
SELECT host, away FROM sites WHERE away > ?;

-- What is needed to recognise copies of pages, in the order of fetching.

-- name: fingerprints
SELECT url, fingerprint, "order", coalesce(on_topic, 0),
  status <> 'fetched' OR id NOT IN (SELECT page FROM contents), canonical, presents
FROM pages WHERE fingerprint IS NOT NULL
ORDER BY coalesce("order", 0), url;

-- Pages for the detection of traps, copies, feeds and sitemaps included; these have no `order` and count as stale.

-- name: visits
SELECT pages.url, parents.url, coalesce(pages.on_topic, 0), pages.stale IS NOT NULL OR pages."order" IS NULL,
  CASE WHEN pages."order" IS NULL THEN originals.url ELSE pages.url END, coalesce(pages.leads, 0)
FROM pages
  LEFT JOIN pages AS parents ON parents.id = pages.parent AND pages.leads
  LEFT JOIN pages AS originals ON originals.id = pages.copy_of
WHERE pages.depth IS NOT NULL AND pages.status <> 'queued' AND pages.status = 'fetched'
ORDER BY coalesce(pages.fetched_at, ''), pages.url;

-- name: failures
SELECT url FROM pages WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'failed';

-- The pages, without copies, and the concepts that they mention.

-- name: mentioned
SELECT pages.url, coalesce(pages.on_topic, 0) AS on_topic, concepts.iri, mentions."where"
FROM mentions JOIN pages ON pages.id = mentions.page JOIN concepts ON concepts.id = mentions.concept
WHERE pages."order" IS NOT NULL
ORDER BY mentions.page;
