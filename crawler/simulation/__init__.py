"""Crawls without a network: a recorded web, virtual time, and measures of the order of fetching."""
