// What `ontocrawl report` reads beside `status`, `coverage`, `threshold` and `marks`.

// The crawl in parts of $step pages, in the order of fetching: the results of each part, for pages that are not seeds
// the sums of priority (`promise`) and relevance (`kept`), and when the part was saved.

// name: curve
MATCH (page:Page {status: 'fetched'})
WHERE page.order IS NOT NULL
WITH toInteger(floor((page.order - 1) / toFloat($step))) AS part, page.on_topic AS on_topic, page.relevance AS relevance,
  page.depth AS depth, page.priority AS priority, page.ended_after AS ended_after
RETURN part, count(*) AS pages, sum(CASE WHEN on_topic THEN 1 ELSE 0 END) AS on_topic,
  sum(coalesce(relevance, 0.0)) AS relevance, sum(CASE WHEN depth > 0 THEN 1 ELSE 0 END) AS promised,
  sum(CASE WHEN depth > 0 THEN priority ELSE 0.0 END) AS promise,
  sum(CASE WHEN depth > 0 THEN coalesce(relevance, 0.0) ELSE 0.0 END) AS kept, max(ended_after) AS ended_after;

// For each host the numbers of pages fetched, on topic, waiting, and failed or refused.

// name: sites
MATCH (page:Page)
WHERE page.depth IS NOT NULL
RETURN page.host AS host, sum(CASE WHEN page.order IS NOT NULL THEN 1 ELSE 0 END) AS pages,
  sum(CASE WHEN page.on_topic THEN 1 ELSE 0 END) AS on_topic,
  sum(CASE WHEN page.status = 'queued' THEN 1 ELSE 0 END) AS waiting,
  sum(CASE WHEN page.status = 'failed' OR page.status = 'refused' THEN 1 ELSE 0 END) AS in_vain;

// The number of pages in each language, and how many of them are on topic.

// name: languages
MATCH (page:Page {status: 'fetched'})
WHERE page.order IS NOT NULL
RETURN coalesce(page.language, '') AS language, count(*) AS pages,
  sum(CASE WHEN page.on_topic THEN 1 ELSE 0 END) AS on_topic;

// Addresses that gave no page, by reason.

// name: in_vain
MATCH (page:Page)
WHERE (page.status = 'refused' OR page.status = 'failed') AND page.depth IS NOT NULL
WITH page.url AS url, page.status AS status, page.reasons AS reasons
RETURN status, [split(reasons[0], ': ')[0]] AS reason, count(*) AS pages, min(url) AS first;

// The number of addresses whose incoming links were all discarded by the strategy.

// name: left_out
MATCH (page:Page {status: 'refused'})
WHERE page.depth IS NULL
RETURN count(*) AS pages;

// Some pages ($urls) with their text.

// name: cards
UNWIND $urls AS url
MATCH (page:Page {url: url})
RETURN url, page.reasons AS reasons, page.content AS content, page.language AS language, page.fetched_at AS fetched_at;
