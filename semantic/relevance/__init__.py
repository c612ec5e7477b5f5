"""The relevance of pages: what every judge offers, the default judge, and what it learns from."""
