"""Statements written into an expert's file as text, in its own syntax and style; all else stays byte for byte."""
