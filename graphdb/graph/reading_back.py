"""Reads a graph that was filled from a record: to compare both, or to make the record again on another machine."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from graphdb.cypher.statements import statements
from graphdb.graph.filling import ALL, Progress, State, state_of
from graphdb.neo4j.bolt_driver import Connection
from graphdb.record.batch_rows import parts
from graphdb.record.database import Database
from graphdb.record.noted_changes import (
    DATA,
    REASONS,
    NotedChanges,
    Row,
    keys_after,
    last_change,
    next_changes,
    page_rows,
    relation_rows,
)
from ontology.errors import StoreError
from ontology.messages import SEMICOLON, joined, message

PAGES_AT_ONCE = 500  # chosen, not measured
CONTENTS_CURE = message("copy it once more from the machine that has its record: {command} copy --with-contents --anew")


def compare(source: NotedChanges, graph: Connection, progress: Progress = lambda stage, done: None) -> dict[str, int]:
    """Read a filled graph back and compare it with the record, page by page. Returns the numbers of rows by kind.

    Pages that a running crawl has changed since the graph was filled are left out. Raises StoreError with what differs.
    """
    state = state_of(graph)
    assert state is not None, "it has just been filled"
    done, last, differing = 0, 0, list[str]()
    with source.reading() as run:
        newer = next_changes(run, state.change, last_change(run), ALL)
        skipped = {*newer.pages, *newer.relations}
        while keys := keys_after(run, "pages", last, PAGES_AT_ONCE):
            last = keys[-1]
            differing += _differing(run, graph, [key for key in keys if key not in skipped], state)
            done += len(keys)
            progress("compared", done)
    counted = source.counts()
    (there,) = graph.read(statements("fill")["counts"])
    if not skipped:
        differing += [
            message("{kind}: {mine:,} and {theirs:,}", kind=kind, mine=counted[kind], theirs=there[kind])
            for kind in counted
            if counted[kind] != there[kind]
        ]
    if differing:
        raise StoreError(
            message("the graph differs from the record: {found}", found=joined(differing[:5], SEMICOLON)),
            "run the same copy with --anew, which empties the graph first",
        )
    return counted


def _differing(run: sqlite3.Connection, graph: Connection, keys: Sequence[int], state: State) -> Iterator[str]:
    """The addresses of pages that differ, in properties or in what leads from them."""
    pages = page_rows(run, keys, with_contents=state.contents)
    urls = [row["url"] for row in pages]
    here: dict[str, list[Any]] = {row["url"]: [_present(row["set"], ("verdict",))] for row in pages}
    there: dict[str, list[Any]] = {row["url"]: [_present(row, ("verdict",))] for row in _rows(graph, "pages_of", urls)}
    for row in relation_rows(run, "links", keys, with_contents=state.contents):
        here[row["source"]].append((row["target"], _present(row, ("source", "target"))))
    for row in relation_rows(run, "mentions", keys):
        here[row["url"]].append((row["iri"], _present(row, ("url", "iri"))))
    for url, end, found in [*_rows(graph, "links_of", urls), *_rows(graph, "mentions_of", urls)]:
        there.setdefault(url, []).append((end, _present(found)))
    for row in relation_rows(run, "ways", keys):
        here[row["url"]].append(("", {"parent": row["parent"], "copy_of": row["copy_of"]}))
    for row in _rows(graph, "ways_of", urls):
        there.setdefault(row["url"], []).append(("", {"parent": row["parent"], "copy_of": row["copy_of"]}))
    return (url for url in urls if _sorted(here[url]) != _sorted(there.get(url, [])))


def _sorted(found: Iterable[Any]) -> list[str]:
    return sorted(map(repr, found))


def _present(row: Row, without: Sequence[str] = ()) -> list[tuple[str, Any]]:
    """What there is of a row, in one form for both."""
    return sorted(
        (name, bytes(value) if isinstance(value, bytes | bytearray) else value)
        for name, value in row.items()
        if value is not None and name not in without
    )


def restore(graph: Connection, database: Database, progress: Progress = lambda stage, done: None) -> None:
    """Make a record, which is empty, from a graph that was filled with contents. What the strategy remembered is not in
    a graph, and traps have only their sentences: a crawl that goes on learns and finds them again.

    Raises StoreError if the graph holds no whole crawl (`check_whole`).
    """
    check_whole(graph)
    known = statements("fill")
    urls = sorted(row["url"] for row in graph.read(known["addresses"]))
    numbers = {url: number for number, url in enumerate(urls, 1)}
    seeds = {row["url"] for row in graph.read(known["all_seeds"])}
    with database.writing() as run:
        for table in ("crawl", "sites", "concepts"):
            for row in graph.read(known[f"all_{table}"]):
                _insert(run, table, {name: value for name, value in row["set"].items() if name != "filled"})
        concepts = {iri: number for iri, number in run.execute("SELECT iri, id FROM concepts")}
        for row in graph.read(known["all_narrower"]):
            _insert(run, "narrower", {"concept": concepts[row["iri"]], "narrower": concepts[row["narrower"]]})
        for some in parts(urls, PAGES_AT_ONCE):
            ways = {row["url"]: row for row in _rows(graph, "ways_of", some)}
            for row in _rows(graph, "pages_of", some):
                url = row["url"]
                content = row.pop("content", None)
                found = {name: numbers.get(ways[url][name]) for name in ("parent", "copy_of")}
                _insert(run, "pages", {**row, **found, "id": numbers[url], "is_seed": 1 if url in seeds else None})
                if content is not None:
                    _insert(run, "contents", {"page": numbers[url], "content": bytes(content)})
            for url, target, row in _rows(graph, "links_of", some):
                _insert(run, "links", {**row, "source": numbers[url], "target": numbers[target]})
            for url, iri, row in _rows(graph, "mentions_of", some):
                _insert(run, "found_mentions", {**row, "page": numbers[url], "concept": concepts[iri]})
            progress("pages", numbers[some[-1]])


def check_whole(graph: Connection) -> None:
    """Raise StoreError if a record cannot be made from the graph."""
    state = state_of(graph)
    if state is None:
        raise StoreError("there is no crawl in this graph", "give another --from")
    if state.stage or not state.contents:
        raise StoreError("the graph has not everything of its crawl: the texts of pages are missing", CONTENTS_CURE)


def _insert(run: sqlite3.Connection, table: str, row: Row) -> None:
    """Insert a row, as the record stores it: with reasons as data."""
    stored = {name.removesuffix(DATA): row[name] for name in row if name not in (*REASONS, "shares")}
    if "names" in stored:
        stored["names"] = json.dumps(stored["names"], ensure_ascii=False)
    columns = ", ".join(f'"{name}"' for name in stored)
    run.execute(f"INSERT INTO {table} ({columns}) VALUES ({', '.join(':' + name for name in stored)})", stored)


def _rows(graph: Connection, kind: str, urls: Sequence[str]) -> list[Any]:
    return list(next(iter(graph.read(statements("fill")[kind], urls=urls)))["rows"]) if urls else []
