"""Features of links, and the protocol of link scorers."""
