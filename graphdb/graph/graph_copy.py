"""Copies one graph to another, in either direction between an embedded store and Neo4j.

Theory. All pages are copied first, in the order of their addresses, then their relations in the same order, so that
both ends of a relation exist. A part is one transaction, which also stores in the target's crawl what is done and the
checksums so far. After a kill the target contains complete parts and knows which: the same command goes on there, and
nothing has to be looked up before it is written. While one part is written, the next one is read.

Constraints and indexes of pages are made when all is written: building an index from all pages at once costs a
fraction of changing it with each page, and nothing looks up an address before.

Finally the copy is read back from the target: the numbers and checksums of both must agree. A checksum is the sum of
a hash for each page, so it does not depend on the order of pages and can be computed part by part.
"""

import json
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphdb.cypher.statements import statements
from graphdb.graph.copied_rows import (
    ON_SITE,
    Names,
    Place,
    Rows,
    Sums,
    parted,
    places,
    read_pages,
    read_relations,
    with_ids,
    write_pages,
    write_relations,
)
from graphdb.graph.graph_store import define_schema, label_pages, save_memory
from graphdb.graph.stored_crawl import stored_memory
from graphdb.neo4j.bolt_driver import Connection, Run
from graphdb.record.batch_rows import Row, parts
from ontology.errors import StoreError
from ontology.messages import joined, message

READ_AHEAD = 3  # parts; chosen, not measured
ROWS_AT_ONCE = 2000  # other rows in one statement; chosen, not measured
COPYING = "copying"  # property of the target's crawl while a copy is under way
FORM = 2  # of that property
SEEDS = "seeds"  # the last stage; "pages", "relations" and "seeds" are in the order of the alphabet
KEYS = ("site_host", "concept_iri", "crawl_id")  # constraints that are needed while a copy is under way
EMPTY_CURE = message(
    "run it again with --anew, which empties the target first; or give an empty database, or a new folder"
)

Progress = Callable[[str, int], None]
Part = tuple[Sequence[Place], Rows]
Read = Callable[[Connection, Sequence[Place]], Rows]
Write = Callable[[Run, Rows], None]


def copy_graph(
    source: Connection, target: Connection, progress: Progress, *, with_memory: bool, anew: bool = False
) -> dict[str, int]:
    """Copy a graph. `progress`: receives the stage and the number of pages done. Returns the number of rows of each
    kind.

    Raises StoreError if the target contains another crawl, if the source contains none, or if the copy differs in the
    end.
    """
    known = statements("copy")
    crawl = next(source.read(known["crawl"]), None)
    if crawl is None:
        raise StoreError("there is no crawl to copy", "crawl into this store first, or give the right one")
    if COPYING in crawl["set"]:
        raise StoreError("the store is itself an unfinished copy", "finish that first: {command} copy")
    _refuse_other(crawl, target)
    if anew:
        _empty(target, progress)
    done = _Done.of(target)
    if done is None and next(target.read(known["crawl"]), None) is not None:
        return _compared(source, target, progress)
    if done is None:
        target.define({name: statements("schema")[name] for name in KEYS})
        done = _begin(source, target, crawl)
    else:
        _refuse_changed(crawl, target)
    copying = _Copying(source, target, progress, done)
    copying.run()
    if copying.done.stage != SEEDS:
        define_schema(target)
        _finish(source, target, crawl, copying.done, with_memory=with_memory)
    return _checked(copying.done.sums, target, progress)


@dataclass(slots=True)
class _Done:
    """How far a copy has got: all pages up to this address in this stage, and the checksums so far."""

    stage: str = ""
    up_to: str = ""
    sums: Sums = field(default_factory=Sums)

    @classmethod
    def of(cls, target: Connection) -> "_Done | None":
        """The state stored in the target; None if no copy is under way."""
        row = next(target.read(statements("copy")["copying"]), None)
        return None if row is None or row["copying"] is None else cls.from_text(row["copying"])

    @classmethod
    def from_text(cls, text: str) -> "_Done":
        """The state from its stored text."""
        form, *rest = json.loads(text)
        if form != FORM:
            raise StoreError("the copy was begun by another version of ontocrawl", EMPTY_CURE)
        stage, up_to, kinds = rest
        return cls(stage, up_to, Sums(kinds))

    def to_text(self) -> str:
        """The state as text to be stored."""
        return json.dumps([FORM, self.stage, self.up_to, self.sums.kinds])

    def is_open(self, stage: str, url: str) -> bool:
        """Whether this page still has to be written."""
        return (stage, url) > (self.stage, self.up_to)


