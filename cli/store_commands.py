"""The commands that read a store: what a crawl has kept, in Cypher and in words, and where else it can go."""

from typing import Annotated

import typer

from cli.answers import Format
from cli.settings import DEFAULT_STORE

STORE_HELP = (
    "A folder (embedded store), or a Neo4j server: bolt://HOST or neo4j://HOST. Its user and password are taken from "
    "NEO4J_USERNAME and NEO4J_PASSWORD."
)

Store = Annotated[str, typer.Option(metavar="DIR|bolt://HOST", help=STORE_HELP)]

store_app = typer.Typer()


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl query "MATCH (p:Page) WHERE p.on_topic RETURN p.url, p.relevance ORDER BY p.relevance DESC LIMIT 10"
  ontocrawl query "MATCH (c:Concept) WHERE NOT (c)<-[:MENTIONS]-() RETURN c.label"
  ontocrawl query --format csv "MATCH (a:Page)-[l:LINKS_TO]->(b:Page) RETURN a.url, l.anchor, b.url" > links.csv"""
)
def query(
    cypher: Annotated[str, typer.Argument(metavar="CYPHER", help="One Cypher statement.")],
    form: Annotated[Format, typer.Option("--format", help="How the rows are written.")] = Format.TABLE,
    store: Store = DEFAULT_STORE,
) -> None:
    """Ask the graph in Cypher. What would write, or load a file, is refused."""
    from cli.query import run

    raise typer.Exit(run(store, cypher, form))


@store_app.command(epilog="\b\nExample:\n  ontocrawl explain https://example.org/page.html")
def explain(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The address of a page that the crawl knows, fetched or waiting.")
    ],
    store: Store = DEFAULT_STORE,
) -> None:
    """Explain one page. It tells why the page was judged so, why its link was followed, and the way from a seed."""
    from cli.explain import run

    raise typer.Exit(run(store, url))


@store_app.command(epilog="\b\nExamples:\n  ontocrawl status --store ./ontocrawl-store\n  ontocrawl status --traps")
def status(
    store: Store = DEFAULT_STORE,
    traps: Annotated[bool, typer.Option("--traps", help="Tell instead what was cut off as a trap, and why.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show how far a crawl is, and what it has learned."""
    if traps:
        from cli.traps import run
    else:
        from cli.status import run

    raise typer.Exit(run(store, as_json=json))


@store_app.command(epilog="\b\nExample:\n  ontocrawl copy --from ./ontocrawl-store --to bolt://127.0.0.1:7687")
def copy(
    source: Annotated[str, typer.Option("--from", metavar="DIR", help="The embedded store to read.")] = DEFAULT_STORE,
    target: Annotated[
        str, typer.Option("--to", metavar="bolt://HOST", help="The Neo4j database to fill. It must hold no crawl yet.")
    ] = "bolt://127.0.0.1:7687",
) -> None:
    """Copy a crawl to Neo4j, to look at it in Neo4j Browser."""
    from cli.stores import copy as run

    raise typer.Exit(run(source, target))


@store_app.command(epilog="\b\nExample:\n  ontocrawl serve --store ./ontocrawl-store")
def serve(
    store: Annotated[str, typer.Option(metavar="DIR", help="The embedded store.")] = DEFAULT_STORE,
    show_password: Annotated[
        bool, typer.Option("--show-password", help="Print the password, not only the file in which it is.")
    ] = False,
) -> None:
    """Open an embedded store to other programs, for reading. Its Bolt port stays open until Ctrl-C."""
    from cli.stores import serve as run

    raise typer.Exit(run(store, show_password=show_password))
