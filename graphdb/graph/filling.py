"""Fills a graph from the record of a crawl: a Neo4j server, or the embedded engine, by the same statements.

Theory. A graph that is new gets all rows: sites, pages, then what leads from each page, so that both ends of a relation
exist. Each part is one transaction, which also notes how far the graph is filled, so filling goes on where it was
interrupted. From then on it gets what has changed (`graphdb.record.noted_changes`), in the same order: first the
properties of pages, then what leads from pages, which is removed and put again. A row is read as it is now, not as it
was when its change was noted: a link to a page that the graph does not have yet is left out, because a later change
brings the link again.

What a person sets in a graph stays: a mark (`verdict`) is written only where the record's has changed.
"""

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import groupby
from operator import itemgetter

from graphdb.cypher.statements import statements
from graphdb.neo4j.bolt_driver import Connection, StatementRunner
from graphdb.record.batch_rows import parts
from graphdb.record.noted_changes import (
    Changed,
    NotedChanges,
    Row,
    all_rows,
    keys_after,
    last_change,
    next_changes,
    page_rows,
    relation_rows,
    site_rows,
)
from ontology.errors import StoreError
from ontology.messages import message
from semantic.records import Mark

PAGES_AT_ONCE = 2000  # in one transaction, without texts; chosen, not measured
TEXTS_AT_ONCE = 200  # the same with texts; chosen, not measured
CHANGES_AT_ONCE = 10_000  # in one transaction; chosen, not measured
ROWS_AT_ONCE = 2000  # in one statement; chosen, not measured
PORTION = 5000  # links or mentions in one statement; chosen, not measured
ALL = 2**62  # more changes than any record has
FIRST = ("sites", "pages", "relations")  # stages of filling a new graph
AGAIN = ("changed pages", "changed relations")  # stages of bringing changes
WAITING = ("url", "status", "host", "depth", "priority", "redirects", "found", "reasons", "shares")
SCHEMA_AT_FIRST = ("page_url", "site_host", "concept_iri", "crawl_id")

Progress = Callable[[str, int], None]  # stage, rows done


@dataclass(frozen=True, slots=True)
class State:
    """How far a graph is filled, as the graph knows it.

    - `crawl`: the id of the crawl. `graph`: an id that the graph was given when it was begun.
    - `change`: the last change of the record that is in it.
    - `contents`: whether its pages get their texts.
    - `stage`: what is under way, "" if nothing is; `after`: what of it is done, up to this key or change (as text for
      hosts); `until`: the last change that it brings.
    """

    crawl: str
    graph: str
    change: int
    contents: bool
    stage: str
    after: int | str
    until: int = 0


def fill(
    source: NotedChanges,
    graph: Connection,
    name: str,
    progress: Progress = lambda stage, done: None,
    *,
    with_contents: bool = False,
) -> None:
    """Bring a graph up to what the record has now. `name`: by which the record knows the graph.

    Raises StoreError if the graph has another crawl, or if the record does not know how it was filled.
    """
    state = _begin(source, graph, name, with_contents=with_contents)
    filling = _Filling(source, graph, progress, state)
    if filling.state.stage in FIRST:
        filling.fill_new()
    while filling.follow():
        pass
    if filling.state.change != state.change or state.stage:  # a note is a write, and a crawl fills once a second
        source.note(name, filling.state.change)


def state_of(graph: Connection) -> State | None:
    """How far a graph is filled; None for an empty one. Raises StoreError for what no record has filled."""
    row = next(iter(graph.read(statements("fill")["crawl"])), None)
    if row is None:
        if list(graph.read(statements("fill")["is_empty"])):
            raise StoreError("the graph contains something else than a crawl", "give an empty database")
        return None
    if row["filled"] is None:
        raise StoreError("the graph was made by another version of ontocrawl", "give an empty database")
    return State(**json.loads(row["filled"]))


def follows(source: NotedChanges, state: State, name: str) -> bool:
    """Whether a graph in this state was filled from this record, and not from a later one in whose place an older copy
    was put.
    """
    known = source.graph(name)
    with source.reading() as run:
        return known is not None and known.id == state.graph and state.change <= last_change(run)


def empty(graph: Connection, progress: Progress) -> None:
    """Remove everything from a graph."""
    gone = 0
    while some := graph.write(lambda run: run(statements("fill")["empty"]))[0]["nodes"]:
        gone += some
        progress("emptied", gone)


def marks_in(source: NotedChanges, graph: Connection, name: str) -> Mapping[str, Mark | None]:
    """The marks that a person has set in a graph since it was filled: address -> mark, or None for none."""
    state = state_of(graph)
    if state is None or not follows(source, state, name):
        return {}
    there = {row["url"]: row["verdict"] for row in graph.read(statements("fill")["verdicts"])}
    with source.reading() as run:
        rows = all_rows(run, "verdicts")
        changed = next_changes(run, state.change, last_change(run), ALL).verdicts
        newer = {row["url"] for row in relation_rows(run, "ways", changed)}  # marks that the graph does not have yet
    here = {row["url"]: row["verdict"] for row in rows}
    return {
        url: there.get(url)
        for url in dict.fromkeys([*there, *here])
        if there.get(url) != here.get(url) and url not in newer
    }


