-- Merging another record, attached as `other`, into this one: `main`. The statements between `theirs` and `numbers` are
-- executed in this order.

-- The crawl, and what new rows are numbered after.

-- name: ours
SELECT *, (SELECT coalesce(max(id), 0) FROM main.pages) AS last,
  (SELECT coalesce(max(found), 0) FROM main.pages WHERE status = 'queued') AS found
FROM main.crawl;

-- name: theirs
SELECT * FROM other.crawl;

-- Each page of the other record and what becomes of it. `fate`:
-- read: its outcome, its links and what it says are taken;
-- waits: it waits from now on;
-- raised: it waits already, and gets the better of both priorities;
-- stays: it has an outcome here, which stays;
-- none: nothing is taken of it, but there may be links to it.

-- name: make_compared
CREATE TEMP TABLE compared (
  source INTEGER PRIMARY KEY, -- its number in the other record
  page INTEGER NOT NULL,      -- its number here; a new one begins after the last page that was here
  fate TEXT,
  is_new INTEGER,             -- 1: was neither queued nor read here, so its way from a seed is that of the other record
  depth INTEGER,
  parent INTEGER,             -- number here
  copy_of INTEGER,            -- number here
  rank INTEGER,               -- of fetching
  chosen TEXT,                -- as it is known here
  verdict TEXT,               -- as it is known here
  is_seed INTEGER             -- 1: here
);

-- name: compare
INSERT INTO compared (source, page, fate, depth, parent, chosen, verdict, is_seed, is_new)
SELECT id, page, fate, depth, parent, chosen, verdict, is_seed, fate IN ('read', 'waits') AND NOT is_known
FROM (
  SELECT theirs.id, coalesce(ours.id, :last + theirs.id) AS page,
    CASE
      WHEN theirs.depth IS NULL THEN NULL
      WHEN theirs.status = 'queued' THEN
        CASE
          WHEN ours.outside IS NOT NULL THEN NULL
          WHEN ours.depth IS NULL THEN 'waits'
          WHEN ours.status = 'queued' THEN 'raised'
        END
      WHEN ours.depth IS NULL AND ours.outside IS NULL THEN 'read'
      WHEN theirs.status IN ('fetched', 'redirected') AND ours.status NOT IN ('fetched', 'redirected')
        AND ours."order" IS NULL THEN 'read'
      ELSE 'stays'
    END AS fate,
    coalesce(ours.depth, theirs.depth) AS depth, ours.parent,
    CASE ours.status WHEN 'queued' THEN ours.reasons ELSE ours.chosen END AS chosen,
    ours.verdict, ours.is_seed, ours.depth IS NOT NULL AS is_known
  FROM other.pages AS theirs LEFT JOIN main.pages AS ours ON ours.url = theirs.url
);

-- A way back from a page follows the other record until it meets a page that was known here. So no way is a circle.

-- name: find_parents
UPDATE compared SET parent = above.page
FROM other.pages AS theirs JOIN compared AS above ON above.source = theirs.parent
WHERE theirs.id = compared.source AND compared.is_new AND compared.parent IS NULL
  AND (above.fate IS NOT NULL OR above.page <= :last);

-- name: index_parents
CREATE INDEX temp.compared_parent ON compared (parent) WHERE is_new;

-- A page whose text this record has under another address becomes a copy of that page, unless that is no result: gone,
-- or not to be indexed. The first 16 signs of a fingerprint are the hash of the text.

-- name: find_same_texts
WITH texts AS (
  SELECT compared.source, compared.page, theirs."order" AS rank, substr(theirs.fingerprint, 1, 16) AS text
  FROM compared JOIN other.pages AS theirs ON theirs.id = compared.source
  WHERE compared.fate = 'read' AND theirs."order" IS NOT NULL AND theirs.fingerprint IS NOT NULL
),
originals AS (
  SELECT source, coalesce(
    (
      SELECT ours.id FROM main.pages AS ours INDEXED BY pages_fingerprint
      WHERE ours.fingerprint >= text AND ours.fingerprint < text || '!' AND ours.status = 'fetched'
        AND ours.id IN (SELECT page FROM main.contents)
      ORDER BY ours."order" DESC LIMIT 1
    ),
    first_value(page) OVER (PARTITION BY text ORDER BY rank)
  ) AS page
  FROM texts
)
UPDATE compared SET copy_of = originals.page
FROM originals
WHERE originals.source = compared.source AND originals.page <> compared.page;

