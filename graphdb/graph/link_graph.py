"""Reads G_w, the link graph of paper J (definition 5), from a graph by Cypher."""

from collections.abc import Iterable, Iterator
from typing import Any

from graphdb.cypher.statements import statements
from graphdb.neo4j.bolt_driver import Connection
from graphdb.record.batch_rows import parts
from semantic.records import LinkGraph

# Pages in one statement; chosen, not measured.
VERTICES_AT_ONCE = 1000  # with their links
SOURCES_AT_ONCE = 100  # with all links that lead to them, which may come from every other page


def link_graph_of(connection: Connection, most: int = 0) -> LinkGraph:
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
