// Constraints and indexes. The index of each unique key is also used to find pages, sites and concepts.

// name: page_url
CREATE CONSTRAINT page_url IF NOT EXISTS FOR (p:Page) REQUIRE p.url IS UNIQUE;

// name: site_host
CREATE CONSTRAINT site_host IF NOT EXISTS FOR (s:Site) REQUIRE s.host IS UNIQUE;

// name: concept_iri
CREATE CONSTRAINT concept_iri IF NOT EXISTS FOR (c:Concept) REQUIRE c.iri IS UNIQUE;

// name: crawl_id
CREATE CONSTRAINT crawl_id IF NOT EXISTS FOR (c:Crawl) REQUIRE c.id IS UNIQUE;

// name: page_on_path
CREATE INDEX page_on_path IF NOT EXISTS FOR (p:Page) ON (p.on_path);

// name: page_verdict
CREATE INDEX page_verdict IF NOT EXISTS FOR (p:Page) ON (p.verdict);
