"""Page understanding, relevance and link scoring. Pure: it reads no clock, socket, database or random numbers itself;
these come in as arguments.
"""