def _refuse_other(crawl: Mapping[str, Row], target: Connection) -> None:
    there = [row["set"]["id"] for row in target.read(statements("copy")["crawl"])]
    if there and there != [crawl["set"]["id"]]:
        raise StoreError("the target holds another crawl", "copy into an empty database, or a new folder")


def _refuse_changed(crawl: Mapping[str, Row], target: Connection) -> None:
    """Raise StoreError if the crawl went on after the copy was begun, because old and new parts would not fit
    together.
    """
    there = next(target.read(statements("copy")["crawl"]))["set"]
    if _summed("crawl", crawl["set"]) != _summed("crawl", {name: there[name] for name in there if name != COPYING}):
        raise StoreError("the crawl has gone on since this copy was begun", EMPTY_CURE)


def _summed(kind: str, properties: Row) -> dict[str, list[int]]:
    sums = Sums()
    sums.add(kind, "", properties)
    return sums.kinds


def _empty(target: Connection, progress: Progress) -> None:
    known, gone = statements("copy"), 0
    while some := target.write(lambda run: run(known["empty"]))[0]["nodes"]:
        gone += some
        progress("emptied", gone)


def _begin(source: Connection, target: Connection, crawl: Mapping[str, Any]) -> _Done:
    """Copy the crawl, its sites, concepts and traps, in one transaction."""
    known, done = statements("copy"), _Done()
    sites, concepts = list(source.read(known["sites"])), list(source.read(known["concepts"]))
    traps = list(source.read(known["traps"]))
    _sum_first(done.sums, crawl, sites, concepts, traps)

    def work(run: Run) -> None:
        if run(known["crawl"]):  # repeated, because the answer to the commit was lost
            return
        run(known["put_crawl"], set={**crawl["set"], COPYING: done.to_text()})
        for name, rows in (
            ("put_sites", sites),
            ("put_concepts", concepts),
            ("put_narrower", concepts),
            ("put_traps", traps),
        ):
            for some in parts(rows, ROWS_AT_ONCE):
                run(known[name], rows=some)

    target.write(work)
    return done


def _sum_first(
    sums: Sums, crawl: Mapping[str, Any], sites: Iterable[Row], concepts: Iterable[Row], traps: Iterable[Row]
) -> None:
    sums.add("crawl", "", {name: value for name, value in crawl["set"].items() if name != COPYING})
    for url in crawl["seeds"]:
        sums.add("seeds", url, {})
    for site in sites:
        sums.add("sites", site["host"], site["set"])
    for trap in traps:
        sums.add("traps", trap["set"]["name"], trap["set"])
    for concept in concepts:
        sums.add("concepts", concept["iri"], concept["set"])
        for narrower in concept["narrower"]:
            sums.add("narrower", f"{concept['iri']} {narrower}", {})


@dataclass(slots=True)
class _Copying:
    """A copy under way: its pages, then their relations."""

    source: Connection
    target: Connection
    progress: Progress
    done: _Done

    def run(self) -> None:
        """Copy what is not copied yet."""
        pages, labels = places(self.source), self.target.has_labels
        names = Names.of(self.source, pages)
        self._stage("pages", pages, names, read_pages, lambda run, rows: write_pages(run, rows, labels=labels))
        if self.done.stage == SEEDS:
            return
        try:
            ids = names.ids_in(Names.of(self.target, places(self.target)))
        except KeyError as error:
            raise StoreError(message("the copy lacks {name}, which it had", name=error.args[0]), EMPTY_CURE) from error
        self._stage(
            "relations",
            pages,
            names,
            read_relations,
            lambda run, rows: write_relations(run, with_ids(rows, ids), labels=labels),
        )

    def _stage(self, stage: str, pages: Sequence[Place], names: Names, read: Read, write: Write) -> None:
        left = [place for place in pages if self.done.is_open(stage, place.url)]
        pages_done = len(pages) - len(left)
        for part, rows in _ahead(self.source, parted(left), read):
            self._write(stage, part[-1].url, rows, names, write)
            pages_done += len(part)
            self.progress(stage, pages_done)

    def _write(self, stage: str, up_to: str, rows: Rows, names: Names, write: Write) -> None:
        """Write a part and store that it is done, in one transaction."""
        after = _Done(stage, up_to, self.done.sums.copied())
        after.sums.add_part(rows, names)
        known = statements("copy")

        def work(run: Run) -> None:
            noted = run(known["copying"])[0]["copying"]
            if _Done.from_text(noted).is_open(stage, up_to):  # else repeated, because the answer to the commit was lost
                write(run, rows)
                run(known["note"], copying=after.to_text())

        self.target.write(work)
        self.done = after


