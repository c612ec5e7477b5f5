"""Which link comes first: the queue of waiting links, and the requests under way."""
