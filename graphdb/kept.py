"""The pages of a crawl read back from a graph, some at a time: what they said is all in them (`semantic.content`)."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from graphdb.bolt import Connection
from graphdb.statements import statements
from semantic.records import KeptPage, LinkRecord

PAGES_AT_ONCE = 100


def kept_pages(connection: Connection) -> Iterator[KeptPage]:
    """Every address that ended: pages in the order of fetching, copies of them, then what was no page."""
    known = statements("record")
    ended = [str(row["url"]) for row in connection.read(known["ended"])]
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
