"""Graphs that are filled from a record: filling, reading back, the link graph."""
