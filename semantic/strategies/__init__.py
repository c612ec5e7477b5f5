"""The strategies: the table of them, and for each of its rows the judge and the link scorer."""
