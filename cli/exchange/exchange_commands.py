"""The words of `ontocrawl export`."""

from pathlib import Path
from typing import Annotated

import typer

from cli.settings import DEFAULT_STORE
from cli.stores.store_commands import Store

exchange_app = typer.Typer()


@exchange_app.command(
    epilog="""\b
Examples:
  ontocrawl export --format csv -o tables                   for Excel, LibreOffice, R
  ontocrawl export --format parquet --text -o tables        for pandas, Polars, DuckDB
  ontocrawl export --format gexf --pages on-topic -o crawl.gexf        for Gephi
  ontocrawl export --format ttl -o crawl.ttl                for Protégé, rdflib, a triple store
  ontocrawl export --format warc -o crawl.warc.gz           for readers of web archives

csv, jsonl and parquet make a folder with a table each of pages, links, mentions, concepts, sites and the crawl; the
others make one file. Nothing is there until all is written. docs/exchange.md tells every column."""
)
def export(
    form: Annotated[
        str, typer.Option("--format", metavar="NAME", help="csv, jsonl, parquet, graphml, gexf, ttl or warc.")
    ],
    store: Store = DEFAULT_STORE,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE|DIR", help="Where to.", show_default="ontocrawl-export… here"),
    ] = None,
    pages: Annotated[
        str, typer.Option(metavar="all|fetched|on-topic", help="Which pages, and the links among them.")
    ] = "all",
    text: Annotated[bool, typer.Option("--text", help="With the text of pages, in tables.")] = False,
) -> None:
    """Write a crawl for other programs: tables, graphs, RDF, a web archive."""
    from cli.exchange.export import Form, Pages, run
    from ontology.errors import SettingsError

    if form not in list(Form):
        raise SettingsError(f"--format {form} is not known", f"one of {', '.join(Form)}")
    if pages not in list(Pages):
        raise SettingsError(f"--pages {pages} is not known", f"one of {', '.join(Pages)}")
    raise typer.Exit(run(store, Form(form), out, Pages(pages), with_text=text))
