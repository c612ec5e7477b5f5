"""Where nothing more is to be had: endless addresses, and hosts that only fail."""
