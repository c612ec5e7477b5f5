"""What a crawl is given: seeds, example pages, the topic and the names of its concepts."""