def _ahead(source: Connection, wanted: Iterable[Sequence[Place]], read: Read) -> Iterator[Part]:
    """The parts, read by a separate thread while former ones are used."""
    ready: queue.Queue[Part | BaseException | None] = queue.Queue(READ_AHEAD)
    ending = threading.Event()

    def put(item: Part | BaseException | None) -> None:
        while not ending.is_set():
            try:
                ready.put(item, timeout=0.1)
                return
            except queue.Full:
                continue

    def fetch() -> None:
        try:
            for part in wanted:
                if ending.is_set():
                    return
                put((part, read(source, part)))
            put(None)
        except BaseException as error:  # raised again in the thread that uses the parts
            put(error)

    thread = threading.Thread(target=fetch, name="reading ahead", daemon=True)
    thread.start()
    try:
        while (item := ready.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        ending.set()
        thread.join()


def _finish(
    source: Connection, target: Connection, crawl: Mapping[str, Any], done: _Done, *, with_memory: bool
) -> None:
    """Copy the seeds and the strategy's memory. The copy stays marked as under way until it has been compared."""
    known = statements("copy")
    memory, seconds = stored_memory(source.read) if with_memory else (b"", None)
    after = _Done(SEEDS, "", done.sums)

    def work(run: Run) -> None:
        if _Done.from_text(run(known["copying"])[0]["copying"]).stage == after.stage:
            return
        for urls in parts(crawl["seeds"], ROWS_AT_ONCE):
            run(known["put_seeds"], urls=urls)
        if target.has_labels:
            label_pages(run, crawl["seeds"])
        if memory:
            save_memory(run, memory, seconds)
        run(known["note"], copying=after.to_text())

    if done.stage != after.stage:
        target.write(work)


def _checked(sums: Sums, target: Connection, progress: Progress) -> dict[str, int]:
    """Read the copy back; if it is equal to what was written, it is no longer marked as under way."""
    read_back = sums_of(target, progress)
    found = Sums(sums.kinds | {ON_SITE: [sums.kinds.get("pages", [0])[0], 0]}).differences(read_back)
    if found:
        raise StoreError(message("the copy differs from the source: {found}", found=joined(found, "; ")), EMPTY_CURE)
    target.write(lambda run: run(statements("copy")["note"], copying=None))
    return sums.numbers()


def _compared(source: Connection, target: Connection, progress: Progress) -> dict[str, int]:
    """Compare with an existing copy of the same crawl. Raises StoreError if it differs, with `--anew` as the next
    step.
    """
    sums, there = sums_of(source, progress), sums_of(target, progress)
    found = sums.differences(there)
    if found:
        raise StoreError(
            message("the target already contains this crawl in another state: {found}", found=joined(found, "; ")),
            EMPTY_CURE,
        )
    return sums.numbers()


def sums_of(graph: Connection, progress: Progress = lambda stage, pages: None) -> Sums:
    """Numbers and checksums of everything in a graph, without the strategy's memory."""
    known, sums, done = statements("copy"), Sums(), 0
    for crawl in graph.read(known["crawl"]):
        _sum_first(sums, crawl, graph.read(known["sites"]), graph.read(known["concepts"]), graph.read(known["traps"]))
    pages = places(graph)
    names = Names.of(graph, pages)

    def read(connection: Connection, part: Sequence[Place]) -> Rows:
        return read_pages(connection, part) | read_relations(connection, part)

    for part, rows in _ahead(graph, parted(pages), read):
        sums.add_part(rows, names)
        done += len(part)
        progress("compared", done)
    (on_site,) = graph.read(known["on_site"])
    sums.kinds[ON_SITE] = [on_site["relations"], 0]
    return sums
