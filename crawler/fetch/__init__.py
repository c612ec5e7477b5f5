"""The HTTP client: requests, the addresses it may connect to, and how much of a body it reads."""
