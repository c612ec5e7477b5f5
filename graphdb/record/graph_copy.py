"""Copies one graph to another, in either direction between an embedded store and Neo4j.

Theory. All pages are copied first, in the order of their addresses, then their relations in the same order, so that
both ends of a relation exist. A part is one transaction, which also stores in the target's crawl what is done and the
checksums so far. After a kill the target contains complete parts and knows which: the same command goes on there, and
nothing has to be looked up before it is written. While one part is written, the next one is read.

Finally the copy is read back from the target: the numbers and checksums of both must agree. A checksum is the sum of
the hashes of all rows, so it does not depend on their order and can be computed part by part.
"""

import json
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from graphdb.cypher.statements import statements
from graphdb.neo4j.bolt_driver import Connection, Run
from graphdb.record.batch_rows import Row, parts, portions
from graphdb.record.graph_store import define_schema, label_pages, save_memory
from graphdb.record.stored_crawl import stored_memory
from ontology.errors import StoreError
from ontology.messages import joined, message

HEAVY_AT_ONCE = 100  # pages with their texts in one part; chosen, not measured
LIGHT_AT_ONCE = 2000  # pages without text in one part; chosen, not measured
READ_AHEAD = 3  # parts; chosen, not measured
ROWS_AT_ONCE = 2000  # other rows in one statement; chosen, not measured
PLAIN_PAGE = frozenset({"url", "status", "host", "depth", "priority", "redirects", "found", "reasons", "shares"})
PLAIN_LINK = frozenset({"anchor", "context", "priority", "position", "reasons"})
COPYING = "copying"  # property of the target's crawl while a copy is under way
SUMS = 2**64  # checksums are 64-bit integers, like the hashes that they add up
ON_SITE = "on a site"  # relation of a page to its site; it follows from the property `host`, so it is only counted
RELATIONS = ("links", "mentions", "parents", "copies")
EMPTY_CURE = message(
    "run it again with --anew, which empties the target first; or give an empty database, or a new folder"
)

Progress = Callable[[str, int], None]
Part = tuple[str, list[str], dict[str, list[Row]]]  # stage, addresses, rows by kind


