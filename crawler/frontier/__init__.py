"""The frontier: the queue of waiting links, the open requests, and the scope of the crawl."""
