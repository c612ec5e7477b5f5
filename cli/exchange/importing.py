"""`ontocrawl import`: pages and links that another crawler, or another crawl, has left, judged and put into a store.

All pages are read and judged by the session of a crawl, with the archive in place of the network: so duplicates,
languages, listings, relevance and the places of links are what they would be in a crawl. Every page is asked for by
its address, in the order of the file; nothing else is. Links to other pages wait.

Memory holds the addresses, never all pages or links: links of a table are laid out in a temporary database by their
pages, the archive in a temporary file (`crawler.archive.warc_source`), and addresses are queued some at a time.
"""

import contextlib
import json
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from cli.crawl_register import registered
from cli.crawling.crawl import Plan, carry_out, has_begun, make_plan, seed_records
from cli.crawling.crawl_parts import captioned
from cli.exchange.table_files import read_csv
from cli.exits import ExitCode
from cli.inputs.given_files import check_given
from cli.interrupts import interruptible
from cli.render.language import listed, tr
from cli.render.live_progress import import_summary, watching
from cli.render.terminal import say, show
from cli.settings import DEFAULT_STRATEGY, Settings, check_threshold
from cli.store_option import store_words
from crawler.archive.table_pages import ADDRESS, FROM_TABLE, MARKUP, MOST, TEXT, Links, Row, first_of, table_records
from crawler.archive.warc_format import pack_info
from crawler.archive.warc_source import ArchiveSource
from crawler.fetch.client import USER_AGENT
from graphdb.record.batch_rows import parts
from graphdb.store_folder import MEMORY
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError
from semantic.urls import is_robots_url, normalise

PAGES, LINKS = "pages.csv", "links.csv"
SOURCE, TARGET, WORDS = ("source", "from", "url"), ("target", "to", "link"), ("anchor", "text", "label")
TELL_EVERY = 10_000  # rows
QUEUED_AT_ONCE = 20_000  # addresses in one transaction; chosen, not measured
# Pages asked for at once, so that pages are judged together: with one at a time, as of a single host on the network,
# a page of an archive of 7,000 took 44 ms of processor time instead of 18.
AT_ONCE = 64
LINKS_AT_ONCE = 10_000  # rows written at once; chosen, not measured
SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """What is imported, and how it is judged."""

    path: Path
    ontology: Path
    store: str
    links: Path | None = None
    threshold: float | None = None
    strategy: str = DEFAULT_STRATEGY
    lang: str | None = None


def run(wanted: Import) -> int:
    """Read, judge, store; exit code 0, 1 without a single page, 130 interrupted (the same command goes on)."""
    check_threshold(wanted.threshold)
    check_given("FILE", wanted.path, tr("give a WARC or WACZ file, a folder of them, or a table of pages (CSV)"))
    if wanted.links:
        check_given("--links", wanted.links, tr("give --links a CSV file with the columns source and target"))
    with tempfile.TemporaryDirectory(prefix="ontocrawl-import-") as folder:
        archive = _archive(wanted, Path(folder))
        addresses = _addresses(archive)
        settings = Settings(
            ontology=str(wanted.ontology),
            seeds=(addresses[0],),
            max_pages=len(addresses),
            max_depth=0,
            store=wanted.store,
            strategy=wanted.strategy,
            threshold=wanted.threshold,
            archive=str(archive),
            delay=0.0,
            connections=AT_ONCE,
            per_host=AT_ONCE,
            lang=wanted.lang,
        )
        plan = replace(make_plan(settings), seeds=())
        if wanted.store == MEMORY:
            raise SettingsError(tr("--store {store} keeps nothing", store=wanted.store), "give a folder")
        with contextlib.closing(open_store(wanted.store)) as store:
            _check_free(store, wanted)
            requested = store.requested()
            _queue(plan, store, addresses)
        with watching(lambda: len(addresses)) as shown, registered(settings, shown) as observe:
            progress = carry_out(plan, settings, observe)
    with has_begun(), interruptible() as ending, contextlib.closing(open_store(wanted.store)) as store, ending.saving():
        store.keep_requested(*requested)  # the archive was asked, no server
        if progress.stopped == "interrupted":
            show(
                tr(
                    "interrupted: {pages:,} pages are kept; the same command goes on with the others",
                    pages=progress.pages,
                )
            )
            return ExitCode.INTERRUPTED
        seeds = store.find_ways()
        store.save_settings(_kept_settings(settings, wanted))
    show(import_summary(progress, len(addresses), seeds))
    words = store_words(wanted.store)
    show(tr("\nNext:\n  {command} report{store}\n  {command} status{store}", store=words))
    return ExitCode.DONE if progress.pages else ExitCode.NOT_GOOD


