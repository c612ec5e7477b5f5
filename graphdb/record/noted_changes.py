"""What a graph lacks of a record: which graphs are filled from it, what has changed since, and the rows themselves.

Theory. A graph is filled once from all rows. From then on triggers note every change, whoever makes it, so saving knows
nothing of graphs; and a crawl without a graph pays nothing, because the triggers are made for the first graph. A change
has a number that is never used again. A graph keeps the number up to which it is filled, in the transaction that brings
the changes, so each is in it exactly once; the record keeps the same number only to remove what all graphs have.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from graphdb.record.batch_rows import in_sentences, stored_shares
from graphdb.record.database import Database
from graphdb.record.sql_statements import sql

Row = dict[str, Any]

ANY = "TRUE"
# table, event, condition -> what is noted, and its key. The rows of one page are written one after another, so what the
# last change says is not said again.
TRIGGERS = (
    ("pages", "INSERT", ANY, "page", "new.id"),
    ("pages", "INSERT", ANY, "relations", "new.id"),
    ("pages", "UPDATE", ANY, "page", "new.id"),
    ("pages", "UPDATE", "new.verdict IS NOT old.verdict", "verdict", "new.id"),
    (
        "pages",
        "UPDATE",
        "new.parent IS NOT old.parent OR new.copy_of IS NOT old.copy_of OR new.is_seed IS NOT old.is_seed",
        "relations",
        "new.id",
    ),
    ("links", "INSERT", ANY, "relations", "new.source"),
    ("links", "UPDATE", ANY, "relations", "new.source"),
    ("links", "DELETE", ANY, "relations", "old.source"),
    ("found_mentions", "INSERT", ANY, "relations", "new.page"),
    ("found_mentions", "UPDATE", ANY, "relations", "new.page"),
    ("found_mentions", "DELETE", ANY, "relations", "old.page"),
    ("sites", "INSERT", ANY, "site", "new.host"),
    ("sites", "UPDATE", ANY, "site", "new.host"),
    *(("concepts", event, ANY, "concepts", "''") for event in ("INSERT", "UPDATE", "DELETE")),
    *(("traps", event, ANY, "traps", "''") for event in ("INSERT", "UPDATE", "DELETE")),
)
TRIGGER = """CREATE TRIGGER IF NOT EXISTS note_{number} AFTER {event} ON {table}
WHEN ({condition}) AND NOT EXISTS (
  SELECT 1 FROM changes WHERE id = (SELECT max(id) FROM changes) AND kind = '{kind}' AND key = {key}
) BEGIN INSERT INTO changes (kind, key) VALUES ('{kind}', {key}); END"""
# columns of pages that are no properties in a graph: most of them are relations there
RELATIONS = ("id", "parent", "copy_of", "is_seed")
FLAGS = ("on_topic", "leads", "stale", "on_path", "wanted", "banned", "gone", "outdated")
REASONS = ("reasons", "chosen")  # as sentences in a graph; with contents also as they are stored, for `DATA`
DATA = "_data"  # ending of a property that has stored reasons, from which a record can be made again


@dataclass(frozen=True, slots=True)
class Filled:
    """How far a graph is filled, as the record knows it: its id, and the last change that is in it."""

    id: str
    change: int


@dataclass(slots=True)
class Changed:
    """What has changed, up to the change `up_to`.

    The numbers of pages whose properties, relations or marks have changed, the hosts of sites that have changed, and
    whether concepts or traps have.
    """

    up_to: int
    pages: list[int] = field(default_factory=list)
    relations: list[int] = field(default_factory=list)
    verdicts: list[int] = field(default_factory=list)
    sites: list[str] = field(default_factory=list)
    concepts: bool = False
    traps: bool = False


class NotedChanges:
    """The record as the source of graphs. It may be used beside the crawl that writes, from another process."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def graph(self, name: str) -> Filled | None:
        """How far the graph of this name is filled; None if the record has never heard of it."""
        row = next(iter(self._database.read(sql("changes")["graph"], (name,))), None)
        return None if row is None else Filled(*row)

    def servers(self) -> list[str]:
        """The addresses of the servers that are filled from this record."""
        return [name for (name,) in self._database.read(sql("changes")["servers"])]

    def admit(self, name: str, graph: str) -> int:
        """Begin to note changes for a graph, which gets all rows from now on. Returns the last change until now."""
        with self._database.noting() as run:
            for number, (table, event, condition, kind, key) in enumerate(TRIGGERS):
                run.execute(
                    TRIGGER.format(number=number, table=table, event=event, condition=condition, kind=kind, key=key)
                )
            (last,) = run.execute(sql("changes")["last_change"]).fetchone()
            run.execute(sql("changes")["put_graph"], (name, graph, last))
        return int(last)

    def note(self, name: str, change: int) -> None:
        """Note that the graph has all changes up to this one."""
        with self._database.noting() as run:
            run.execute(sql("changes")["note_filled"], (change, name))
            run.execute(sql("changes")["forget_changes"])

    def forget_graphs(self) -> None:
        """Note no changes any more. For a copy of a record: its graphs belong to the original."""
        with self._database.noting() as run:
            for number in range(len(TRIGGERS)):
                run.execute(f"DROP TRIGGER IF EXISTS note_{number}")
            for table in ("graphs", "changes"):
                run.execute(f"DELETE FROM {table}")

    def counts(self) -> dict[str, int]:
        """The number of rows by kind."""
        with self._database.reading() as run:
            return {
                kind: run.execute(f"SELECT count(*) FROM {kind}").fetchone()[0]
                for kind in ("pages", "links", "mentions")
            }

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """One state of the record, for the functions below."""
        return self._database.reading()


