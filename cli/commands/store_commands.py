"""The commands that read a store: queries, explanations and copies."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.render.answer_tables import Format
from cli.store_option import DEFAULT_STORE
from ontology.errors import SettingsError

FOLDER_HELP = "The folder of a crawl, or its name (see: ontocrawl crawls)."
GRAPH_HELP = "The same; its graph is filled first with what is new. Or a Neo4j server: bolt://HOST."


def store_called(name: str) -> str:
    """The store of this name; a value that is checked before its command runs."""
    from cli.crawl_register import store_called as found

    return found(name)


Store = Annotated[str, typer.Option(metavar="DIR|NAME", help=FOLDER_HELP, callback=store_called)]

store_app = typer.Typer()
crawls_app = typer.Typer(rich_markup_mode=None, invoke_without_command=True)
store_app.add_typer(crawls_app, name="crawls")
Name = Annotated[str, typer.Argument(metavar="NAME", help="The crawl's name, or its store.")]


@crawls_app.callback(epilog="\b\nExamples:\n  ontocrawl crawls\n  ontocrawl crawls schedule tea --every week")
def crawls(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON list.")] = False,
) -> None:
    """Show the crawls that have run on this machine: how far each is, when it ran last, and whether it runs now."""
    if context.invoked_subcommand is None:
        from cli.stores.crawls import tell

        raise typer.Exit(tell(as_json=json))


@crawls_app.command(epilog="\b\nExample:\n  ontocrawl crawls rename ontocrawl-store tea")
def rename(name: Name, new: Annotated[str, typer.Argument(metavar="NEW", help="Its name from now on.")]) -> None:
    """Give a crawl another name in this list. Its store stays where it is."""
    from cli.stores.crawls import rename as run

    raise typer.Exit(run(name, new))


@crawls_app.command(epilog="\b\nExamples:\n  ontocrawl crawls forget tea\n  ontocrawl crawls forget --vanished")
def forget(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The crawl's name, or its store.")] = None,
    vanished: Annotated[
        bool, typer.Option("--vanished", help="Take off all crawls whose store no longer exists.")
    ] = False,
) -> None:
    """Take a crawl off this list. Its store stays as it is; the next run of the crawl lists it again."""
    from cli.stores.crawls import forget as run
    from cli.stores.crawls import forget_vanished

    if (name is None) != vanished:
        raise SettingsError("forget needs the name of a crawl, or --vanished", "write {command} crawls forget NAME")
    raise typer.Exit(forget_vanished() if name is None else run(name))


@crawls_app.command(
    epilog="""\b
Examples:
  ontocrawl crawls merge oolong --into tea
  ontocrawl crawls merge ./from-home --into ./ontocrawl-store

Both crawls must be about one topic. What the second has stays as it is; what it has not read comes from the first, with
links, marks and the links that wait. Then all pages are judged anew, by the settings of the second, in which the crawl
goes on. The first is only read. Merging happens at once or, if it is killed before its end, not at all."""
)
def merge(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The name of the crawl to read, or its store.")],
    into: Annotated[str, typer.Option("--into", metavar="INTO", help="The crawl that goes on, or its store.")],
) -> None:
    """Merge a crawl into another one about the same topic."""
    from cli.stores.merging import run

    raise typer.Exit(run(source, into))


@crawls_app.command(
    epilog="""\b
Examples:
  ontocrawl crawls schedule tea --every week --at 03:30
  ontocrawl crawls schedule tea --every day --systemd