@dataclass(slots=True)
class Sums:
    """The number of rows of each kind, and the sum of their hashes."""

    kinds: dict[str, list[int]] = field(default_factory=dict)

    def add(self, kind: str, key: str, properties: Mapping[str, Any]) -> None:
        """Count one row. Values are first converted, because stores return different types for lists and bytes."""
        values = [(name, _plain(value)) for name, value in sorted(properties.items()) if value is not None]
        digest = blake2b(f"{key}\0{values!r}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        number_and_sum = self.kinds.setdefault(kind, [0, 0])
        number_and_sum[0] += 1
        number_and_sum[1] = (number_and_sum[1] + int.from_bytes(digest)) % SUMS

    def numbers(self) -> dict[str, int]:
        """The number of rows of each kind."""
        return {kind: held[0] for kind, held in self.kinds.items() if kind != ON_SITE}

    def differences(self, other: "Sums") -> list[str]:
        """The differences in words, none if both are equal."""
        found: list[str] = []
        for kind in sorted(self.kinds.keys() | other.kinds.keys()):
            mine, theirs = self.kinds.get(kind, [0, 0]), other.kinds.get(kind, [0, 0])
            if mine[0] != theirs[0]:
                found.append(message("{kind}: {mine:,} and {theirs:,}", kind=kind, mine=mine[0], theirs=theirs[0]))
            elif mine[1] != theirs[1]:
                found.append(message("{kind}: as many, and not the same", kind=kind))
        return found


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    return list(value) if isinstance(value, tuple | list) else value


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
        raise StoreError("the store is itself an unfinished copy", "finish that first: ontocrawl copy")
    _refuse_other(crawl, target)
    if anew:
        _empty(target, progress)
    define_schema(target)
    done = _Done.of(target)
    if done is None and next(target.read(known["crawl"]), None) is not None:
        return _compared(source, target, progress)
    if done is None:
        done = _begin(source, target, crawl)
    else:
        _refuse_changed(crawl, target)
    addresses = _addresses(source)
    for stage, read in (("pages", _read_pages), ("relations", _read_relations)):
        left = [row for row in addresses if done.is_open(stage, row[0])]
        pages_done = len(addresses) - len(left)
        for part in _ahead(source, stage, _parted(left), read):
            done = _write(target, done, part)
            pages_done += len(part[1])
            progress(stage, pages_done)
    _finish(source, target, crawl, done, with_memory=with_memory)
    return _checked(done.sums, target, progress)


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
        stage, up_to, kinds = json.loads(text)
        return cls(stage, up_to, Sums(kinds))

    def to_text(self) -> str:
        """The state as text to be stored."""
        return json.dumps([self.stage, self.up_to, self.sums.kinds])

    def is_open(self, stage: str, url: str) -> bool:
        """Whether this page still has to be written."""
        return (stage, url) > (self.stage, self.up_to)  # "pages", "relations", "seeds": in the order of the alphabet


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


def _addresses(source: Connection) -> list[tuple[str, bool]]:
    """All addresses in order, and whether their pages have text."""
    return sorted((row["url"], row["heavy"]) for row in source.read(statements("copy")["urls"]))


def _parted(rows: Iterable[tuple[str, bool]]) -> list[list[str]]:
    """The addresses in parts of about equal work."""
    found: list[list[str]] = []
    room = 0.0
    for url, heavy in rows:
        weight = 1 / HEAVY_AT_ONCE if heavy else 1 / LIGHT_AT_ONCE
        if not found or room < weight:
            found.append([])
            room = 1.0
        found[-1].append(url)
        room -= weight
    return found


def _read_pages(source: Connection, urls: list[str]) -> dict[str, list[Row]]:
    return {"pages": list(source.read(statements("copy")["pages"], urls=urls))}


def _read_relations(source: Connection, urls: list[str]) -> dict[str, list[Row]]:
    known = statements("copy")
    return {name: list(source.read(known[name], urls=urls)) for name in RELATIONS}


Read = Callable[[Connection, list[str]], dict[str, list[Row]]]


def _ahead(source: Connection, stage: str, parted: Iterable[list[str]], read: Read) -> Iterator[Part]:
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
            for urls in parted:
                if ending.is_set():
                    return
                put((stage, urls, read(source, urls)))
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


def _write(target: Connection, done: _Done, part: Part) -> _Done:
    """Write a part and store that it is done, in one transaction."""
    stage, urls, rows = part
    known = statements("copy")
    after = _Done(stage, urls[-1], Sums({kind: list(held) for kind, held in done.sums.kinds.items()}))
    _sum_part(after.sums, rows)
    labelled = [row["url"] for row in rows.get("copies", ())]  # what is a copy is known by its relation
    plain: list[Row] = []
    if target.has_labels:
        plain, others = _waiting_apart(rows.get("pages", ()))
        rows = {**rows, "pages": others}
        labelled += [row["url"] for row in others]

    def work(run: Run) -> None:
        noted = run(known["copying"])[0]["copying"]
        if not _Done.from_text(noted).is_open(stage, urls[-1]):
            return
        if plain:
            run(statements("labels")["put_waiting_pages"], rows=plain)
        for name, some in _statements_of(rows):
            run(known[name], rows=some)
        if target.has_labels:
            label_pages(run, labelled)
        run(known["note"], copying=after.to_text())

    target.write(work)
    return after


def _waiting_apart(pages: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """Pages that wait and have nothing but what these have, and the others."""
    rows = list(pages)
    plain = [row["set"]["status"] == "queued" and row["set"].keys() <= PLAIN_PAGE for row in rows]
    return [row for row, yes in zip(rows, plain, strict=True) if yes], [
        row for row, yes in zip(rows, plain, strict=True) if not yes
    ]


def _sum_part(sums: Sums, rows: Mapping[str, list[Row]]) -> None:
    for kind, found in rows.items():
        for row in found:
            if "items" in row:
                for item in row["items"]:
                    sums.add(kind, f"{row['url']} {item['url']}", item["set"])
            else:
                sums.add(kind, f"{row['url']} {row.get('other', '')}", row.get("set", {}))


def _statements_of(rows: Mapping[str, list[Row]]) -> Iterator[tuple[str, list[Row]]]:
    """The statements that write a part, with their rows."""
    plain = [row for row in rows.get("pages", ()) if row["set"].keys() <= PLAIN_PAGE]
    others = [row for row in rows.get("pages", ()) if not row["set"].keys() <= PLAIN_PAGE]
    for name, some in (("put_plain_pages", plain), ("put_pages", others)):
        if some:
            yield name, some
    for kind in ("parents", "copies"):
        if rows.get(kind):
            yield f"put_{kind}", rows[kind]
    links = rows.get("links", ())
    known = {row["url"]: [item for item in row["items"] if item["set"].keys() <= PLAIN_LINK] for row in links}
    odd = {row["url"]: [item for item in row["items"] if not item["set"].keys() <= PLAIN_LINK] for row in links}
    said = {row["url"]: row["items"] for row in rows.get("mentions", ())}
    for name, found in (("put_plain_links", known), ("put_links", odd), ("put_mentions", said)):
        for some in portions(found):
            yield name, some


def _finish(
    source: Connection, target: Connection, crawl: Mapping[str, Any], done: _Done, *, with_memory: bool
) -> None:
    """Copy the seeds and the strategy's memory. The copy stays marked as under way until it has been compared."""
    known = statements("copy")
    memory, seconds = stored_memory(source.read) if with_memory else (b"", None)
    after = _Done("seeds", "", done.sums)

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
    parted = _parted(_addresses(graph))

    def read(connection: Connection, urls: list[str]) -> dict[str, list[Row]]:
        return _read_pages(connection, urls) | _read_relations(connection, urls)

    for _, urls, rows in _ahead(graph, "", parted, read):
        _sum_part(sums, rows)
        done += len(urls)
        progress("compared", done)
    (on_site,) = graph.read(known["on_site"])
    sums.kinds[ON_SITE] = [on_site["relations"], 0]
    return sums
