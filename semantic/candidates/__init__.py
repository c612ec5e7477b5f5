"""Runs of words in the pages of a crawl that may be terms: counted, compared with other pages, ranked."""
