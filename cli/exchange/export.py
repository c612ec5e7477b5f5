"""`ontocrawl export`: a crawl's record in files for Excel, Gephi, pandas, RDF tools and readers of web archives."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path

from cli.exchange.graph_files import write_gexf, write_graphml
from cli.exchange.table_files import EXCEL_CELL, EXCEL_ROWS, check_parquet, write_csv, write_jsonl, write_parquet
from cli.exchange.turtle_file import write_turtle
from cli.exchange.written_files import Place, check_place, written_beside
from cli.render.language import later, listed, tr
from cli.render.terminal import say, show
from crawler.archive.rebuilt_pages import REBUILT, rebuilt_records
from crawler.archive.stored_pages import stored_answers
from crawler.archive.warc_format import pack_info
from crawler.fetch.client import USER_AGENT
from graphdb.record.exported_record import Column, ExportedRecord, Row, Which
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError, StoreError

TELL_EVERY = 50_000  # rows
ROWS: dict[str, Callable[[Path, Sequence[Column], Iterable[Row]], int | None]] = {
    "csv": write_csv,
    "jsonl": write_jsonl,
    "parquet": write_parquet,
}
GRAPHS = {"graphml": write_graphml, "gexf": write_gexf}


class Form(StrEnum):
    """How a crawl is written: in a folder of tables, or in one file."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    GRAPHML = "graphml"
    GEXF = "gexf"
    TTL = "ttl"
    WARC = "warc"


class Pages(StrEnum):
    """Which pages are written."""

    ALL = "all"
    FETCHED = "fetched"
    ON_TOPIC = "on-topic"


class Text(StrEnum):
    """Which text of pages is written: all of it, or what each page says itself."""

    ALL = "all"
    MAIN = "main"


COUNTED = (
    later("pages"),
    later("links"),
    later("mentions"),
    later("concepts"),
    later("sites"),
    later("crawl"),
    later("answers"),
)  # kinds of rows


class Counting:
    """Passes rows on, says now and then how many there were, and knows the number of each kind at the end."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}

    def __call__(self, what: str, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows."""
        self.rows[what] = 0
        for row in rows:
            self.rows[what] += 1
            if self.rows[what] % TELL_EVERY == 0:
                say(f"{self.rows[what]:,} {tr(what)}")
            yield row


def run(store: str, form: Form, out: Path | None, pages: Pages, *, text: Text | None = None) -> int:
    """Write the crawl of a store; exit code 0. Raises StoreError and SettingsError."""
    if form is Form.PARQUET:
        check_parquet()
    goal = out or Path(f"ontocrawl-export.{form}" if form in ("graphml", "gexf", "ttl") else _default(form))
    check_place(goal)
    _check_goal(goal, form)
    counting = Counting()
    which: Which = pages.value
    with (
        contextlib.closing(open_store(store, create=False)) as opened,
        opened.exported(which, text=text.value if text else None) as record,
    ):
        if not record.crawl():
            raise StoreError("there is no crawl to export", "crawl into this store first, or give the right one")
        say(tr("reading the record ..."))
        with written_beside() as place:
            _writer(form)(goal, record, counting, place, opened)
    show(
        tr(
            "wrote {names} to {goal}",
            names=listed((f"{number:,} {tr(what)}" for what, number in counting.rows.items())),
            goal=goal,
        )
    )
    return 0


def _is_one_table(form: Form, goal: Path) -> bool:
    """Whether the table of pages alone is wanted, in one file."""
    return form in ROWS and goal.suffix == f".{form}"


def _default(form: Form) -> str:
    return "ontocrawl-export.warc.gz" if form is Form.WARC else f"ontocrawl-export-{form}"


def _check_goal(goal: Path, form: Form) -> None:
    if form in ROWS and not _is_one_table(form, goal) and goal.exists() and not goal.is_dir():
        raise SettingsError(
            tr("{goal} is a file; {form} makes a folder of tables", goal=goal, form=form),
            tr("give -o a folder; or a name like pages.{form}, for the table of pages alone", form=form),
        )
    if (form not in ROWS or _is_one_table(form, goal)) and goal.is_dir():
        raise SettingsError(
            tr("{goal} is a folder; {form} is one file", goal=goal, form=form),
            tr("give -o a file, as in -o {goal}/crawl.{form}", goal=goal, form=form),
        )


Writer = Callable[[Path, ExportedRecord, Counting, Place, Store], None]


def _writer(form: Form) -> Writer:
    return {Form.TTL: _turtle, Form.WARC: _warc}.get(form) or (
        lambda goal, record, counting, place, store: (
            _tables(form, goal, record, counting, place)
            if form in ROWS
            else _graph(form, goal, record, counting, place)
        )
    )


def _tables(form: Form, goal: Path, record: ExportedRecord, counting: Counting, place: Place) -> None:
    is_one = _is_one_table(form, goal)
    for name, columns, rows in islice(record.tables(), 1 if is_one else None):
        too_long = ROWS[form](place(goal if is_one else goal / f"{name}.{form}"), columns, counting(name, rows))
        if too_long:
            say(
                tr(
                    "{name}.csv has {number:,} cells with more than {limit:,} characters, the most that Excel holds; "
                    "R, pandas and ontocrawl import read all of them",
                    name=name,
                    number=too_long,
                    limit=EXCEL_CELL,
                )
            )
        if form is Form.CSV and counting.rows[name] >= EXCEL_ROWS:
            say(
                tr(
                    "{name}.csv has more rows than a sheet of Excel ({excel_rows:,}); other programs read all of it",
                    name=name,
                    excel_rows=EXCEL_ROWS,
                )
            )


def _graph(form: Form, goal: Path, record: ExportedRecord, counting: Counting, place: Place) -> None:
    pages, links = counting("pages", record.pages()), counting("links", record.links())
    GRAPHS[form](place(goal), record.page_columns, pages, links)


def _turtle(goal: Path, record: ExportedRecord, counting: Counting, place: Place, _: Store) -> None:
    write_turtle(place(goal), record, counting)


def _warc(goal: Path, record: ExportedRecord, counting: Counting, place: Place, store: Store) -> None:
    head, info = pack_info(goal.name, datetime.now(UTC), USER_AGENT, REBUILT)
    counting.rows = {"answers": 0}
    left_out = 0
    with place(goal).open("wb") as file:
        file.write(head)
        for _, packed in rebuilt_records(stored_answers(store.stored_pages()), record.moment, info):
            if packed is None:
                left_out += 1
                continue
            file.write(packed)
            counting.rows["answers"] += 1
            if counting.rows["answers"] % TELL_EVERY == 0:
                say(tr("{answers:,} answers", answers=counting.rows["answers"]))
    if left_out:
        say(tr("left out: {left_out:,} feeds and sitemaps, which are lists of links and no pages", left_out=left_out))
