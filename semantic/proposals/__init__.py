"""Terms that an ontology lacks, found in the pages of a crawl, each with its place."""
