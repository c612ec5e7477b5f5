"""The network: the HTTP client, which addresses it may connect to, and how much of a body it takes."""