def _begin(source: NotedChanges, graph: Connection, name: str, *, with_contents: bool) -> State:
    """The state of the graph, which is made for this crawl if it is empty."""
    with source.reading() as run:
        crawl = next(iter(all_rows(run, "crawl")), None)
    if crawl is None:
        raise StoreError("there is no crawl in this store", "crawl into it first, or give the right one")
    state = state_of(graph)
    if state is not None:
        if state.crawl != crawl["id"]:
            raise StoreError(
                message("{name} holds another crawl", name=name), "give an empty database, or another store"
            )
        anew = message("run {command} copy --to {name} --anew, which empties the graph first", name=name)
        if not follows(source, state, name):
            raise StoreError(
                message("what {name} lacks of this crawl is not known: it was filled from a copy", name=name), anew
            )
        if with_contents and not state.contents:
            raise StoreError(message("{name} was filled without the contents of pages", name=name), anew)
        return state
    graph.define({one: statements("schema")[one] for one in SCHEMA_AT_FIRST})
    new = secrets.token_hex(8)
    state = State(crawl["id"], new, source.admit(name, new), with_contents, FIRST[0], "")
    graph.write(lambda run: run(statements("fill")["put_crawl"], id=crawl["id"], set={**crawl, "filled": _text(state)}))
    return state


def _text(state: State) -> str:
    return json.dumps(asdict(state))


class _Filling:
    """A graph that is being filled."""

    def __init__(self, source: NotedChanges, graph: Connection, progress: Progress, state: State) -> None:
        self.state = state
        self._source = source
        self._graph = graph
        self._progress = progress
        self._done = 0

    def fill_new(self) -> None:
        """Fill a new graph, or go on with that. The next part is read while one is written."""
        with ThreadPoolExecutor(1, "reading") as thread:
            coming = thread.submit(self._read_first, self.state)
            while self.state.stage:
                rows, number, after = coming.result()
                if after.stage:
                    coming = thread.submit(self._read_first, after)
                else:  # before the graph says that it is filled; an index of all pages at once takes a fraction
                    define_schema(self._graph)
                stage = self.state.stage
                self._commit(rows, after)
                self._done += number
                self._progress(stage, self._done)
                if after.stage != stage:
                    self._done = 0

    def _read_first(self, state: State) -> tuple["_Rows", int, State]:
        """A part of a stage: its rows, their number, and the state of a graph that has it."""
        stage, is_site = state.stage, state.stage == "sites"
        most = TEXTS_AT_ONCE if state.contents and stage == "pages" else PAGES_AT_ONCE
        with self._source.reading() as run:
            keys = keys_after(run, "sites" if is_site else "pages", state.after, most)
            rows = _Rows(run, self._graph.has_labels)
            if is_site:
                rows.sites(keys)
            elif stage == "pages":
                rows.pages(keys, with_contents=state.contents)
            else:
                rows.relations(keys, with_contents=state.contents)
            if len(keys) == most:
                return rows, len(keys), replace(state, after=keys[-1])
            rows.everything_small()
            following = (*FIRST, "")[FIRST.index(stage) + 1]
            return rows, len(keys), replace(state, stage=following, after=0)

    def follow(self) -> bool:
        """Bring a part of what has changed since; False if nothing has."""
        with self._source.reading() as run:
            state = self.state
            if not state.stage:
                until = last_change(run)
                if until == state.change:
                    return False
                state = replace(state, stage=AGAIN[0], after=state.change, until=until)
            changed = next_changes(run, int(state.after), state.until, CHANGES_AT_ONCE)
            write = _Rows(run, self._graph.has_labels)
            if state.stage == AGAIN[0]:
                write.changed_pages(changed, with_contents=state.contents)
            else:
                write.relations(changed.relations, with_contents=state.contents, again=True)
        if changed.up_to < state.until:
            after = replace(state, after=changed.up_to)
        elif state.stage == AGAIN[0]:
            after = replace(state, stage=AGAIN[1], after=state.change)
        else:
            after = replace(state, stage="", after=0, change=state.until)
        self._commit(write, after)
        if state.stage == AGAIN[0]:
            self._done += len(changed.pages)
            self._progress("changes", self._done)
        return True

    def _commit(self, rows: "_Rows", after: State) -> None:
        def work(run: StatementRunner) -> None:
            (row,) = run(statements("fill")["crawl"])
            if row["filled"] == _text(after):  # repeated, because the answer to the commit was lost
                return
            rows.write(run)
            run(statements("fill")["note"], filled=_text(after))

        self._graph.write(work)
        self.state = after


