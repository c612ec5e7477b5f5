// Opening a crawl: reading what is stored, and updating the concepts to the current ontology.

// name: save_settings
MATCH (c:Crawl)
SET c.settings = $settings;

// name: crawls
MATCH (c:Crawl)
RETURN properties(c) AS crawl;

// name: begin
CREATE (c:Crawl {id: $id})
SET c += $set;

// name: go_on
MATCH (c:Crawl {id: $id})
SET c += $set;

// name: memory
MATCH (m:Memory)
RETURN m.bytes AS bytes, m.seconds AS seconds
ORDER BY m.part;

// name: concepts
MATCH (c:Concept)
WHERE c.gone IS NULL
RETURN c.iri AS iri, coalesce(c.label, c.iri) AS label, c.weight AS weight, c.layer AS layer,
  coalesce(c.names, []) AS names, c.label_zh AS label_zh, c.label_en AS label_en;

// name: save_concepts
UNWIND $rows AS row
MERGE (c:Concept {iri: row.iri})
SET c += row.set;

// name: forget_narrower
MATCH (:Concept)-[n:NARROWER]->(:Concept)
DELETE n;

// name: save_narrower
UNWIND $rows AS row
MATCH (c:Concept {iri: row.iri})
UNWIND row.narrower AS narrower
MATCH (d:Concept {iri: narrower})
CREATE (c)-[:NARROWER]->(d);

// A concept that left the ontology stays, marked as gone, if pages mention it, because they were judged by it.

// name: retire_concepts
UNWIND $iris AS iri
MATCH (c:Concept {iri: iri})<-[:MENTIONS]-()
SET c.gone = true
REMOVE c.weight, c.layer, c.names;

// The number of pages in each language.

// name: languages
MATCH (p:Page {status: 'fetched'})
WHERE p.language IS NOT NULL
RETURN p.language AS language, count(*) AS pages;

// name: remove_concepts
UNWIND $iris AS iri
MATCH (c:Concept {iri: iri})
WHERE c.gone IS NULL
DETACH DELETE c;

// A seed that failed or was refused is tried again by the next run: without a depth it counts as never queued.

// name: retry_seeds
UNWIND $urls AS url
MATCH (p:Page {url: url})
WHERE p.status IN ['failed', 'refused']
REMOVE p.depth, p.http_status, p.fetched_at, p.ended_after;

// name: save_seeds
MATCH (c:Crawl {id: $id})
UNWIND $urls AS url
MATCH (p:Page {url: url})
MERGE (c)-[:SEED]->(p);

// The traps that links wait behind, as a run found them. `outdated` (see `recrawl.cypher`) is gone with the former ones.

// name: forget_traps
MATCH (t:Trap)
DELETE t;

// name: save_traps
UNWIND $rows AS row
CREATE (:Trap {name: row.trap, kind: row.kind, why: row.why, links: row.links, first: row.first});

// Hosts that a person has banned or raised in the dashboard, for all runs.

// name: hosts_wanted
MATCH (s:Site)
WHERE s.banned IS NOT NULL OR s.raised IS NOT NULL
RETURN s.host AS host, s.banned AS banned, s.raised AS raised;

// name: save_hosts
UNWIND $rows AS row
MERGE (s:Site {host: row.host})
SET s.banned = row.banned, s.raised = row.raised;
