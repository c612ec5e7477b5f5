"""One crawl on several workers: processes of this machine or of a Ray cluster that fetch and read pages."""
