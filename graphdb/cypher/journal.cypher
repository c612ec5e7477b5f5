// The embedded store's journal: the number of its last record in the graph, stored in the same transaction.

// name: filled
MATCH (j:Journal)
RETURN j.record AS record;

// name: note_record
MERGE (j:Journal)
SET j.record = $record;

// name: save_totals
MATCH (c:Crawl)
SET c += $set;
