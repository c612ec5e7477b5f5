"""Crawls without a network: a recorded web, virtual time, and how good the order was."""
