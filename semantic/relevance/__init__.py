"""How much a page is about the topic: what a judge offers, the default judge, and what it learns from."""
