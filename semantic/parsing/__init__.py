"""From the bytes of a response to a `Page`: HTML, PDF, feeds, sitemaps, charsets."""
