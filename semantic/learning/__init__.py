"""Learners without state of a crawl: they get numbers and words, and know no pages, links or stores."""
