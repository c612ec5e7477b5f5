"""`ontocrawl demo`: the bundled web, served on this machine and crawled with the bundled ontology into a graph.

The crawl is that of `ontocrawl crawl`; only the network is local and small. A breadth-first crawl with the same budget
follows, into `memory:`. Both are measured by the marks that a person gave the web's pages, not by the judge.
"""

import shlex
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from cli.crawling.crawl import carry_out, make_plan
from cli.render.answer_tables import Row, as_table
from cli.render.language import command_word, later, reason_told, tr
from cli.render.live_progress import summary, watching
from cli.render.terminal import fitted, show
from cli.settings import DEFAULT_STRATEGY, Settings
from cli.store_option import store_words
from examples.server import WebServer
from examples.sites import ONTOLOGY, SEEDS, Mark, read_marks, read_sites
from graphdb.cypher.statements import statements
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError
from ontology.file_failures import why_refused
from semantic.urls import readable

MAX_PAGES = 100  # of each crawl: done in less than a minute
THRESHOLD = 0.3  # below the default, because the pages of this web are short
STORE = Path("ontocrawl-demo")
OURS = "This folder was made by `ontocrawl demo`, which replaces it the next time. Keep nothing of yours here.\n"
INDENT = 2  # columns
AFTER = (0.25, 0.5, 1.0)  # shares of the pages at which the two crawls are compared
QUESTIONS = {  # in graphdb/cypher/demo.cypher
    "concept": later("The best pages about one concept of the ontology, with its narrower concepts"),
    "way": later("The longest way from a seed to a page on topic"),
    "unmentioned": later("Concepts that no page mentions: still to be found, or in need of another word"),
}


def demo(delay: float, max_pages: int = MAX_PAGES, store: Path = STORE) -> int:
    """Serve the web, crawl it twice, compare, and query the graph. Exit code 0. `delay`: seconds between requests to a
    host.
    """
    folder = fresh_folder(store)
    marks, seeds = read_marks(), SEEDS.read_text("utf-8").split()
    show(
        tr(
            "A web of {number} pages on {hosts} hosts, served on this machine only.",
            number=len(marks),
            hosts=len(read_sites()),
        )
    )
    show(tr("Topic {ontology}, seeds {seeds}", ontology=ONTOLOGY.name, seeds=" ".join(seeds)))
    show(
        tr(
            "\nBest first: {max_pages} pages with --delay {delay:g} into {folder}\n",
            max_pages=max_pages,
            delay=delay,
            folder=folder,
        )
    )
    opened = open_store(str(folder))  # open from here on, so that its server starts only once for crawl and queries
    try:
        found = {DEFAULT_STRATEGY: _crawl(DEFAULT_STRATEGY, str(folder), delay, max_pages)}
        show(tr("\nBreadth-first: {max_pages} pages of the same web into memory:\n", max_pages=max_pages))
        found["bfs"] = _crawl("bfs", "memory:", delay, max_pages)
        show(tr("\nHarvest, by the marks of the web's author\n"))
        show(_indented(as_table(list(comparison(found, marks)), INDENT)))
        show(_next_steps(folder, _ask(opened)))
    finally:
        opened.close()
    return 0


def serve(port: int) -> int:
    """Serve the web alone, until Ctrl-C. Raises SettingsError where the port is taken."""
    try:
        with WebServer(read_sites(), port) as server:
            show(tr("The small web is served on this machine. Crawl it with --proxy {proxy}", proxy=server.proxy))
            show(tr("Ctrl-C ends it."))
            sys.stdout.flush()
            threading.Event().wait()
    except OSError as error:
        raise SettingsError(
            tr("port {port} cannot be used: {why}", port=port, why=why_refused(error)), "give another one to --serve"
        ) from error
    except KeyboardInterrupt:
        pass
    return 0


