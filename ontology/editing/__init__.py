"""Inserts statements into an expert's file as text, in its own syntax and style; all other bytes stay unchanged."""
