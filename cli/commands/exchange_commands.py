"""The commands `ontocrawl export` and `ontocrawl import`, and their options."""

from pathlib import Path
from typing import Annotated

import typer

from cli.commands.store_commands import Store
from cli.render.language import tr
from cli.settings import DEFAULT_STRATEGY
from cli.store_option import DEFAULT_STORE

exchange_app = typer.Typer()


@exchange_app.command(
    epilog="""\b
Examples:
  ontocrawl export --format csv -o pages.csv                for Excel, LibreOffice
  ontocrawl export --format csv -o tables                   with links and mentions, for R
  ontocrawl export --format parquet --text main -o tables   for pandas, Polars, DuckDB
  ontocrawl export --format gexf --pages on-topic -o crawl.gexf        for Gephi
  ontocrawl export --format ttl -o crawl.ttl                for Protégé, rdflib, a triple store
  ontocrawl export --format warc -o crawl.warc.gz           for readers of web archives

csv, jsonl and parquet make a folder with a table each of pages, links, mentions, concepts, sites and the crawl; with
-o NAME.csv (.jsonl, .parquet) one file, the table of pages. The others make one file. Nothing is there until all is
written. docs/exchange.md tells every column."""
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
    ] = "fetched",
    text: Annotated[
        str | None,
        typer.Option(
            metavar="all|main", help="With the text of pages, in tables: all of it, or what each page says itself."
        ),
    ] = None,
) -> None:
    """Write a crawl for other programs: tables, graphs, RDF, a web archive."""
    from cli.exchange.export import Form, Pages, Text, run
    from ontology.errors import SettingsError

    if form not in list(Form):
        raise SettingsError(tr("--format {form} is not known", form=form), tr("one of {form}", form=", ".join(Form)))
    if pages not in list(Pages):
        raise SettingsError(
            tr("--pages {pages} is not known", pages=pages), tr("one of {pages}", pages=", ".join(Pages))
        )
    if text not in (None, *Text):
        raise SettingsError(tr("--text {text} is not known", text=text), tr("one of {text}", text=", ".join(Text)))
    raise typer.Exit(run(store, Form(form), out, Pages(pages), text=Text(text) if text else None))


@exchange_app.command(
    name="import",
    epilog="""\b
Examples:
  ontocrawl import old-crawl.warc.gz --ontology topic.owl --store ./old
  ontocrawl import tables --ontology topic.owl --store ./old       a folder with pages.csv and links.csv
  ontocrawl import pages.csv --links links.csv --ontology topic.owl --store ./old

A row of pages.csv has a column url, and title, text or html; one of links.csv has source, target and anchor. Nothing is
asked for on the network. Links to pages that are not in the file wait: ontocrawl crawl with the same --store, the
ontology and --seeds follows them.""",
)
def import_(  # noqa: PLR0913 - typer reads the options from the signature
    *,
    path: Annotated[Path, typer.Argument(metavar="FILE|DIR", help="A WARC file or folder, a CSV file, or its folder.")],
    ontology: Annotated[Path, typer.Option(metavar="FILE", help="The topic by which pages are judged.")],
    store: Annotated[str, typer.Option(metavar="DIR", help="The folder of the crawl that this makes.")] = DEFAULT_STORE,
    links: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table of links.", show_default="links.csv beside the pages")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(help="A page with at least this relevance is on topic.", show_default="the strategy's own"),
    ] = None,
    strategy: Annotated[str, typer.Option(help="How pages are judged and links put in order.")] = DEFAULT_STRATEGY,
    lang: Annotated[
        str | None,
        typer.Option(
            metavar="zh|en|…",
            help="The language of messages, and in which concepts are named.",
            show_default="the locale's",
        ),
    ] = None,
) -> None:
    """Judge pages that another crawler has left as WARC or CSV, and make a store of them."""
    from cli.exchange.importing import Import, run

    wanted = Import(
        path=path, ontology=ontology, store=store, links=links, threshold=threshold, strategy=strategy, lang=lang
    )
    raise typer.Exit(run(wanted))
