"""How much a page is about the topic: one module a judge."""
