"""The record of one crawl in one SQLite file, or in memory: what it holds says `schema.sql`, which is written for
readers.

One process writes at a time. Others read meanwhile, and neither waits for the other: `graphdb.record.database`.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

from graphdb.record.batch_rows import clean, plan, plan_seeds
from graphdb.record.changes import changes, check_topic
from graphdb.record.database import MEMORY, Database, Parameters, Saving
from graphdb.record.exported_record import ExportedRecord, Texts, Which
from graphdb.record.own_texts import AGAIN, decide
from graphdb.record.reading import RecordReader, read_concepts, read_nearest
from graphdb.record.record_merging import Merged, merge_record
from graphdb.record.saving import save_concepts, save_plan, save_traps, update_paths
from graphdb.record.sql_statements import sql
from graphdb.record.text_index import TextIndex
from ontology.errors import StoreError
from ontology.messages import message
from semantic.records import (
    Batch,
    ConceptRecord,
    Counters,
    CrawlRecord,
    HostRecord,
    LinkGraph,
    Mark,
    Nearest,
    OutsideRecord,
    QueuedRecord,
    Resumed,
    TrapRecord,
)

NO_QUERY_CURE = message("crawl with --store DIR, then query that")


def no_queries() -> StoreError:
    """The error for a question to a store in memory, which ends with its crawl."""
    return StoreError("a store in memory answers no queries", NO_QUERY_CURE)


def open_record(path: Path | str, *, create: bool = True, saving: Saving = nullcontext) -> "SqliteStore":
    """Open the record in a file, or a new one in memory (`:memory:`).

    - `create`: make the file if there is none, and its folder.
    - `saving`: a context entered for each write.

    Raises StoreError with the next step.
    """
    file = None if path == MEMORY else Path(path)
    return SqliteStore(Database(file, create=create or file is None, saving=saving))


class SqliteStore(RecordReader):
    """A crawl's record. Its methods block, and may be called from any thread."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._link_graph_elsewhere: Callable[[int], LinkGraph | None] = lambda most: None
        self._decided_at = self._ended = 0  # pages when own texts were decided last, and since

    def ask_for_link_graph(self, read: Callable[[int], LinkGraph | None]) -> None:
        """Read the link graph from here, a graph that follows the record; where that gives None, from the record."""
        self._link_graph_elsewhere = read

    def open_crawl(
        self, crawl: CrawlRecord, concepts: Sequence[ConceptRecord], seeds: Sequence[QueuedRecord]
    ) -> Resumed:
        """Begin or resume the one crawl of this store. Raises StoreError if the store contains a crawl about another
        topic.
        """
        known, planned = sql("crawl"), plan_seeds(seeds)
        with self._database.writing() as run:
            stored = run.execute(known["crawl"]).fetchone()
            previous = CrawlRecord(**{name: stored[name] for name in CrawlRecord.__slots__}) if stored else None
            if previous is not None:
                check_topic(previous.topic, crawl.topic)
            run.execute(known["go_on" if previous else "begin"], asdict(crawl))
            if previous and (previous.strategy, previous.fingerprint) != (crawl.strategy, crawl.fingerprint):
                # what another strategy learned, or with another ontology, does not apply
                run.execute(known["forget_memory"])
                run.execute(known["forget_laid_aside"])
            before = read_concepts(run)
            save_concepts(run, concepts, before)
            run.executemany(known["retry_seed"], zip(planned.waiting))
            save_plan(run, planned)
            run.executemany(known["save_seed"], zip(planned.waiting))
            waiting, found = run.execute(sql("frontier")["queue_size"]).fetchone()
            memory = b"".join(row["bytes"] for row in run.execute(known["memory"]))
        if previous is None:
            return Resumed(previous=None, counters=Counters(), memory=memory, waiting=waiting, found=found or 0)
        return Resumed(
            previous=previous,
            counters=Counters(**{name: stored[name] for name in Counters.__slots__}),
            memory=memory,
            changed=changes(previous, crawl, before, {concept.iri: concept for concept in concepts}),
            waiting=waiting,
            found=found or 0,
            scope=stored["scope"],
        )

    def begin_run(self) -> None:
        """Note what is a result now; what becomes one from now on is a new result."""
        with self._database.writing() as run:
            run.execute(sql("results")["forget_former"])
            run.execute(sql("results")["note_former"])

    def merge(self, other: Path) -> Merged:
        """Merge the crawl in another record's file into this one; see `graphdb.record.record_merging`."""
        merged = merge_record(self._database, other)
        self.decide_own_texts()
        return merged

    @contextmanager
    def exported(self, which: Which, *, text: Texts | None = None) -> Iterator[ExportedRecord]:
        """One state of the record as tables of rows."""
        with self._database.reading() as run:
            yield ExportedRecord(run, which, text)

    def texts(self) -> TextIndex:
        """The index for full-text search."""
        return TextIndex(self._database)

    def claim(self) -> None:
        """Become the one process that writes. Raises StoreError if another process writes."""
        self._database.claim()

    def is_taken(self) -> bool:
        """Whether another process writes; if not, this one becomes the one that does."""
        return not self._database.try_to_claim()

    def save(self, batch: Batch) -> None:
        """Commit the whole batch in one transaction. An empty memory leaves the stored one unchanged."""
        planned, known = plan(batch), sql("crawl")
        scope = None if batch.scope is None else clean(batch.scope)
        with self._database.writing() as run:
            run.execute(known["save_totals"], {**asdict(batch.counters), "scope": scope})
            run.executemany(sql("save")["raise_host"], batch.raised)
            save_plan(run, planned)
            run.executemany(sql("save")["lay_aside"], batch.laid_aside)
            if batch.memory:
                run.execute(known["forget_memory"])
                run.execute(known["put_memory"], (batch.memory, batch.counters.seconds))
            if batch.traps is not None:
                save_traps(run, batch.traps)
            self._decide_own_texts(run, len(planned.ended))

    def decide_own_texts(self) -> None:
        """Decide which parts of pages are their own text, by all that is known of their hosts now."""
        with self._database.writing() as run:
            decide(run)

    def _decide_own_texts(self, run: sqlite3.Connection, ended: int) -> None:
        """Do so if the crawl has doubled since."""
        if not self._decided_at:
            self._decided_at = max(AGAIN, run.execute(sql("own_texts")["pages"]).fetchone()[0])
        self._ended += ended
        if self._ended >= self._decided_at:
            self._decided_at += self._ended
            self._ended = 0
            decide(run)

    def read(self, statement: str, parameters: Parameters = ()) -> Iterator[dict[str, Any]]:
        """The rows of one SQL statement that reads."""
        return map(dict, self._database.read(statement, parameters))

    def ask(self, file: str, name: str, /, **parameters: object) -> Sequence[Mapping[str, Any]]:
        """The rows of a named question: a statement in `graphdb/record/<file>.sql`. Of a parameter that is a
        list (`urls`) the statement gets each member in turn (as `:url`).
        """
        statement = sql(file)[name]
        with self._database.reading() as run:
            return [dict(row) for given in _one_by_one(parameters) for row in run.execute(statement, given)]

    def nearest(self, most: int, per_host: int, is_left_out: Callable[[str, int], bool]) -> Nearest:
        """The part of a long queue that a crawl holds in memory; see `read_nearest`."""
        return read_nearest(self._database, most, per_host, is_left_out)

    def forget_laid_aside(self) -> None:
        """Forget what the strategy knew of waiting pages: it has learned all of it again."""
        self._write(sql("crawl")["forget_laid_aside"], ())

    def languages(self) -> Mapping[str, int]:
        """Language tag -> number of pages fetched in it."""
        return {row["language"]: row["pages"] for row in self._database.read(sql("crawl")["languages"])}

    def keep_concepts(self, concepts: Sequence[ConceptRecord]) -> None:
        """Update the labels of stored concepts."""
        with self._database.writing() as run:
            save_concepts(run, concepts, ())

    def known(self) -> Iterator[str]:
        """The addresses of all pages that ended, without those that only discarded links lead to."""
        return self._addresses("known")

    def discarded(self) -> Iterator[str]:
        """The addresses whose incoming links were all discarded by the strategy."""
        return self._addresses("discarded")

    def outside(self) -> Iterator[OutsideRecord]:
        """The addresses that are out of the crawl's scope and were not fetched."""
        return (OutsideRecord(*row) for row in self._database.read(sql("frontier")["outside"]))

    def requested(self) -> tuple[int, int]:
        """The crawl's totals of requests and inversions; zeros before it has begun."""
        row = next(self._database.read(sql("crawl")["requested"]), (0, 0))
        return row[0], row[1]

    def keep_requested(self, requests: int, inversions: int) -> None:
        """Set these totals, where what was counted since was asked of an archive."""
        self._write(sql("crawl")["keep_requested"], (requests, inversions))

    def find_ways(self) -> int:
        """Give each imported page with incoming links the first linking page as its parent; only the others stay seeds.
        Returns the number of seeds.
        """
        known = sql("paths")
        with self._database.writing() as run:
            parents = {page: parent for page, parent, _ in run.execute(known["found_on"])}
            depths: dict[int, int] = {}
            for page, depth, _ in run.execute(known["ended"]):
                depths[page] = depths.get(parents[page], 0) + 1 if page in parents else depth
            run.executemany(known["set_way"], ((parent, depths[page], page) for page, parent in parents.items()))
            run.execute(known["unseed"])
            update_paths(run)
            return int(run.execute(known["seeds"]).fetchone()[0])

    def save_settings(self, settings: str) -> None:
        """Store the settings (JSON) with which the crawl continues."""
        self._write(sql("crawl")["save_settings"], (settings,))

    def save_traps(self, traps: Sequence[TrapRecord]) -> None:
        """Store the traps that links wait behind, instead of the former ones."""
        with self._database.writing() as run:
            save_traps(run, traps)

    def hosts_wanted(self) -> Iterator[HostRecord]:
        """The hosts that a person has banned or raised."""
        rows = self._database.read(sql("crawl")["hosts_wanted"])
        return (HostRecord(host, bool(banned), raised) for host, banned, raised in rows)

    def save_hosts(self, hosts: Sequence[HostRecord]) -> None:
        """Store what a person wants of these hosts now; the others stay as they are."""
        rows = [{"host": clean(one.host), "banned": one.banned or None, "raised": one.raised or None} for one in hosts]
        with self._database.writing() as run:
            run.executemany(sql("crawl")["save_host"], rows)

    def away(self, now: str) -> Iterator[tuple[str, str]]:
        """Hosts whose Retry-After lasts beyond `now`, with its end (ISO texts, UTC)."""
        return ((host, until) for host, until in self._database.read(sql("frontier")["away"], (now,)))

    def remembered(self) -> bytes:
        """The strategy's memory."""
        return b"".join(row["bytes"] for row in self._database.read(sql("crawl")["memory"]))

    def link_graph(self, most: int = 0) -> LinkGraph:
        """The same; from a graph that follows the record, where there is one."""
        return self._link_graph_elsewhere(most) or super().link_graph(most)

    def mark_for_recrawl(self) -> None:
        """Mark the pages to be fetched again: pages on topic, seeds, feeds and sitemaps. Also recomputes the paths to
        results.
        """
        with self._database.writing() as run:
            update_paths(run)
            run.execute(sql("paths")["want"])

    def set_threshold(self, threshold: float) -> int:
        """Set each page's `on_topic` by this threshold on its stored relevance, except pages that may not be results.
        Returns the number of pages on topic. Also recomputes the paths to results.
        """
        known = sql("paths")
        with self._database.writing() as run:
            run.execute(known["set_threshold"], (threshold,))
            update_paths(run)
            return int(run.execute(known["judged_on_topic"]).fetchone()[0])

    def marks(self) -> dict[str, Mark]:
        """The expert's marks, by the addresses of the pages."""
        return {url: mark for url, mark in self._database.read(sql("marks")["marked"])}

    def mark(self, marks: Mapping[str, Mark | None]) -> list[str]:
        """Mark pages; None removes a mark. Returns the addresses that are not fetched pages.

        Any process may: a crawl that runs judges by them when it is asked to (`wish`).
        """
        statement = sql("marks")["mark"]
        with self._database.noting() as run:
            return [url for url, mark in marks.items() if not run.execute(statement, (mark, url)).rowcount]

    def wish(self, kind: str, value: float | None = None) -> None:
        """Want something of the crawl that runs in another process: `judge`, or `threshold` with its value."""
        with self._database.noting() as run:
            run.execute(sql("marks")["wish"], (kind, value))

    def wishes(self) -> list[tuple[str, float | None]]:
        """What was wanted since this was asked last."""
        found = list(map(tuple, self._database.read(sql("marks")["wishes"])))
        if found:  # others may have come since
            self._write(sql("marks")["forget_wishes"], (found[-1][0],))
        return [(kind, value) for _, kind, value in found]

    def update_paths(self) -> int:
        """Recompute which pages lie on a path to a result, by the current relevance of pages. Returns the number of
        results.

        Traps depend on which pages are on topic, too; they are noted as out of date until they are stored again.
        """
        with self._database.writing() as run:
            return update_paths(run)

    def close(self) -> None:
        """Release the store; nothing committed is lost. May be called twice."""
        self._database.close()

    def _addresses(self, statement: str) -> Iterator[str]:
        return (row["url"] for row in self._database.read(sql("frontier")[statement]))

    def _write(self, statement: str, parameters: Parameters) -> None:
        with self._database.writing() as run:
            run.execute(statement, parameters)


def _one_by_one(parameters: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """The parameters for each member of the one that is a list; if none is, as they are."""
    for name, values in parameters.items():
        if isinstance(values, list | tuple):
            yield from ({**parameters, name.removesuffix("s"): value} for value in values)
            return
    yield dict(parameters)
