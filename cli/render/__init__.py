"""Output for people and programs: tables, terminal text, a crawl's figures."""