-- What is a copy in the other record stays one; of the page that its original is a copy of here, if it is one.

-- name: find_copies
UPDATE compared SET copy_of = coalesce(original.copy_of, ours.copy_of, original.page)
FROM other.pages AS theirs
  JOIN compared AS original ON original.source = theirs.copy_of
  LEFT JOIN main.pages AS ours ON ours.id = original.page AND original.fate = 'stays'
WHERE theirs.id = compared.source AND compared.fate = 'read';

-- The rank of fetching goes on after the last one here, in the order of the other record.

-- name: rank
UPDATE compared SET rank = :pages + ranked.number
FROM (
  SELECT compared.source, row_number() OVER (ORDER BY theirs."order") AS number
  FROM compared JOIN other.pages AS theirs ON theirs.id = compared.source
  WHERE compared.fate = 'read' AND theirs."order" IS NOT NULL AND compared.copy_of IS NULL
) AS ranked
WHERE ranked.source = compared.source;

-- name: add_sites
INSERT OR IGNORE INTO main.sites (host, delay, robots, away) SELECT host, delay, robots, away FROM other.sites;

-- name: add_pages
INSERT OR REPLACE INTO main.pages (
  id, url, host, status, depth, priority, redirects, found, parent, reasons, chosen, http_status, fetched_at,
  ended_after, "order", title, language, canonical, fingerprint, presents, stale, relevance, on_topic, leads, kind,
  reserved, script, published, modified, dated_by, author, site_name, etag, last_modified, verdict, copy_of, is_seed
)
SELECT compared.page, url, host, status, compared.depth, priority, redirects,
  CASE status WHEN 'queued' THEN :found + coalesce(found, 0) END,
  compared.parent, reasons, coalesce(nullif(theirs.chosen, '[]'), compared.chosen, theirs.chosen), http_status, fetched_at,
  CASE WHEN status <> 'queued' THEN :seconds + coalesce(ended_after, 0) END,
  compared.rank, title, language, canonical, fingerprint, presents, stale, relevance, on_topic, leads, kind,
  reserved, script, published, modified, dated_by, author, site_name, etag, last_modified, coalesce(theirs.verdict, compared.verdict),
  compared.copy_of, compared.is_seed
FROM compared JOIN other.pages AS theirs ON theirs.id = compared.source
WHERE compared.fate IN ('read', 'waits');

-- name: strip_copies
UPDATE main.pages SET fingerprint = NULL, presents = NULL, kind = NULL, on_topic = 0, leads = 0, stale = 1, reasons = :copied
WHERE id IN (
  SELECT compared.page FROM compared JOIN other.pages AS theirs ON theirs.id = compared.source
  WHERE compared.copy_of IS NOT NULL AND theirs."order" IS NOT NULL
);

-- Counted again from the pages that were known here, and the seeds of the other record.

-- name: count_depths
WITH RECURSIVE way (page, depth, status) AS (
  SELECT id, depth, status FROM main.pages
  WHERE id IN (SELECT parent FROM compared WHERE is_new)
    AND id NOT IN (SELECT page FROM compared WHERE is_new AND parent IS NOT NULL)
  UNION ALL
  SELECT compared.page, coalesce(way.depth + (way.status <> 'redirected'), compared.depth), pages.status
  FROM way JOIN compared ON compared.parent = way.page AND compared.is_new
    JOIN main.pages ON pages.id = compared.page
)
UPDATE main.pages AS ours SET depth = way.depth FROM way WHERE ours.id = way.page;

-- name: raise
UPDATE main.pages AS ours SET priority = theirs.priority, reasons = theirs.reasons
FROM compared JOIN other.pages AS theirs ON theirs.id = compared.source
WHERE ours.id = compared.page AND compared.fate = 'raised' AND ours.priority < theirs.priority;

-- name: take_marks
UPDATE main.pages AS ours SET verdict = theirs.verdict
FROM other.pages AS theirs JOIN compared ON compared.source = theirs.id
WHERE theirs.verdict IS NOT NULL AND ours.id = compared.page AND ours.verdict IS NULL AND compared.fate = 'stays';

