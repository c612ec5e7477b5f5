"""What comes with the program to try it: an example ontology and a small web to crawl."""
