"""`ontocrawl query`: Cypher in, rows out."""

from cli.answers import Format, render
from graphdb.stores import open_store


def run(store: str, cypher: str, form: Format) -> int:
    """Ask the store at `store` and print the rows; exit code 0."""
    opened = open_store(store, create=False)
    try:
        table = opened.query(cypher)
    finally:
        opened.close()
    print(render(table.columns, table.rows, form))
    return 0
