"""A crawl read back from a graph: its pages, some at a time, and what a crawl that goes on must know."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from math import inf
from typing import Any

from graphdb.bolt import Connection
from graphdb.statements import statements
from semantic.records import KeptPage, LinkGraph, LinkRecord, QueuedRecord, VisitRecord, WantedRecord

PAGES_AT_ONCE = 100
SAMPLED = 100  # waiting pages for one in the sample


def kept_queue(connection: Connection, statement: str, **parameters: object) -> Iterator[QueuedRecord]:
    """Waiting pages as a statement of `frontier.cypher` gives them."""
    row: dict[str, Any]
    parents: dict[str | None, str | None] = {}  # one text for all that were found on one page
    for row in connection.read(statements("frontier")[statement], **parameters):
        row["parent"] = parents.setdefault(row["parent"], row["parent"])
        reasons = tuple(row.pop("reasons", None) or ())
        yield QueuedRecord(**row, reasons=reasons)


def kept_best(connection: Connection, most: int) -> Iterator[QueuedRecord]:
    """About the best `most` waiting pages, best first; never more."""
    sample = [row["priority"] for row in connection.read(statements("frontier")["sample"])]
    worst = sample[most // SAMPLED] if len(sample) > most // SAMPLED else -inf
    return kept_queue(connection, "best", most=most, worst=worst)


def kept_visits(connection: Connection) -> Iterator[VisitRecord]:
    """Pages fetched, copies and feeds too, in their order, with parents of those on topic; then what failed."""
    for row in connection.read(statements("frontier")["visits"]):
        yield VisitRecord(str(row["url"]), row["parent"], bool(row["on_topic"]), bool(row["stale"]))
    for row in connection.read(statements("frontier")["failures"]):
        yield VisitRecord(str(row["url"]), failed=True)


def kept_wanted(connection: Connection) -> Iterator[WantedRecord]:
    """The pages that are wanted again, most relevant first."""
    row: dict[str, Any]
    for row in connection.read(statements("recrawl")["wanted"]):
        yield WantedRecord(**row)


def kept_memory(run: Callable[[str], Iterable[dict[str, Any]]]) -> tuple[bytes, float | None]:
    """The strategy's memory, by what runs a statement, and the seconds of crawling after which it was saved."""
    rows = list(run(statements("crawl")["memory"]))
    return b"".join(bytes(row["bytes"]) for row in rows), rows[0]["seconds"] if rows else None


def kept_link_graph(connection: Connection) -> LinkGraph:
    """The pages on a way from a seed to a result, and the links among them; sorted by address."""
    held: dict[str, str] = {}  # one text for all links to a page
    links: list[tuple[str, str]] = []
    results, seeds, texts = set(), set(), {}
    for row in connection.read(statements("link_graph")["link_graph"]):
        url = held.setdefault(row["url"], row["url"])
        links.extend((url, held.setdefault(target, target)) for target in row["targets"])
        if row["result"]:
            results.add(url)
        if row["seed"]:
            seeds.add(url)
        if row["anchor"] is not None:
            texts[url] = (row["anchor"], row["context"])
    links.sort()
    return LinkGraph(tuple(sorted(held)), tuple(links), frozenset(results), frozenset(seeds), texts)


def kept_pages(connection: Connection, statement: str) -> Iterator[KeptPage]:
    """Addresses that ended, as a statement of `record.cypher` names them."""
    known = statements("record")
    ended = [str(row["url"]) for row in connection.read(known[statement])]
    for start in range(0, len(ended), PAGES_AT_ONCE):
        urls = ended[start : start + PAGES_AT_ONCE]
        pages = {row["url"]: row for row in connection.read(known["pages"], urls=urls)}
        rows = connection.read(known["links"], urls=urls)
        links = {url: tuple(map(_link, found)) for url, found in groupby(rows, lambda row: str(row["url"]))}
        yield from (_page(pages[url], links.get(url, ())) for url in urls)


def _page(row: Mapping[str, Any], links: tuple[LinkRecord, ...]) -> KeptPage:
    content = row["content"]
    return KeptPage(
        row["url"],
        row["status"],
        row["http_status"],
        row["order"],
        row["title"] or "",
        row["language"],
        tuple(row["reasons"] or ()),
        None if content is None else bytes(content),
        links,
    )


def _link(row: Mapping[str, Any]) -> LinkRecord:
    return LinkRecord(row["target"], row["anchor"] or "", row["context"] or "", row["priority"], row["position"])
