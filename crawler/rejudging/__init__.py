"""What a crawl has already, judged and queued by the ontology and the settings of now."""
