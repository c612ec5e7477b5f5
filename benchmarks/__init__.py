"""Benchmarks that anyone can run: `make bench`."""
