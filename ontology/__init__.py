"""Ontologies: reading files, the topic, the lexicon, checks, proposals. Without I/O except for the files named by the
user.
"""
