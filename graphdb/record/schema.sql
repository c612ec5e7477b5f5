-- The record of one crawl, as one SQLite file. Tables and columns have the graph's names (ARCHITECTURE.md, "The graph").
-- Times are ISO texts in UTC, lists and maps are JSON, a truth value is 1 or 0. What is unknown is NULL.
-- Reasons are a list of maps: `kind` (semantic/reasons.py has its sentence), what it adds to the score (`share`), the IRI
-- of a `concept`, `evidence` (texts, or maps like it), and other values by name. So the pages that robots.txt forbids:
--   SELECT url FROM pages, json_each(reasons) WHERE value ->> 'kind' = 'robots.txt'
-- REFERENCES are for readers: `PRAGMA foreign_keys` is off. It would cost 4 % and find only this program's own mistakes,
-- which its tests look for (`PRAGMA foreign_key_check`).

-- The crawl, in one row, with its totals over all runs.
CREATE TABLE crawl (
  id TEXT NOT NULL,
  topic TEXT NOT NULL,        -- IRI of the topic, or of the ontology
  ontology TEXT NOT NULL,     -- name of the file
  fingerprint TEXT NOT NULL,  -- hash of the file
  strategy TEXT NOT NULL,
  settings TEXT NOT NULL,     -- JSON
  started_at TEXT NOT NULL,
  pages INTEGER NOT NULL DEFAULT 0,
  on_topic INTEGER NOT NULL DEFAULT 0,
  requests INTEGER NOT NULL DEFAULT 0,
  errors INTEGER NOT NULL DEFAULT 0,
  inversions INTEGER NOT NULL DEFAULT 0,
  seconds REAL NOT NULL DEFAULT 0,  -- of crawling
  copies INTEGER NOT NULL DEFAULT 0,
  scope TEXT NOT NULL DEFAULT '',   -- the scope under which addresses wait
  merged TEXT                       -- map: the totals added of each crawl that was merged into this one
);

-- What the strategy remembers, in one row; complete up to this second of crawling.
CREATE TABLE memory (
  seconds REAL NOT NULL,
  bytes BLOB NOT NULL
);

-- What the strategy knows of waiting pages that a crawl has laid aside (`crawler.engine.waiting_links`): they are not in
-- its memory, and come back from here.
CREATE TABLE laid_aside (
  page INTEGER PRIMARY KEY REFERENCES pages,
  bytes BLOB NOT NULL
);

-- Every address that the crawl knows. `status`: queued, fetched, failed, refused or redirected. One to which only
-- discarded links lead, or that is out of scope, is refused and has no depth.
CREATE TABLE pages (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  host TEXT NOT NULL REFERENCES sites,
  status TEXT NOT NULL,
  depth INTEGER,                   -- links from the seed
  priority REAL,
  redirects INTEGER,               -- followed on the way to it, while it waits
  found INTEGER,                   -- rank of finding, while it waits
  parent INTEGER REFERENCES pages, -- the page that it was found on
  reasons TEXT,                    -- reasons: why it has its relevance; while it waits, its priority
  chosen TEXT,                     -- reasons: why it had its priority when it was fetched
  http_status INTEGER,
  fetched_at TEXT,
  ended_after REAL,                -- seconds of crawling
  "order" INTEGER,                 -- rank of fetching; none for copies, feeds and sitemaps
  title TEXT,
  language TEXT,
  canonical TEXT,                  -- as the page says
  fingerprint TEXT,                -- of its text
  presents TEXT,                   -- hash of the page that a heading of it links to
  stale INTEGER,                   -- 1: nothing in it was new
  relevance REAL,
  on_topic INTEGER,
  leads INTEGER,                   -- 1: on topic, marked as a hub, or a listing that is on topic by all that it says
  kind TEXT,                       -- article, listing or error
  reserved TEXT,                   -- by what it is reserved for text and data mining
  script TEXT,                     -- needed: its text needs scripts that were not run, or in vain; run: they made it
  published TEXT,                  -- day on which it was published, as it says: 2024-05-03
  modified TEXT,                   -- day of its last change after that, as it says
  dated_by TEXT,                   -- where `published` stands: meta, json-ld, url (canonical), or time, which is less sure
  author TEXT,                     -- as it says; several with commas between
  site_name TEXT,                  -- as it says
  etag TEXT,                       -- as the server sent it
  last_modified TEXT,              -- as the server sent it
  wanted INTEGER,                  -- 1: to be requested again
  outside TEXT,                    -- the option that excludes it from the crawl's scope
  on_path INTEGER,                 -- 1: on the way from a seed to a page that leads
  verdict TEXT,                    -- the expert's mark: good, bad or hub
  copy_of INTEGER REFERENCES pages,
  is_seed INTEGER                  -- 1
);

