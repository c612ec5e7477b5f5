"""Reads a crawl back from a graph: its pages, some at a time, and what a resumed crawl must know.

Lists of all pages are sorted here, in Python: the embedded server can sort 500,000 rows at most, and while it sorts it
holds whole pages in memory, of which 27,000 are its limit (measured).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from math import inf
from typing import Any

from graphdb.cypher.statements import statements
from graphdb.neo4j.bolt_driver import Connection
from graphdb.record.batch_rows import parts, place_of
from semantic.reasons import as_said
from semantic.records import (
    ANCHOR,
    FingerprintRecord,
    LinkGraph,
    LinkRecord,
    MentionedRecord,
    MentionRecord,
    OutsideRecord,
    QueuedRecord,
    Standing,
    StoredPage,
    VisitRecord,
    WantedRecord,
)

# Pages in one statement; chosen, not measured.
PAGES_AT_ONCE = 100  # with their texts
VERTICES_AT_ONCE = 1000  # with their links
SOURCES_AT_ONCE = 100  # with all links that lead to them, which may come from every other page
SAMPLED = 100  # one waiting page in so many is in the sample, as in the statement `sample` of `frontier.cypher`


def stored_queue(connection: Connection, statement: str, **parameters: object) -> Iterator[QueuedRecord]:
    """Waiting pages, read by a statement of `frontier.cypher`."""
    row: dict[str, Any]
    parents: dict[str | None, str | None] = {}  # one string object for all links found on one page
    for row in connection.read(statements("frontier")[statement], **parameters):
        row["parent"] = parents.setdefault(row["parent"], row["parent"])
        reasons = as_said(row.pop("reasons", None))
        yield QueuedRecord(**row, reasons=reasons)


def stored_outside(connection: Connection) -> Iterator[OutsideRecord]:
    """The addresses that are out of scope."""
    for row in connection.read(statements("frontier")["outside"]):
        yield OutsideRecord(str(row["url"]), str(row["why"]))


def stored_places(connection: Connection, urls: Iterable[str]) -> Iterator[QueuedRecord]:
    """Queue entries for addresses that are not waiting."""
    known = statements("frontier")
    for some in parts(urls, VERTICES_AT_ONCE):
        links: dict[str, list[tuple[dict[str, Any], str, dict[str, Any]]]] = {}
        for row in connection.read(known["leading"], urls=some):
            link = {**row["link"], "reasons": as_said(row["link"]["reasons"])}
            links.setdefault(row["url"], []).append((link, row["source"], row["page"]))
        for row in connection.read(known["left"], urls=some):
            parent = None if row["status"] is None else {"status": row["status"], "depth": row["depth"]}
            place = place_of(row["url"], row["page"], parent, links.get(row["url"], ()))
            if place is not None:
                yield place


def best_first(queue: Iterable[QueuedRecord]) -> list[QueuedRecord]:
    """Sorted in the order in which they would be fetched."""
    return sorted(queue, key=lambda record: (-record.priority, record.found, record.url))


def stored_best(connection: Connection, most: int) -> Iterator[QueuedRecord]:
    """About the best `most` waiting pages, best first; never more."""
    sample = sorted((row["priority"] for row in connection.read(statements("frontier")["sample"])), reverse=True)
    worst = sample[most // SAMPLED] if len(sample) > most // SAMPLED else -inf
    return stored_queue(connection, "best", most=most, worst=worst)


def stored_visits(connection: Connection) -> Iterator[VisitRecord]:
    """Pages fetched, copies and feeds included, in their order, with the parents of those on topic; then the
    failures.
    """
    for _, url, parent, on_topic, stale, said_by in _in_order(connection, statements("frontier")["visits"]):
        yield VisitRecord(url, parent, bool(on_topic), bool(stale), said_by=said_by)
    for row in connection.read(statements("frontier")["failures"]):
        yield VisitRecord(str(row["url"]), failed=True)


def stored_mentions(connection: Connection) -> Iterator[MentionedRecord]:
    """The pages, without copies, that mention a concept outside link texts."""
    pages: dict[str, tuple[bool, list[str]]] = {}
    for row in connection.read(statements("coverage")["mentions"]):
        if json.loads(str(row["where_it_stands"])).keys() - {ANCHOR}:
            pages.setdefault(str(row["url"]), (bool(row["on_topic"]), []))[1].append(str(row["iri"]))
    return (MentionedRecord(url, on_topic, tuple(concepts)) for url, (on_topic, concepts) in pages.items())


def stored_fingerprints(connection: Connection) -> Iterator[FingerprintRecord]:
    """For each page that is not a copy, what is needed to recognise copies of it; in the order of fetching."""
    for _, url, *marks in _in_order(connection, statements("frontier")["fingerprints"]):
        yield FingerprintRecord(url, *marks)


def stored_wanted(connection: Connection) -> list[WantedRecord]:
    """The pages to be fetched again, most relevant first."""
    found = [WantedRecord(**row) for row in connection.read(statements("recrawl")["wanted"])]
    return sorted(found, key=lambda record: (-record.relevance, record.order or inf, record.url))


def stored_paths(connection: Connection) -> tuple[set[str], set[str], int]:
    """Two sets of pages whose mark is wrong: marked as on a path from a seed to a result and on none, and the
    reverse. And the number of results.

    Only if a page on such a path is neither marked nor a result, the ways of all pages are read.
    """
    known = statements("recrawl")
    rows = list(connection.read(known["marked_ways"]))
    results = sum(row["is_result"] for row in rows)
    strays, missed = _wrong_marks(rows)
    if missed <= {row["url"] for row in rows}:
        return strays, missed, results
    return *_wrong_marks(connection.read(known["ways"])), results


def _wrong_marks(rows: Iterable[Mapping[str, Any]]) -> tuple[set[str], set[str]]:
    parents: dict[str, str | None] = {}
    marked, results = set(), []
    for row in rows:
        parents[row["url"]] = row["parent"]
        if row["on_path"]:
            marked.add(row["url"])
        if row["on_topic"]:
            results.append(row["url"])
    ways: set[str] = set()
    for result in results:
        url: str | None = result
        while url is not None and url not in ways:
            ways.add(url)
            url = parents.get(url)
    return marked - ways, ways - marked


def _in_order(connection: Connection, statement: str) -> list[tuple[Any, ...]]:
    """The rows of a statement as tuples, sorted by their columns."""
    return sorted(tuple(row.values()) for row in connection.read(statement))


def stored_memory(run: Callable[[str], Iterable[dict[str, Any]]]) -> tuple[bytes, float | None]:
    """The strategy's memory, and the seconds of crawling up to which it is complete. `run`: runs a statement."""
    rows = list(run(statements("crawl")["memory"]))
    return b"".join(bytes(row["bytes"]) for row in rows), rows[0]["seconds"] if rows else None


