// Indexes by which the saved queries of Neo4j Browser answer at once, on Neo4j alone.

// name: page_order
CREATE INDEX page_order IF NOT EXISTS FOR (p:Page) ON (p.order);

// name: page_stale
CREATE INDEX page_stale IF NOT EXISTS FOR (p:Page) ON (p.stale);

// name: waiting_priority
CREATE INDEX waiting_priority IF NOT EXISTS FOR (p:Waiting) ON (p.priority);

// name: on_topic_relevance
CREATE INDEX on_topic_relevance IF NOT EXISTS FOR (p:OnTopic) ON (p.relevance);
