"""Page understanding and link scoring. Pure: no clock, no socket, no database, no chance of its own."""
