"""The commands `ontocrawl export` and `ontocrawl import`, and their options."""

from pathlib import Path
from typing import Annotated

import typer

from cli.commands.store_commands import Store
from cli.render.language import listed, tr
from cli.settings import DEFAULT_STRATEGY, LANG_HELP, STRATEGY_HELP, THRESHOLD_HELP
from cli.store_option import DEFAULT_STORE

exchange_app = typer.Typer()


@exchange_app.command(
    epilog="""\b
Examples:
  ontocrawl export --format csv -o pages.csv
  ontocrawl export --format parquet --text main -o tables
  ontocrawl export --format gexf --pages on-topic -o crawl.gexf

csv, jsonl and parquet make a folder of tables; with -o NAME.csv (.jsonl, .parquet) only the table of pages, as one
file. The others make one file. docs/exchange.md explains formats and columns."""
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
            metavar="all|main", help="Add the text of pages to the table: all of it, or only each page's own."
        ),
    ] = None,
) -> None:
    """Write a crawl for other programs: tables, graphs, RDF, a web archive."""
    from cli.exchange.export import Form, Pages, Text, run
    from ontology.errors import SettingsError

    if form not in list(Form):
        raise SettingsError(tr("--format {form} is not known", form=form), tr("one of {form}", form=listed(Form)))
    if pages not in list(Pages):
        raise SettingsError(tr("--pages {pages} is not known", pages=pages), tr("one of {pages}", pages=listed(Pages)))
    if text not in (None, *Text):
        raise SettingsError(tr("--text {text} is not known", text=text), tr("one of {text}", text=listed(Text)))
    raise typer.Exit(run(store, Form(form), out, Pages(pages), text=Text(text) if text else None))


@exchange_app.command(
    name="import",
    epilog="""\b
Examples:
  ontocrawl import old-crawl.warc.gz --ontology topic.owl --store ./old
  ontocrawl import pages.csv --links links.csv --ontology topic.owl --store ./old

pages.csv has a column url, and title, text or html; links.csv has source, target and anchor. Nothing is requested from
the network. Links to other pages wait; ontocrawl crawl with the same --store and --ontology follows them.""",
)
def import_(  # noqa: PLR0913 - typer reads the options from the signature
    *,
    path: Annotated[Path, typer.Argument(metavar="FILE|DIR", help="A WARC file, a CSV file, or a folder of them.")],
    ontology: Annotated[Path, typer.Option(metavar="FILE", help="The topic by which pages are judged.")],
    store: Annotated[str, typer.Option(metavar="DIR", help="The folder of the new crawl.")] = DEFAULT_STORE,
    links: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table of links.", show_default="links.csv beside the pages")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(help=THRESHOLD_HELP, show_default="the strategy's own"),
    ] = None,
    strategy: Annotated[str, typer.Option(help=STRATEGY_HELP)] = DEFAULT_STRATEGY,
    lang: Annotated[
        str | None,
        typer.Option(
            metavar="zh|en|…",
            help=LANG_HELP,
            show_default="that of the locale, else of the pages",
        ),
    ] = None,
) -> None:
    """Make a crawl of pages that another crawler has left as WARC or CSV."""
    from cli.exchange.importing import Import, run

    wanted = Import(
        path=path, ontology=ontology, store=store, links=links, threshold=threshold, strategy=strategy, lang=lang
    )
    raise typer.Exit(run(wanted))
