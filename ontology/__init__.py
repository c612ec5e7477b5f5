"""Concepts: reading what Protégé saves, the topic, the lexicon, checks. Pure but for reading the named files."""
