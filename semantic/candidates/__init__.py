"""Runs of words in a crawl's pages that may be terms: counted, compared between pages, ranked."""
