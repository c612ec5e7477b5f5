"""Paths to imported pages. Each page was requested by its address, so the links to it tell how it could have been
found.
"""

from math import inf

from graphdb.cypher.statements import statements
from graphdb.neo4j.bolt_driver import Connection
from graphdb.record.batch_rows import Row, parts

PAGES_AT_ONCE = 200  # in one statement; chosen, not measured


def stored_ways(graph: Connection) -> tuple[list[str], list[Row]]:
    """The pages that have a parent already, by an earlier import or a crawl; and a row {url, parent, depth} for each
    other page to which a page before it links, parents before their children.
    """
    known = statements("imported")
    rows = list(graph.read(known["ended"]))
    rows.sort(key=lambda row: (inf if row["order"] is None else row["order"], row["url"]))
    before: list[str] = []
    parents: dict[str, str] = {}
    for urls in parts([row["url"] for row in rows], PAGES_AT_ONCE):
        before += [row["url"] for row in graph.read(known["found_before"], urls=urls)]
        parents |= {row["url"]: row["parent"] for row in graph.read(known["found_on"], urls=urls)}
    depths: dict[str, int] = {}
    for row in rows:
        url = row["url"]
        depths[url] = depths.get(parents[url], 0) + 1 if url in parents else row["depth"]
    return before, [{"url": url, "parent": parent, "depth": depths[url]} for url, parent in parents.items()]
