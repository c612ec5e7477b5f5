"""Paper C: a topic made of the seed pages."""