def stored_link_graph(connection: Connection, most: int = 0) -> LinkGraph:
    """The pages on a path from a seed to a result, and the links among them; sorted by address.

    If at most `most` pages were fetched, these are the pages on any path; otherwise those on the paths by which results
    were found.
    """
    pages: dict[str, str] = {}  # one string object for all links to a page
    links: list[tuple[str, str]] = []
    results, seeds, texts = set(), set(), {}
    any_way = any(0 < row["pages"] <= most for row in connection.read(statements("link_graph")["pages"]))
    if any_way:
        links = _leading_on(connection, pages)
    for row in _found_by(connection, pages) if any_way else _on_paths(connection):
        url = pages.setdefault(row["url"], row["url"])
        links.extend((url, pages.setdefault(target, target)) for target in row["targets"])
        if row["result"]:
            results.add(url)
        if row["seed"]:
            seeds.add(url)
        if row["anchor"] is not None:
            texts[url] = (row["anchor"], row["context"])
    links.sort()
    return LinkGraph(tuple(sorted(pages)), tuple(links), frozenset(results), frozenset(seeds), texts, any_way)


def _leading_on(connection: Connection, pages: dict[str, str]) -> list[tuple[str, str]]:
    """The links on paths to a result, found by searching backwards from the results; their pages are added to
    `pages`.
    """
    known = statements("link_graph")
    links: list[tuple[str, str]] = []
    edge = [str(row["url"]) for row in connection.read(known["results"])]
    pages.update(zip(edge, edge, strict=True))
    while edge:
        new: list[str] = []
        for urls in parts(edge, SOURCES_AT_ONCE):
            for row in connection.read(known["sources"], urls=urls):
                new += [source for source in row["sources"] if source not in pages]
                sources = [pages.setdefault(source, source) for source in row["sources"]]
                links.extend((source, pages[row["url"]]) for source in sources)
        edge = list(dict.fromkeys(new))
    return links


