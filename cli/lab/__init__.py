"""`ontocrawl simulate`: strategies compared on a recorded web, measured and reported."""