def _kept_settings(settings: Settings, wanted: Import) -> str:
    """The settings with which the crawl of the imported pages goes on."""
    kept = {**asdict(settings), "archive": str(wanted.path.resolve()), "max_depth": None}
    kept["ontology"] = str(wanted.ontology.resolve())
    return json.dumps(kept, ensure_ascii=False, sort_keys=True)


def _check_free(store: Store, wanted: Import) -> None:
    """An import goes on where it was broken off; any other crawl would lose its seeds, depths and settings.

    Raises SettingsError where the store has such a crawl.
    """
    for row in store.ask("status", "crawl"):
        kept = json.loads(str(row["settings"]))
        is_unfinished = kept["max_depth"] == 0 and kept["archive"]
        if not is_unfinished and kept["archive"] != str(wanted.path.resolve()):
            raise SettingsError(
                tr("{store} holds a crawl that is no import of {path}", store=wanted.store, path=wanted.path),
                tr(
                    "give --store a new folder, and bring both together: {command} crawls merge ./new --into {store}",
                    store=wanted.store,
                ),
            )


def _queue(plan: Plan, store: Store, addresses: Sequence[str]) -> None:
    """Have all addresses wait in the store, in their order. Those that have been read are not asked for again."""
    say(tr("queueing {number:,} addresses ...", number=len(addresses)))
    concepts = captioned(plan.concepts, plan.language, store)
    for some in parts(seed_records(addresses), QUEUED_AT_ONCE):
        store.open_crawl(plan.record, concepts, some)


def _archive(wanted: Import, folder: Path) -> Path:
    """The WARC file or folder that is given, or one made of the tables."""
    path = wanted.path
    pages = path / PAGES if (path / PAGES).is_file() else path
    if pages.suffix.lower() not in (".csv", ".tsv"):
        return path
    beside = pages.with_name(LINKS)
    links = wanted.links or (beside if beside.is_file() and beside != pages else None)
    return _of_tables(pages, links, folder / "import.warc.gz")


def _of_tables(pages: Path, links: Path | None, archive: Path) -> Path:
    record, info = pack_info(archive.name, datetime.now(UTC), USER_AGENT, FROM_TABLE)
    left_out: list[str] = []
    texts: set[bool] = set()
    number = 0
    with archive.open("wb") as file, _links(links, archive.with_suffix(".links")) as links_of:
        file.write(record)
        for url, packed in table_records(_noting_texts(read_csv(pages), texts), links_of, info):
            number += 1
            if number % TELL_EVERY == 0:
                say(tr("{number:,} rows read", number=number))
            if packed is None:
                left_out.append(url)
            else:
                file.write(packed)
    if left_out:
        named = listed(url or tr("a row without an address") for url in left_out[:SHOWN])
        say(
            tr(
                "left out: {number:,} rows with another status, no usable address, nothing to read, "
                "or more than {size} MB: {named} …",
                number=len(left_out),
                size=MOST // 1_000_000 + 1,
                named=named,
            )
        )
    if number == len(left_out):
        raise SettingsError(
            tr("{pages} has no page in it", pages=pages),
            tr("a row needs a column {address}, and one of title, text or html", address=ADDRESS[0]),
        )
    if True not in texts:
        say(
            tr(
                "no row has text or html: all pages are judged by their titles alone; "
                "{command} export --text all writes the texts, too"
            )
        )
    return archive


def _noting_texts(rows: Iterable[Row], texts: set[bool]) -> Iterator[Row]:
    """Pass the rows on. `texts` then says whether rows had more than a title: True, False, or both."""
    for row in rows:
        texts.add(bool(first_of(row, MARKUP) or first_of(row, TEXT)))
        yield row


@contextlib.contextmanager
def _links(path: Path | None, file: Path) -> Iterator[Links]:
    """The links of a table by their source, in a temporary database."""
    if path is None:
        yield lambda url: ()
        return
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE links (source, target, words)"
        )
        for some in parts(_link_rows(path), LINKS_AT_ONCE):
            database.executemany("INSERT INTO links VALUES (?, ?, ?)", some)
        database.execute("CREATE INDEX by_source ON links (source)")

        def links_of(url: str) -> list[tuple[str, str]]:
            query = "SELECT target, words FROM links WHERE source = ? ORDER BY rowid"
            return database.execute(query, (url,)).fetchall()

        yield links_of


def _link_rows(path: Path) -> Iterator[tuple[str, str, str]]:
    for row in read_csv(path):
        source, target = normalise(first_of(row, SOURCE)), first_of(row, TARGET)
        if source and target:
            yield source, target, first_of(row, WORDS)


def _addresses(archive: Path) -> list[str]:
    source = ArchiveSource(archive)
    for remark in source.remarks:
        say(remark)
    found = [fetched.url for _, fetched in source.answers() if not is_robots_url(fetched.url)]
    if not found:
        raise SettingsError(
            tr("{archive} has no whole answer in it", archive=archive), "give a WARC or WACZ file, or a table of pages"
        )
    return found
