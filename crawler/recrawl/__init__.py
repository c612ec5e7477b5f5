"""Fetching known pages again (`--recrawl`)."""
