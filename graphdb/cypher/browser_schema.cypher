// Indexes for the saved queries of Neo4j Browser, so that they answer at once; for Neo4j only.

// name: page_order
CREATE INDEX page_order IF NOT EXISTS FOR (p:Page) ON (p.order);

// name: page_stale
CREATE INDEX page_stale IF NOT EXISTS FOR (p:Page) ON (p.stale);

// name: waiting_priority
CREATE INDEX waiting_priority IF NOT EXISTS FOR (p:Waiting) ON (p.priority);

// name: on_topic_relevance
CREATE INDEX on_topic_relevance IF NOT EXISTS FOR (p:OnTopic) ON (p.relevance);
