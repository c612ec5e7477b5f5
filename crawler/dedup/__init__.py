"""Duplicate pages: copies and near-copies, and which of them is the page."""
