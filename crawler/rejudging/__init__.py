"""Judge and queue again what a crawl has recorded, by the current ontology, settings and scope."""
