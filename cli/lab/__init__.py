"""`ontocrawl simulate`: strategies side by side on a recorded web, measured and reported."""