-- name: take_seeds
UPDATE main.pages SET is_seed = 1
WHERE id IN (SELECT compared.page FROM other.pages AS theirs JOIN compared ON source = theirs.id WHERE theirs.is_seed);

-- What a page that failed here had said before.

-- name: forget_links
DELETE FROM main.links WHERE source IN (SELECT page FROM compared WHERE fate = 'read' AND page <= :last);

-- name: forget_mentions
DELETE FROM main.found_mentions WHERE page IN (SELECT page FROM compared WHERE fate = 'read' AND page <= :last);

-- name: forget_contents
DELETE FROM main.contents WHERE page IN (SELECT page FROM compared WHERE fate = 'read' AND page <= :last);

-- Of a copy only the links by which other pages were found.

-- name: add_links
INSERT INTO main.links (source, target, anchor, context, priority, position, reasons)
SELECT compared.page, targets.page, anchor, context, links.priority, position, links.reasons
FROM compared CROSS JOIN other.links ON links.source = compared.source
  CROSS JOIN compared AS targets ON targets.source = links.target
WHERE compared.fate = 'read' AND (
  compared.copy_of IS NULL
  OR EXISTS (SELECT 1 FROM other.pages AS theirs WHERE theirs.id = links.target AND theirs.parent = links.source)
);

-- The link by which a page was found, where its parent stays as it is here.

-- name: join_pages
INSERT OR IGNORE INTO main.links (source, target, anchor, context, priority, position, reasons)
SELECT compared.parent, compared.page, anchor, context, links.priority, position, links.reasons
FROM compared
  JOIN other.pages AS theirs ON theirs.id = compared.source
  JOIN compared AS above ON above.source = theirs.parent AND above.page = compared.parent
  JOIN other.links ON links.source = theirs.parent AND links.target = theirs.id
WHERE compared.is_new AND above.fate = 'stays';

-- Addresses that links lead to, and that neither record has queued or read.

-- name: add_targets
INSERT INTO main.pages (id, url, host, status, reasons, outside)
SELECT compared.page, url, host, 'refused', reasons, outside
FROM compared JOIN other.pages AS theirs ON theirs.id = compared.source
WHERE compared.fate IS NULL AND compared.page > :last
  AND EXISTS (SELECT 1 FROM main.links WHERE links.target = compared.page);

-- name: add_mentions
INSERT INTO main.found_mentions (page, concept, count, weight, "where", places)
SELECT compared.page, concepts.id, count, found_mentions.weight, "where", places
FROM compared JOIN other.found_mentions ON found_mentions.page = compared.source
  JOIN other.concepts AS theirs ON theirs.id = found_mentions.concept
  JOIN main.concepts ON concepts.iri = theirs.iri
WHERE compared.fate = 'read' AND compared.copy_of IS NULL;

-- name: add_contents
INSERT INTO main.contents (page, content)
SELECT compared.page, content
FROM compared JOIN other.contents ON contents.page = compared.source
WHERE compared.fate = 'read' AND compared.copy_of IS NULL;

-- name: add_parts
INSERT INTO main.parts (page, texts, own)
SELECT compared.page, texts, own
FROM compared JOIN other.parts ON parts.page = compared.source
WHERE compared.fate = 'read' AND compared.copy_of IS NULL;

-- The numbers of what was done; on topic: of the new pages.

-- name: numbers
SELECT count(rank) AS pages, count(*) FILTER (WHERE fate = 'read' AND copy_of IS NOT NULL) AS copies,
  count(*) FILTER (WHERE fate = 'waits') AS waiting, count(*) FILTER (WHERE fate = 'stays') AS known,
  (SELECT count(*) FROM compared JOIN main.pages ON id = page WHERE rank IS NOT NULL AND on_topic) AS on_topic
FROM compared;

-- Addresses out of the other record's scope may be in this one's: with a scope that no crawl has, the next run looks at
-- all of them.

-- name: save_totals
UPDATE main.crawl SET scope = 'merged', pages = pages + :pages, on_topic = on_topic + :on_topic, copies = copies + :copies,
  requests = requests + :requests, errors = errors + :errors, inversions = inversions + :inversions,
  seconds = seconds + :seconds, merged = :merged;

-- name: drop_compared
DROP TABLE compared;