class _Rows:
    """Rows of the record, read at once, and the statements that write them."""

    def __init__(self, record: sqlite3.Connection, labels: bool) -> None:
        self._record = record
        self._labels = labels
        self._steps: list[Callable[[StatementRunner], object]] = []

    def write(self, run: StatementRunner) -> None:
        """Write all rows that were read."""
        for step in self._steps:
            step(run)

    def changed_pages(self, found: Changed, *, with_contents: bool) -> None:
        """What has changed, without what leads from pages."""
        self.sites(found.sites)
        self.everything_small(concepts=found.concepts, traps=found.traps)
        self.pages(found.pages, with_contents=with_contents)
        marked = [
            {"url": row["url"], "verdict": row["set"]["verdict"]}
            for row in page_rows(self._record, found.verdicts, with_contents=False)
        ]
        self._add("set_verdicts", marked)

    def everything_small(self, *, concepts: bool = True, traps: bool = True) -> None:
        """The crawl, its concepts and its traps."""
        (crawl,) = all_rows(self._record, "crawl")
        self._steps.append(lambda run: run(statements("fill")["put_crawl"], id=crawl["id"], set=crawl))
        if concepts:
            rows = all_rows(self._record, "concepts")
            self._add("put_concepts", rows)
            self._steps.append(lambda run: run(statements("fill")["remove_concepts"], iris=[r["iri"] for r in rows]))
            self._steps.append(lambda run: run(statements("fill")["forget_narrower"]))
            self._add("put_narrower", all_rows(self._record, "narrower"))
        if traps:
            self._steps.append(lambda run: run(statements("fill")["forget_traps"]))
            self._add("put_traps", all_rows(self._record, "traps"))

    def sites(self, hosts: Sequence[str]) -> None:
        """These sites."""
        self._add("put_sites", site_rows(self._record, hosts))

    def pages(self, numbers: Sequence[int], *, with_contents: bool) -> None:
        """These pages with their properties and labels."""
        rows = page_rows(self._record, numbers, with_contents=with_contents)
        self._steps.append(lambda run: self._write_pages(run, rows))

    def relations(self, numbers: Sequence[int], *, with_contents: bool, again: bool = False) -> None:
        """What leads from these pages; `again`: instead of what leads from them now."""
        ways = list(relation_rows(self._record, "ways", numbers))
        if again and ways:
            urls = [row["url"] for row in ways]
            self._steps.append(lambda run: run(statements("fill")["forget_relations"], urls=urls))
            self._steps.append(lambda run: run(statements("fill")["forget_seeds"], urls=urls))
        for statement, column in (("put_parents", "parent"), ("put_copies", "copy_of"), ("put_seeds", "is_seed")):
            self._add(statement, [row for row in ways if row[column] is not None])
        for kind, key in (("links", "source"), ("mentions", "url")):
            found = relation_rows(self._record, kind, numbers, with_contents=with_contents)
            for some in _portions([(url, list(rows)) for url, rows in groupby(found, itemgetter(key))]):
                self._add(f"put_{kind}", some)

    def _add(self, statement: str, rows: Sequence[Row]) -> None:
        for some in parts(rows, ROWS_AT_ONCE):
            self._steps.append(partial(_run, statement=statement, rows=some))

    def _write_pages(self, run: StatementRunner, rows: Sequence[Row]) -> None:
        known = statements("fill")
        for some in parts(rows, ROWS_AT_ONCE):
            there = set(run(known["existing"], urls=[row["url"] for row in some])[0]["urls"])
            waiting: list[Row] = []
            others: list[Row] = []
            stored: list[Row] = []
            for row in some:
                (stored if row["url"] in there else waiting if _only_waits(row["set"]) else others).append(row)
            for statement, written in (
                ("add_labelled_waiting" if self._labels else "add_waiting", [row["set"] for row in waiting]),
                ("add_pages", others),
                ("update_pages", list(map(_without_mark, stored))),
            ):
                if written:
                    run(known[statement], rows=written)
            labelled = [*stored, *others, *(row for row in waiting if row["is_seed"])]
            if self._labels and labelled:
                labels = ("url", "is_seed", "is_copy")
                run(known["label_pages"], rows=[{name: row[name] for name in labels} for row in labelled])


def _portions(items: Iterable[tuple[str, list[Row]]]) -> Iterator[list[Row]]:
    """Rows {url, items} in lists of at most PORTION items; a page with more is spread over several rows."""
    rows: list[Row] = []
    size = 0
    for key, found in items:
        for start in range(0, len(found), PORTION):
            part = found[start : start + PORTION]
            if size + len(part) > PORTION:
                yield rows
                rows, size = [], 0
            rows.append({"url": key, "items": part})
            size += len(part)
    if rows:
        yield rows


def _run(run: StatementRunner, statement: str, rows: Sequence[Row]) -> None:
    run(statements("fill")[statement], rows=rows)


def _without_mark(row: Row) -> Row:
    """A page of the graph with its new properties: a mark stays as a person has set it there."""
    return {"url": row["url"], "set": {name: value for name, value in row["set"].items() if name != "verdict"}}


def _only_waits(properties: Row) -> bool:
    """Whether a page has no other properties than those of a page that waits."""
    return properties["status"] == "queued" and not any(
        value is not None and name not in WAITING for name, value in properties.items()
    )


def define_schema(graph: Connection) -> None:
    """Create the constraints and indexes that do not exist yet."""
    graph.define(statements("schema"))
    if graph.has_labels:
        graph.define(statements("browser_schema"))