-- Partial indexes: each holds only the pages that its readers ask for. The one that every link touches is the queue; it
-- has the depth and the host, so that waiting pages are counted and chosen from without reading them. That of pages on
-- topic has all by which results are chosen and counted (without `on_topic` itself SQLite would read each page).
CREATE INDEX pages_queued ON pages (priority DESC, found, depth, host) WHERE status = 'queued';
CREATE INDEX pages_ended ON pages (status, "order") WHERE depth IS NOT NULL AND status <> 'queued';
CREATE INDEX pages_refused ON pages (outside) WHERE depth IS NULL AND status = 'refused';
CREATE INDEX pages_fingerprint ON pages (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX pages_on_topic ON pages (relevance, "order", host, kind, language, verdict, on_topic) WHERE on_topic;
CREATE INDEX pages_leads ON pages (relevance) WHERE leads;
CREATE INDEX pages_on_path ON pages (parent) WHERE on_path;
CREATE INDEX pages_wanted ON pages (relevance) WHERE wanted;
CREATE INDEX pages_verdict ON pages (verdict) WHERE verdict IS NOT NULL;
CREATE INDEX pages_copy_of ON pages (copy_of) WHERE copy_of IS NOT NULL;
CREATE INDEX pages_is_seed ON pages (is_seed) WHERE is_seed;

-- What a page says: text by position, links; compressed. Apart, so that going through pages reads no texts.
CREATE TABLE contents (
  page INTEGER PRIMARY KEY REFERENCES pages,
  content BLOB NOT NULL
);

-- Of which parts the text of a page consists (`semantic/parsing/repeated_blocks.py`): its blocks, and the title in
-- pieces. `own` is what the page says itself, without menus and what its site repeats.
CREATE TABLE parts (
  page INTEGER PRIMARY KEY REFERENCES pages,
  texts BLOB NOT NULL,  -- of each part: 4 bytes, a hash of its text; 1 byte, a score: 128 or more is own text by this page
  own BLOB NOT NULL     -- of each part: 1 byte, 1 for own text as far as its host was known when that was decided last
);

-- By far the largest table. The links of a page lie together; those to a page are found by the index.
CREATE TABLE links (
  source INTEGER NOT NULL REFERENCES pages,
  target INTEGER NOT NULL REFERENCES pages,
  anchor TEXT NOT NULL,
  context TEXT NOT NULL,
  priority REAL,              -- none: the strategy discarded the link
  position INTEGER NOT NULL,  -- on the page, from 0
  reasons TEXT,               -- none if there are none
  PRIMARY KEY (source, target)
) WITHOUT ROWID;
CREATE INDEX links_target ON links (target);

CREATE TABLE concepts (
  id INTEGER PRIMARY KEY,
  iri TEXT NOT NULL UNIQUE,
  label TEXT,     -- the name to show
  label_zh TEXT,
  label_en TEXT,
  names TEXT,     -- list: all names, in every language
  weight REAL,
  layer INTEGER,
  gone INTEGER    -- 1: no longer in the ontology, but pages mention it
);

-- `narrower` is directly below `concept`.
CREATE TABLE narrower (
  concept INTEGER NOT NULL REFERENCES concepts,
  narrower INTEGER NOT NULL REFERENCES concepts,
  PRIMARY KEY (concept, narrower)
) WITHOUT ROWID;

-- Which concepts were found in a page's text, in menus and what its site repeats, too: there `count` is 0.
CREATE TABLE found_mentions (
  page INTEGER NOT NULL REFERENCES pages,
  concept INTEGER NOT NULL REFERENCES concepts,
  count INTEGER NOT NULL, -- in the page's own text
  weight REAL NOT NULL,   -- of all that was found: what it adds to the relevance
  "where" TEXT NOT NULL,  -- map: count by position
  places TEXT,            -- list: of each place in the text, the number of its part times 8, plus its position
  PRIMARY KEY (page, concept)
) WITHOUT ROWID;
-- By it results about a concept are found. Of 20,000 results .1 s of processor time, without it .7 s; it costs a crawled
-- page with ten mentions 17 µs.
CREATE INDEX found_mentions_concept ON found_mentions (concept, count) WHERE count;

-- Which concepts a page mentions in its own text, and the part of the weight that is theirs.
CREATE VIEW mentions AS
SELECT page, concept, count, "where",
  CASE WHEN json_array_length(places) > count THEN weight * count / json_array_length(places) ELSE weight END AS weight
FROM found_mentions
WHERE count;

CREATE TABLE sites (
  host TEXT PRIMARY KEY,
  delay REAL,     -- seconds between requests
  robots TEXT,    -- the text of robots.txt
  away TEXT,      -- until when it asked not to be contacted
  banned INTEGER, -- 1: a person wants nothing from it
  raised REAL     -- what a person adds to the priorities of its links
) WITHOUT ROWID;

-- Traps that links wait behind, as of the last run.
CREATE TABLE traps (
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  why TEXT NOT NULL,       -- reasons
  links INTEGER NOT NULL,  -- waiting behind it
  first TEXT NOT NULL,     -- the best of them
  outdated INTEGER         -- 1: pages were judged again since
);

-- The graphs that are filled from this record. A graph knows its own `id`, and up to which change it is filled.
CREATE TABLE graphs (
  name TEXT PRIMARY KEY,   -- the address of a server; `graph` for the engine in the folder of this file
  id TEXT NOT NULL,
  filled INTEGER NOT NULL  -- all changes up to this one are known to be in it
) WITHOUT ROWID;

-- What has changed since, noted by triggers that exist once there is such a graph. Changes that all graphs have are
-- removed.
CREATE TABLE changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,  -- page: its row; relations: links, mentions and ways that begin there; verdict; site; concepts; traps
  key                  -- number of the page, host of the site
);

-- The pages that were results when the last run began, with the fingerprint of their text. Other results are new.
CREATE TABLE former_results (
  page INTEGER PRIMARY KEY REFERENCES pages,
  fingerprint TEXT
);

-- What a person wants of a crawl that runs in another process; it takes them between two saves.
CREATE TABLE wishes (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,  -- judge: judge all pages again, for marks have changed; threshold: with another threshold
  value REAL           -- the threshold
);

-- Full-text search: titles and texts as words (`graphdb/record/text_index.py`), without the texts themselves (contentless
-- FTS5). A search brings it up to date; rows that `indexed` does not name are of former texts.
CREATE VIRTUAL TABLE texts USING fts5(title, text, content='', tokenize='porter unicode61 remove_diacritics 2');

-- The pages whose present text is in it.
CREATE TABLE indexed (
  text INTEGER PRIMARY KEY AUTOINCREMENT, -- its row there; never used again
  page INTEGER NOT NULL UNIQUE REFERENCES pages
);
CREATE TRIGGER contents_forgotten AFTER DELETE ON contents BEGIN
  DELETE FROM indexed WHERE page = old.page;
  DELETE FROM parts WHERE page = old.page;
END;
