"""Crawler traps (endless addresses without content) and hosts that only fail."""