def _found_by(connection: Connection, pages: Iterable[str]) -> Iterator[dict[str, Any]]:
    for some in parts(list(pages), VERTICES_AT_ONCE):
        yield from connection.read(statements("link_graph")["found_by"], urls=some)


def _on_paths(connection: Connection) -> Iterator[dict[str, Any]]:
    known = statements("link_graph")
    urls = [row["url"] for row in connection.read(known["vertices"])]
    for some in parts(urls, VERTICES_AT_ONCE):
        yield from connection.read(known["link_graph"], urls=some)


def stored_pages(connection: Connection, statement: str) -> Iterator[StoredPage]:
    """Answered addresses, listed by a statement of `record.cypher`."""
    known = statements("record")
    ended: list[str] = [url for _, _, _, url, *_ in _in_order(connection, known[statement])]
    for urls in parts(ended, PAGES_AT_ONCE):
        pages = {row["url"]: row for row in connection.read(known["pages"], urls=urls)}
        rows = connection.read(known["links"], urls=urls)
        links = {url: tuple(map(_link, found)) for url, found in groupby(rows, lambda row: str(row["url"]))}
        yield from (_page(pages[url], links.get(url, ())) for url in urls)


def stored_contents(connection: Connection, urls: Iterable[str]) -> Iterator[bytes]:
    """What each of these pages says, packed; b"" for one without text."""
    for some in parts(urls, PAGES_AT_ONCE):
        rows = connection.read(statements("record")["contents"], urls=some)
        found = {row["url"]: bytes(row["content"] or b"") for row in rows}
        yield from (found.get(url, b"") for url in some)


def stored_to_judge(connection: Connection, statement: str) -> Iterator[StoredPage]:
    """The same as far as judging needs it: with the mentions of pages with text and how they are judged, without
    reasons and copies, and with links of redirects only.

    Half of the addresses of many crawls failed; nothing further is read of these.
    """
    known = statements("record")
    for some in parts(_in_order(connection, known[statement]), PAGES_AT_ONCE):
        with_text = [url for _, _, _, url, _, has_text in some if has_text]
        moved = [url for _, _, _, url, status, _ in some if status == "redirected"]
        texts = {row["url"]: row for row in connection.read(known["texts"], urls=with_text)} if with_text else {}
        rows = connection.read(known["links"], urls=moved) if moved else ()
        links = {url: tuple(map(_link, found)) for url, found in groupby(rows, lambda row: str(row["url"]))}
        for _, copied, order, url, status, has_text in some:
            row = texts.get(url, {})
            yield StoredPage(
                url,
                status,
                row.get("http_status"),
                None if copied else order,
                row.get("title") or "",
                row.get("language"),
                (),
                bytes(row["content"]) if has_text else None,
                links.get(url, ()),
                row.get("depth") or 0,
                mentions=tuple(_mention(*found) for found in row["mentions"] if found[0]) if has_text else None,
                standing=_standing(row) if has_text and not copied else None,
            )


def _standing(row: Mapping[str, Any]) -> Standing | None:
    if row["relevance"] is None:
        return None
    return Standing(row["relevance"], row["on_topic"], row["verdict"], row["kind"])


def _mention(concept: str, count: int, weight: float, where: str) -> MentionRecord:
    return MentionRecord(concept, count, weight, json.loads(where))


def _page(row: Mapping[str, Any], links: tuple[LinkRecord, ...]) -> StoredPage:
    content = row["content"]
    return StoredPage(
        row["url"],
        row["status"],
        row["http_status"],
        row["order"],
        row["title"] or "",
        row["language"],
        as_said(row["reasons"]),
        None if content is None else bytes(content),
        links,
        row["depth"] or 0,
        row["copy_of"],
    )


def _link(row: Mapping[str, Any]) -> LinkRecord:
    return LinkRecord(row["target"], row["anchor"] or "", row["context"] or "", row["priority"], row["position"])
