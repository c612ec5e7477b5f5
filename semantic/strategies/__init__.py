"""The strategies: their table, and the judges and link scorers of its rows."""
