"""Learners in the pure: what they are given and what they give, no crawl and no page of their own."""
