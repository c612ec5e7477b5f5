// The embedded store's journal: up to which of its records the graph is filled, noted with what they say.

// name: filled
MATCH (j:Journal)
RETURN j.record AS record;

// name: note_record
MERGE (j:Journal)
SET j.record = $record;

// name: save_totals
MATCH (c:Crawl)
SET c += $set;
