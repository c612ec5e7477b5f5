-- Opening a crawl: reading what is stored, and updating the concepts to the current ontology.

-- name: crawl
SELECT * FROM crawl;

-- name: begin
INSERT INTO crawl (id, topic, ontology, fingerprint, strategy, settings, started_at)
VALUES (:id, :topic, :ontology, :fingerprint, :strategy, :settings, :started_at);

-- It keeps its id and the time of its beginning.

-- name: go_on
UPDATE crawl SET topic = :topic, ontology = :ontology, fingerprint = :fingerprint, strategy = :strategy,
  settings = :settings;

-- name: save_settings
UPDATE crawl SET settings = ?;

-- name: save_totals
UPDATE crawl SET pages = :pages, on_topic = :on_topic, requests = :requests, errors = :errors,
  inversions = :inversions, seconds = :seconds, copies = :copies, scope = coalesce(:scope, scope);

-- Totals of what was asked of servers, read before an import and set again after it.

-- name: requested
SELECT requests, inversions FROM crawl;

-- name: keep_requested
UPDATE crawl SET requests = ?, inversions = ?;

-- name: memory
SELECT bytes FROM memory;

-- name: forget_memory
DELETE FROM memory;

-- What the strategy knows of waiting pages is of no use to another one.

-- name: forget_laid_aside
DELETE FROM laid_aside;

-- name: put_memory
INSERT INTO memory (bytes, seconds) VALUES (?, ?);

-- name: concepts
SELECT iri, coalesce(label, iri) AS label, weight, layer, names, label_zh, label_en FROM concepts WHERE gone IS NULL;

-- name: save_concept
INSERT INTO concepts (iri, label, label_zh, label_en, names, weight, layer)
VALUES (:iri, :label, :label_zh, :label_en, :names, :weight, :layer)
ON CONFLICT (iri) DO UPDATE SET label = excluded.label, label_zh = excluded.label_zh, label_en = excluded.label_en,
  names = excluded.names, weight = excluded.weight, layer = excluded.layer, gone = NULL;

-- A concept that left the ontology stays, marked as gone, if pages mention it, because they were judged by it.

-- name: retire_concept
UPDATE concepts SET gone = 1, weight = NULL, layer = NULL, names = NULL, label_zh = NULL, label_en = NULL
WHERE iri = ?;

-- name: remove_concepts
DELETE FROM concepts WHERE gone AND id NOT IN (SELECT concept FROM found_mentions);

-- name: forget_narrower
DELETE FROM narrower;

-- name: add_narrower
INSERT OR IGNORE INTO narrower (concept, narrower)
SELECT above.id, below.id FROM concepts AS above, concepts AS below WHERE above.iri = ? AND below.iri = ?;

-- A seed that failed or was refused is tried again by the next run: without a depth it counts as never queued.

-- name: retry_seed
UPDATE pages SET depth = NULL, http_status = NULL, fetched_at = NULL, ended_after = NULL
WHERE url = ? AND status IN ('failed', 'refused');

-- name: save_seed
UPDATE pages SET is_seed = 1 WHERE url = ?;

-- name: forget_traps
DELETE FROM traps;

-- name: save_trap
INSERT INTO traps (name, kind, why, links, first) VALUES (:trap, :kind, :why, :links, :first);

-- Hosts that a person has banned or raised in the dashboard, for all runs.

-- name: hosts_wanted
SELECT host, coalesce(banned, 0) AS banned, coalesce(raised, 0.0) AS raised FROM sites
WHERE banned IS NOT NULL OR raised IS NOT NULL;

-- name: save_host
INSERT INTO sites (host, banned, raised) VALUES (:host, :banned, :raised)
ON CONFLICT (host) DO UPDATE SET banned = excluded.banned, raised = excluded.raised;

-- The number of pages in each language.

-- name: languages
SELECT language, count(*) AS pages FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND language IS NOT NULL
GROUP BY language;
