"""What the record of a crawl says, as several commands need it, without the machinery of judging."""