The line runs the command by which the crawl ran last, with --recrawl: pages on topic are asked for again; and with
--lang, as no locale is known there. Nothing is changed: put the line where it belongs."""
)
def schedule(
    name: Name,
    every: Annotated[str, typer.Option("--every", metavar="hour|day|week|month", help="How often.")] = "week",
    at: Annotated[str, typer.Option("--at", metavar="HH:MM", help="At which time; of an hour the minutes count.")] = (
        "03:30"
    ),
    systemd: Annotated[bool, typer.Option("--systemd", help="A systemd-run command, not a line for cron.")] = False,
) -> None:
    """Print a line for cron or systemd that runs a crawl again and again."""
    from cli.stores.crawls import every_of
    from cli.stores.crawls import schedule as run

    raise typer.Exit(run(name, every_of(every), at, systemd=systemd))


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl ui
  ontocrawl ui --store tea

The page is on 127.0.0.1 alone, and only the printed address opens it. It works beside a crawl that runs."""
)
def ui(
    store: Annotated[
        str | None,
        typer.Option(metavar="DIR|NAME", help="The crawl that is shown first.", show_default="the last that ran"),
    ] = None,
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Its port; 0: any that is free.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address only.")] = False,
    beside: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Open a page with the results of your crawls: read and mark them, choose terms, and steer a crawl."""
    from cli.ui.ui import run, run_beside

    where = store_called(store) if store else None
    if beside is not None and where is not None:
        raise typer.Exit(run_beside(where, beside))
    raise typer.Exit(run(where, port, opens=not no_browser))


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl results
  ontocrawl results --concept "green tea" --site example.org -n 50
  ontocrawl results --new -o new.csv
  ontocrawl results --marked good -o zotero.ris

A result is on topic by the crawl or by your mark. Each is shown with the sentence that says most about the topic, and
why it is a result. The crawl may run meanwhile."""
)
def results(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    store: Store = DEFAULT_STORE,
    concept: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only about this concept or a narrower one: a name or an IRI."),
    ] = None,
    site: Annotated[str | None, typer.Option(metavar="HOST", help="Only of this host or domain.")] = None,
    kind: Annotated[str | None, typer.Option(metavar="article|listing", help="Only of this kind.")] = None,
    marked: Annotated[
        Literal["good", "bad", "hub", "none"] | None,
        typer.Option(help="Only with this mark; bad and hub: pages that are no results."),
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Only what was no result when the last run began.")] = False,
    number: Annotated[
        int | None,
        typer.Option("-n", metavar="N", help="Show so many; 0: all.", min=0, show_default="20 in a table, else all"),
    ] = None,
    form: Annotated[
        Literal["table", "csv", "ris", "json"] | None,
        typer.Option("--format", help="How they are written.", show_default="by the ending of FILE, else table"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="Write a file, in the form that its ending names."),
    ] = None,
) -> None:
    """Show the results of a crawl, best first, or write them for Excel (.csv), Zotero (.ris) or programs (.json)."""
    from cli.results.result_list import Wanted
    from cli.results.results import run

    wanted = Wanted(concept=concept, site=site, kind=kind, marked=marked, is_new=new)
    raise typer.Exit(run(store, wanted, form, out, number))


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl query "MATCH (p:Page) WHERE p.on_topic AND p.kind = 'article'
    RETURN p.url, p.relevance ORDER BY p.relevance DESC LIMIT 10"
  ontocrawl query "MATCH (c:Concept) WHERE NOT (c)<-[:MENTIONS]-() RETURN c.label"
  ontocrawl query --format csv "MATCH (a:Page)-[l:LINKS_TO]->(b:Page) RETURN a.url, l.anchor, b.url" > links.csv"""
)
def query(
    cypher: Annotated[str, typer.Argument(metavar="CYPHER", help="One Cypher statement.")],
    form: Annotated[Format, typer.Option("--format", help="Format of the rows.")] = Format.TABLE,
    store: Annotated[
        str, typer.Option(metavar="DIR|NAME|bolt://HOST", help=GRAPH_HELP, callback=store_called)
    ] = DEFAULT_STORE,
    timeout: Annotated[
        int, typer.Option(metavar="SECONDS", help="End a query that takes longer; 0: no limit.", min=0)
    ] = 60,
    as_is: Annotated[bool, typer.Option("--as-is", help="Ask the graph as it is, without filling it first.")] = False,
) -> None:
    """Query the graph in Cypher. Queries that would write or load a file are refused."""
    from cli.stores.query import run

    raise typer.Exit(run(store, cypher, form, timeout, as_it_is=as_is))


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl search oolong tea
  ontocrawl search '"绿茶的制作"' -- -广告
  ontocrawl search 普洱 --on-topic --json

All words must stand on a page; "words in quotes" in this order. A word after - must not. Chinese is found by any part
of two characters or more, traditional or simplified; English words also in other forms. The first search reads all
texts; later ones read what was fetched since."""
)
def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS...", help="What to search for in titles and texts.")],
    store: Store = DEFAULT_STORE,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Show so many pages.", min=1)] = 10,
    on_topic: Annotated[bool, typer.Option("--on-topic", help="Only pages on topic.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find fetched pages by their words. Shows where they stand, and what the crawl says of each page."""
    from cli.stores.searching import run

    raise typer.Exit(run(store, words, most=limit, on_topic=on_topic, as_json=json))


@store_app.command(epilog="\b\nExample:\n  ontocrawl explain https://example.org/page.html")
def explain(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The address of a page that the crawl knows, fetched or waiting.")
    ],
    store: Store = DEFAULT_STORE,
) -> None:
    """Explain one page: why it was judged so, why its link was followed, and the path from a seed."""
    from cli.explaining.explain import run

    raise typer.Exit(run(store, url))


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl status --store ./ontocrawl-store
  ontocrawl status --traps
  ontocrawl status --ledger"""
)
def status(
    store: Store = DEFAULT_STORE,
    traps: Annotated[
        bool, typer.Option("--traps", help="Show instead which links were cut off as a trap, and why.")
    ] = False,
    ledger: Annotated[
        bool, typer.Option("--ledger", help="Show instead what became of every address, and why it was not fetched.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show the state of a crawl, and what it has learned."""
    if traps:
        from cli.explaining.trap_status import run
    elif ledger:
        from cli.explaining.ledger import run
    else:
        from cli.explaining.status import run

    raise typer.Exit(run(store, as_json=json))


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl report -o report.html
  ontocrawl report --store ./second --against ./first -o second.html --lang zh

The file opens from disk and asks for nothing: send it, print it, keep it. It shows the harvest beside what the queue
had promised, the coverage of each concept, the best pages, other thresholds, candidate terms."""
)
def report(
    store: Store = DEFAULT_STORE,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The page to write.")] = Path("report.html"),
    against: Annotated[
        str | None, typer.Option(metavar="DIR", help="The folder of another crawl, to compare with.")
    ] = None,
) -> None:
    """Write a report on a crawl as one page for the browser."""
    from cli.report.report import run

    raise typer.Exit(run(store, out, against))


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl mark https://example.org/a https://example.org/b good
  ontocrawl mark --file marks.txt        lines such as: good https://example.org/a

A mark counts for its page and for pages that are like it: all pages are judged again, and the links that wait take
their new places. A hub is no result, but leads to results: its links count, and pages like it are judged as before. In
Neo4j Browser SET p.verdict = 'good' does the same: at once in a crawl that runs with --graph, otherwise by
`ontocrawl rejudge`."""
)
def mark(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="URL... good|bad|hub|none", help="Pages, then the mark.")
    ] = None,
    file: Annotated[str | None, typer.Option(metavar="FILE", help="A file with marks, one on each line.")] = None,
    store: Store = DEFAULT_STORE,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Mark pages of a crawl as good, bad or hub. All pages are then judged again."""
    from cli.marking.marking import mark as run
    from cli.marking.marking import marks_of

    raise typer.Exit(run(store, marks_of(words or [], file), as_json=json))


@store_app.command(epilog="\b\nExample:\n  ontocrawl review --store ./ontocrawl-store")
def review(store: Store = DEFAULT_STORE) -> None:
    """Answer about the ten pages whose marks teach most, with one key each. Then it shows what the marks changed."""
    from cli.marking.review import run

    raise typer.Exit(run(store))


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl rejudge --ontology edited.owl
  ontocrawl rejudge --threshold 0.4 --json

No page is requested. Give `ontocrawl crawl` the same ontology and threshold when it goes on: what is typed there
counts."""
)
def rejudge(
    store: Store = DEFAULT_STORE,
    ontology: Annotated[
        str | None, typer.Option(metavar="FILE", help="The new ontology.", show_default="as it was")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(metavar="T", help="Relevance from which a page is on topic.", show_default="as it was"),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Every page gained and lost, as one JSON object.")] = False,
) -> None:
    """Judge all pages of a crawl again and reorder its queue. Shows which pages were gained and lost."""
    from cli.marking.marking import rejudge as run

    raise typer.Exit(run(store, ontology, threshold, as_json=json))


@store_app.command(epilog="\b\nExample:\n  ontocrawl threshold --store ./ontocrawl-store")
def threshold(
    store: Store = DEFAULT_STORE,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show how many pages other thresholds would keep, with pages near each. `rejudge --threshold T` changes it."""
    from cli.explaining.status import threshold as run

    raise typer.Exit(run(store, as_json=json))


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl copy --from ./ontocrawl-store --to bolt://127.0.0.1:7687
  ontocrawl copy --from bolt://127.0.0.1:7687 --to ./from-neo4j

A graph that was filled before gets only what is new. Killed at any moment, the same command goes on where it was. At
the end the graph is read back and compared with the record. A server that was filled --with-contents can be copied
into a folder on another machine, to crawl on there."""
)
def copy(
    source: Annotated[
        str, typer.Option("--from", metavar="DIR|bolt://HOST", help="The folder of a crawl, or a server.")
    ] = DEFAULT_STORE,
    target: Annotated[
        str, typer.Option("--to", metavar="DIR|bolt://HOST", help="A server to fill, or a new folder.")
    ] = "bolt://127.0.0.1:7687",
    with_contents: Annotated[
        bool, typer.Option("--with-contents", help="Fill the server with the texts of pages, too.")
    ] = False,
    anew: Annotated[bool, typer.Option("--anew", help="Empty the server's graph first.")] = False,
) -> None:
    """Copy a crawl from a folder to Neo4j, to look at it in Neo4j Browser; back; or to another folder."""
    from cli.stores.copy_and_serve import copy as run

    raise typer.Exit(run(source, target, with_contents=with_contents, anew=anew))


@store_app.command(
    epilog="""\b
Examples:
  ontocrawl browser --store bolt://127.0.0.1:7687
  ontocrawl browser --store bolt://127.0.0.1:7687 --serve

It writes a guide in ten steps, saved queries and a style with colours, and tells how to get them into Neo4j Browser.
With `docker compose up -d` all of it is in place. A crawl in a folder is brought to Neo4j by `ontocrawl copy`."""
)
def browser(
    store: Annotated[
        str, typer.Option(metavar="bolt://HOST", help="The Neo4j server with the crawl.")
    ] = "bolt://127.0.0.1:7687",
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="Where the files are written.")] = Path(
        "ontocrawl-browser"
    ),
    serve: Annotated[bool, typer.Option("--serve", help="Serve the guide to the Browser until Ctrl-C.")] = False,
    port: Annotated[int, typer.Option(metavar="N", min=1, max=65535, help="The port of the guide.")] = 7475,
) -> None:
    """Look at a crawl in Neo4j Browser: where it is, a guide, saved queries, colours."""
    from cli.stores.neo4j_browser import run

    raise typer.Exit(run(store, out, serve=serve, port=port))


@store_app.command(epilog="\b\nExample:\n  ontocrawl serve --store ./ontocrawl-store")
def serve(
    store: Store = DEFAULT_STORE,
    show_password: Annotated[
        bool,
        typer.Option("--show-password", help="Print the password, not only the name of the file that contains it."),
    ] = False,
) -> None:
    """Let other programs read the graph of a crawl. Its Bolt port stays open until Ctrl-C."""
    from cli.stores.copy_and_serve import serve as run

    raise typer.Exit(run(store, show_password=show_password))
