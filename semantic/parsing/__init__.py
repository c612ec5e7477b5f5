"""From the bytes of a response to a `Page`: HTML, PDF and other documents, feeds, sitemaps, charsets."""
