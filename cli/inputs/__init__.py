"""Inputs of a crawl: seeds, example pages, the topic and the names of its concepts."""