def fresh_folder(store: Path) -> Path:
    """The folder for the graph: in `store` if it is free or an earlier demonstration, otherwise in a temporary
    folder.
    """
    note = store / "README.txt"
    if note.is_file() and note.read_text("utf-8") == OURS:
        shutil.rmtree(store)
    if store.is_file() or (store.is_dir() and any(store.iterdir())):
        store = Path(tempfile.mkdtemp(prefix="ontocrawl-demo-"))
    store.mkdir(parents=True, exist_ok=True)
    (store / "README.txt").write_text(OURS, "utf-8")
    return store / "store"


def comparison(found: Mapping[str, Sequence[str]], marks: Mapping[str, Mark]) -> Iterable[Row]:
    """A row for each strategy and point: pages fetched, how many of them are targets by `marks`, harvest rate."""
    targets = sum(mark.target for mark in marks.values())
    for strategy, pages in found.items():
        for share in AFTER:
            first = pages[: round(share * len(pages))]
            hits = sum(page in marks and marks[page].target for page in first)
            yield {
                tr("strategy"): strategy,
                tr("pages"): len(first),
                tr("targets found (of {targets})", targets=targets): hits,
                tr("harvest rate"): f"{hits / max(len(first), 1):.0%}",
            }


def _crawl(strategy: str, store: str, delay: float, max_pages: int) -> list[str]:
    """Crawl the freshly served demonstration web. Gives the pages in the order in which they were answered."""
    with WebServer(read_sites()) as server:
        settings = Settings(
            ontology=str(ONTOLOGY),
            seeds=(str(SEEDS),),
            max_pages=max_pages,
            store=store,
            strategy=strategy,
            threshold=THRESHOLD,
            proxy=server.proxy,
            delay=delay,
            connections=1,  # the server answers so fast that more connections would only fetch worse pages
        )
        with watching(lambda: max_pages) as observe:
            progress = carry_out(make_plan(settings), settings, observe)
        if progress.stopped == "interrupted":
            raise KeyboardInterrupt  # the crawl handles Ctrl-C itself; here it ends the whole demonstration
        show(_indented(summary(progress, store)))
        return server.pages()


def _ask(store: Store) -> str:
    """Show the graph's answers. Gives the address of its best page."""
    best, cypher = store.ask("demo", "best"), statements("demo")
    show(tr("\nThe ten best articles and their reasons\n"))
    for row in best:
        show("\n".join(_with_reasons(row)))
    for name, title in QUESTIONS.items():
        rows = store.ask("demo", name)
        show(f"\n{tr(title)}\n\n{_indented(cypher[name])}\n\n{_indented(as_table(rows, INDENT))}")
    return str(best[0]["url"]) if best else "URL"


def _with_reasons(row: Row) -> Iterable[str]:
    yield fitted(f"  {row['relevance']:.3f}  ", str(row["title"]))
    yield f"         {readable(str(row['url']))}"
    reasons = row["reasons"]
    if isinstance(reasons, list | tuple):
        yield from (fitted("           ", reason_told(reason)) for reason in reasons[:3])


def _indented(text: str) -> str:
    return "\n".join(" " * INDENT + line for line in text.splitlines())


def _next_steps(folder: Path, page: str) -> str:
    command, store = command_word(), store_words(str(folder))
    return "\n".join(
        (
            tr("\nThe crawl stays in {folder}. Go on with it:\n", folder=folder),
            f"  {command} results{store}",
            f"  {command} status{store}",
            f"  {command} explain{store} {shlex.quote(page)}",
            f'  {command} query{store} "MATCH (p:Page) RETURN p.status, count(*) AS pages"\n',
            tr(
                "Your own topic: save an ontology in Protégé as topic.owl, or begin with a copy\n"
                "of the one about tea. Name the pages where the crawl is to begin.\n"
            ),
            f"  cp {shlex.quote(str(ONTOLOGY))} topic.owl",
            f"  {command} ontology check topic.owl",
            f"  {command} crawl --ontology topic.owl --seeds https://en.wikipedia.org/wiki/Tea --max-pages 50",
            f"  {command} results",
        )
    )
