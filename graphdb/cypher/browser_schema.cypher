// Indexes for the saved queries of Neo4j Browser, so that they answer at once; for Neo4j only.

// name: page_order
CREATE INDEX page_order IF NOT EXISTS FOR (p:Page) ON (p.order);

// name: page_stale
CREATE INDEX page_stale IF NOT EXISTS FOR (p:Page) ON (p.stale);

// name: waiting_priority
CREATE INDEX waiting_priority IF NOT EXISTS FOR (p:Waiting) ON (p.priority);

// Words in titles and in links. The analyzer `cjk` cuts Chinese into pairs of characters, as `ontocrawl search` does.
// Neo4j fills these indexes in the background, so that saving does not wait for them.

// name: page_titles
CREATE FULLTEXT INDEX page_titles IF NOT EXISTS FOR (p:Page) ON EACH [p.title]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk', `fulltext.eventually_consistent`: true}};

// name: link_words
CREATE FULLTEXT INDEX link_words IF NOT EXISTS FOR ()-[l:LINKS_TO]-() ON EACH [l.anchor]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk', `fulltext.eventually_consistent`: true}};

// name: on_topic_relevance
CREATE INDEX on_topic_relevance IF NOT EXISTS FOR (p:OnTopic) ON (p.relevance);
