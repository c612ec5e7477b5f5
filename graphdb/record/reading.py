"""Reads a crawl back from the record: its queue, its pages, its link graph."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from graphdb.record.batch_rows import clean, parts, place_of
from graphdb.record.database import Database, Parameters
from graphdb.record.sql_statements import sql
from semantic.reasons import Reasons, from_json
from semantic.records import (
    ANCHOR,
    ConceptRecord,
    FingerprintRecord,
    LinkGraph,
    LinkRecord,
    MentionedRecord,
    MentionRecord,
    Nearest,
    QueuedRecord,
    Standing,
    StoredPage,
    VisitRecord,
    WantedRecord,
)

Rank = tuple[float, int]  # the place of a waiting page in the queue: the priority, negative, and the rank of finding
AT_ONCE = 1000  # waiting pages looked at together; chosen, not measured
SCANNED = 10  # chosen, not measured


class _Place(NamedTuple):
    """A waiting page, as the index of the queue has it."""

    number: int
    priority: float
    found: int
    depth: int
    host: str

    @property
    def rank(self) -> Rank:
        """Its place in the queue."""
        return -self.priority, self.found


class RecordReader:
    """What may be read of a record while others write to it. Its methods block, and may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def queued(self, most: int | None = None) -> Iterator[QueuedRecord]:
        """The waiting pages, best first; only the best `most`."""
        for url, priority, depth, parent, redirects, reasons, found in self._database.read(
            sql("frontier")["queued"], (-1 if most is None else most,)
        ):
            yield QueuedRecord(url, priority, depth, parent, redirects, reasons=reasons_in(reasons), found=found)

    def waiting(self) -> Iterator[QueuedRecord]:
        """All waiting pages, in no particular order, without reasons."""
        return self._waiting("waiting")

    def waiting_among(self, urls: Sequence[str]) -> Iterator[QueuedRecord]:
        """Those of these addresses that wait, without reasons."""
        return self._waiting("waiting_by_address", (_as_list(urls),))

    def laid_aside(self, urls: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """What the strategy knows of those of these addresses of which that was saved (`Batch.laid_aside`)."""
        known = self._database.read(sql("frontier")["laid_aside"], (_as_list(urls),))
        return ((url, said) for url, said in known)

    def _waiting(self, statement: str, given: Parameters = ()) -> Iterator[QueuedRecord]:
        parents: dict[str | None, str | None] = {}  # one string object for all links found on one page
        for url, priority, depth, parent, redirects, found in self._database.read(sql("frontier")[statement], given):
            yield QueuedRecord(url, priority, depth, parents.setdefault(parent, parent), redirects, found=found)

    def places_by_links(self, urls: Sequence[str]) -> Iterator[QueuedRecord]:
        """Queue entries for addresses that are not waiting."""
        known = sql("frontier")
        for url in urls:
            for number, priority, found, redirects, status, depth in self._database.read(known["left"], (url,)):
                row = {"priority": priority, "found": found, "redirects": redirects}
                links = [
                    ({"priority": of_link, "reasons": reasons_in(reasons)}, source, {"status": of_source, "depth": at})
                    for source, of_source, at, of_link, reasons in self._database.read(known["leading"], (number,))
                ]
                place = place_of(url, row, None if status is None else {"status": status, "depth": depth}, links)
                if place is not None:
                    yield place

    def fingerprints(self) -> Iterator[FingerprintRecord]:
        """For each page that is not a copy, what is needed to recognise copies of it; in the order of fetching."""
        for url, fingerprint, order, on_topic, withdrawn, *names in self._database.read(
            sql("frontier")["fingerprints"]
        ):
            yield FingerprintRecord(url, fingerprint, order, bool(on_topic), bool(withdrawn), *names)

    def visits(self) -> Iterator[VisitRecord]:
        """Pages fetched, copies and feeds included, in their order, with the parents of those that lead; then the
        failures.
        """
        for url, parent, on_topic, stale, said_by, leads in self._database.read(sql("frontier")["visits"]):
            yield VisitRecord(url, parent, bool(on_topic), bool(stale), said_by=said_by, leads=bool(leads))
        for (url,) in self._database.read(sql("frontier")["failures"]):
            yield VisitRecord(url, failed=True)

    def mentioned(self) -> Iterator[MentionedRecord]:
        """The pages, without copies, that mention a concept outside link texts."""
        rows = self._database.read(sql("frontier")["mentioned"])
        for (url, on_topic), said in groupby(rows, lambda row: (row["url"], row["on_topic"])):
            concepts = tuple(row["iri"] for row in said if json.loads(row["where"]).keys() - {ANCHOR})
            if concepts:
                yield MentionedRecord(url, bool(on_topic), concepts)

    def wanted(self) -> Iterator[WantedRecord]:
        """The pages to be requested again, most relevant first."""
        for row in self._database.read(sql("paths")["wanted"]):
            yield WantedRecord(**{**dict(row), "on_topic": bool(row["on_topic"])})

    def _pages(self, after: float) -> Iterator[StoredPage]:
        """Addresses that ended after so many seconds of crawling, as they were stored."""
        known = sql("record")
        for number, _ in self._database.read(known["ended"], (after,)):
            for row in self._database.read(known["page"], (number,)):
                links = self._links(number) if row["content"] is None else ()
                yield _page(row, reasons_in(row["reasons"]), links)

    def stored_pages(self) -> Iterator[StoredPage]:
        """Every answered address as it was stored: pages in the order of fetching, then copies, then what was not a
        page.
        """
        return self._pages(after=-1.0)

    def unremembered(self) -> Iterator[StoredPage]:
        """Those of `stored_pages` that were answered after the strategy's memory was saved."""
        for row in self._database.read(sql("record")["remembered_until"]):
            yield from self._pages(after=row["seconds"])

    def pages_to_judge(self) -> Iterator[StoredPage]:
        """The stored pages as far as judging needs them: with the mentions of pages with text and how they are judged,
        without reasons and copies, and with links of redirects only.
        """
        known = sql("record")
        for number, status in self._database.read(known["ended"], (-1.0,)):
            for row in self._database.read(known["page"], (number,)):
                links = self._links(number) if status == "redirected" else ()
                page = _page(row, (), links)._replace(copy_of=None)
                if row["content"] is not None:
                    said = self._database.read(known["mentions"], (number,))
                    mentions = tuple(
                        MentionRecord(iri, count, weight, json.loads(where), tuple(json.loads(places or "[]")))
                        for iri, count, weight, where, places in said
                    )
                    page = page._replace(mentions=mentions, standing=_standing(row))
                yield page

    def contents(self, urls: Iterable[str]) -> Iterator[tuple[bytes, bytes | None]]:
        """What each of these pages says, packed, and which parts of it are its own text
        (`semantic.parsing.repeated_blocks`); b"" for one without text, None where that is unknown.
        """
        for url in urls:
            yield next((tuple(row) for row in self._database.read(sql("record")["content"], (url,))), (b"", None))

    def link_graph(self, most: int = 0) -> LinkGraph:
        """The pages on a path from a seed to a result, and the links among them; sorted by address.

        If at most `most` pages were fetched, these are the pages on any path; otherwise those on the paths by which
        results were found.
        """
        known = sql("paths")
        with self._database.reading() as run:
            any_way = any(0 < pages <= most for (pages,) in run.execute(known["pages"]))
            rows = run.execute(known["leading" if any_way else "on_path"]).fetchall()
            urls = {row["id"]: row["url"] for row in rows}
            found = run.execute(known["links_leading" if any_way else "links_on_path"])
            links = sorted((urls[source], urls[target]) for source, target in found)
        return LinkGraph(
            tuple(urls.values()),
            tuple(links),
            frozenset(row["url"] for row in rows if row["leads"]),
            frozenset(row["url"] for row in rows if row["is_seed"]),
            {row["url"]: (row["anchor"], row["context"]) for row in rows if row["anchor"] is not None},
            any_way,
        )

    def _links(self, number: int) -> tuple[LinkRecord, ...]:
        return tuple(LinkRecord(*row) for row in self._database.read(sql("record")["links"], (number,)))


def read_concepts(run: sqlite3.Connection) -> dict[str, ConceptRecord]:
    """The concepts of the ontology by IRI, without those below them."""
    rows = map(dict, run.execute(sql("crawl")["concepts"]))
    return {row["iri"]: ConceptRecord(**{**row, "names": texts(row["names"])}) for row in rows}


def _page(row: sqlite3.Row, reasons: Reasons, links: tuple[LinkRecord, ...]) -> StoredPage:
    return StoredPage(
        row["url"],
        row["status"],
        row["http_status"],
        row["order"],
        row["title"] or "",
        row["language"],
        reasons,
        row["content"],
        links,
        row["depth"] or 0,
        row["copy_of"],
    )


def _standing(row: sqlite3.Row) -> Standing | None:
    """How a page that may be a result is judged; None for what has no rank of fetching, or no relevance."""
    if row["order"] is None or row["relevance"] is None:
        return None
    return Standing(row["relevance"], bool(row["on_topic"]), row["verdict"], row["kind"])


def texts(stored: str | None) -> tuple[str, ...]:
    """Texts that are stored as a list; none for NULL."""
    return tuple(json.loads(stored)) if stored else ()


def reasons_in(stored: str | None) -> Reasons:
    """Reasons that are stored; none for NULL."""
    return from_json(stored) if stored else ()


def read_nearest(database: Database, most: int, per_host: int, is_left_out: Callable[[str, int], bool]) -> Nearest:
    """The best waiting pages, about `most`: of one host at most `per_host`, unless the other hosts have too few.

    `is_left_out`: whether a page is passed over, by its address and depth. Of a very long queue only the best `SCANNED`
    times as many are looked at.
    """
    taken, spare, hosts = list[QueuedRecord](), list[_Place](), Counter[str]()
    beyond: dict[str, Rank] = {}
    end: Rank | None = None
    with database.reading() as run:
        (total, _) = run.execute(sql("frontier")["queue_size"]).fetchone()
        places = map(_Place._make, run.execute(sql("frontier")["order"]))
        for some in parts(islice(places, SCANNED * most), min(AT_ONCE, most)):
            fitting = []
            for place in some:
                if hosts[place.host] < per_host:
                    hosts[place.host] += 1
                    fitting.append(place)
                elif len(spare) < most:
                    spare.append(place)
                else:
                    beyond.setdefault(place.host, place.rank)
            allowed = _allowed(run, fitting, is_left_out)
            hosts.subtract(place.host for place in fitting if place.number not in allowed)
            taken += allowed.values()
            if len(taken) >= most:
                end = some[-1].rank
                break
        else:
            end = next((place.rank for place in places), None)
        rest = iter(spare)
        while len(taken) < most and (some := list(islice(rest, min(AT_ONCE, most - len(taken))))):
            taken += _allowed(run, some, is_left_out).values()
    for place in reversed(list(rest)):
        beyond[place.host] = place.rank
    return Nearest(taken, total, end, beyond)


def _allowed(
    run: sqlite3.Connection, places: Sequence[_Place], is_left_out: Callable[[str, int], bool]
) -> dict[int, QueuedRecord]:
    """The queue entries of these pages by their number, in this order, without those to be left out."""
    rows = run.execute(sql("frontier")["waiting_by_number"], (json.dumps([place.number for place in places]),))
    found = {
        number: QueuedRecord(url, priority, depth, parent, redirects, found=rank)
        for number, url, priority, depth, parent, redirects, rank in rows
    }
    entries = ((place.number, found[place.number]) for place in places)
    return {number: entry for number, entry in entries if not is_left_out(entry.url, entry.depth)}


def _as_list(urls: Sequence[str]) -> str:
    return json.dumps([clean(url) for url in urls])