def last_change(run: sqlite3.Connection) -> int:
    """The number of the last change."""
    return int(run.execute(sql("changes")["last_change"]).fetchone()[0])


def next_changes(run: sqlite3.Connection, after: int, until: int, most: int) -> Changed:
    """The next changes, at most so many, and none after `until`."""
    (up_to,) = run.execute(sql("changes")["next_portion"], (after, until, most)).fetchone()
    found = Changed(until if up_to is None else up_to)
    lists: dict[str, list[Any]] = {
        "page": found.pages,
        "relations": found.relations,
        "verdict": found.verdicts,
        "site": found.sites,
    }
    for kind, key in run.execute(sql("changes")["changed"], (after, found.up_to)):
        if kind in lists:
            lists[kind].append(key)
        else:
            setattr(found, kind, True)
    return found


def keys_after(run: sqlite3.Connection, kind: str, after: int | str, most: int) -> list[Any]:
    """The next numbers of pages, or hosts of sites, in their order. `kind`: pages or sites."""
    return [key for (key,) in run.execute(sql("changes")[f"next_{kind}"], (after, most))]


def page_rows(run: sqlite3.Connection, pages: Sequence[int], *, with_contents: bool) -> list[Row]:
    """These pages with the properties of the graph, and `is_seed` and `is_copy` for their labels."""
    given = (json.dumps(pages),)
    contents = dict(map(tuple, run.execute(sql("changes")["contents"], given))) if with_contents else {}
    rows = []
    for found in run.execute(sql("changes")["pages"], given):
        row = dict(found) | {"shares": found["reasons"] and stored_shares(found["reasons"])}
        if with_contents:
            row |= {"content": contents.get(row["id"]), **{name + DATA: row[name] for name in REASONS}}
        rows.append(
            {
                "url": row["url"],
                "is_seed": bool(row["is_seed"]),
                "is_copy": row["copy_of"] is not None,
                "set": properties(row, RELATIONS),
            }
        )
    return rows


def relation_rows(
    run: sqlite3.Connection, kind: str, pages: Sequence[int], *, with_contents: bool = False
) -> Iterator[Row]:
    """What leads from these pages: `ways`, `links` or `mentions`, by the addresses of both ends."""
    for found in run.execute(sql("changes")[kind], (json.dumps(pages),)):
        row = dict(found)
        if kind == "links":
            said = row["reasons"]
            row["reasons"] = in_sentences(said) if said else []
            row["reasons" + DATA] = said if with_contents else None
        yield row


def site_rows(run: sqlite3.Connection, hosts: Iterable[str]) -> list[Row]:
    """These sites with their properties."""
    return [properties(row) for row in run.execute(sql("changes")["sites"], (json.dumps(list(hosts)),))]


def all_rows(run: sqlite3.Connection, kind: str) -> list[Row]:
    """All rows of what there is little of: `crawl`, `concepts`, `narrower`, `traps` or `verdicts`."""
    rows = run.execute(sql("changes")[kind])
    return [dict(row) if kind == "crawl" else properties(row) for row in rows]  # a crawl's `on_topic` is a number


def properties(row: sqlite3.Row | Row, without: Sequence[str] = ()) -> Row:
    """A row as properties of a graph: truth values and lists as such, reasons as sentences."""
    return {name: AS.get(name, _same)(value) for name, value in dict(row).items() if name not in without}


def _same(value: Any) -> Any:
    return value


def _unless_none(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else change(value)


# column -> how its value becomes a property
AS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(FLAGS, _unless_none(bool)),
    **dict.fromkeys(REASONS, _unless_none(in_sentences)),
    "names": _unless_none(json.loads),
    "why": lambda reasons: ", ".join(in_sentences(reasons)),
}
