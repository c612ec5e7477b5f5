"""Answers for people and for programs: tables, text for the terminal, a crawl's figures."""
