// What `ontocrawl status` reads.

// The crawl itself.

// name: crawl
MATCH (crawl:Crawl)
RETURN crawl.ontology AS ontology, crawl.topic AS topic, crawl.strategy AS strategy, crawl.started_at AS started_at,
  crawl.pages AS pages, crawl.on_topic AS on_topic, crawl.requests AS requests, crawl.errors AS errors,
  crawl.inversions AS inversions, crawl.seconds AS seconds, crawl.settings AS settings;

// How many pages there are of each status.

// name: statuses
MATCH (page:Page)
RETURN page.status AS status, count(*) AS pages
ORDER BY pages DESC;

// The links that are followed next.

// name: waiting
MATCH (page:Page {status: 'queued'})
RETURN page.url AS url, page.priority AS priority
ORDER BY page.priority DESC
LIMIT 3;

// The hosts with the most pages on topic.

// name: hosts
MATCH (page:Page {on_topic: true})
RETURN page.host AS host, count(*) AS pages
ORDER BY pages DESC, host
LIMIT 5;
