"""Paths to imported pages. Each page was requested by its address, so the links to it tell how it could have been
found.
"""

from functools import partial
from math import inf

from graphdb.cypher.statements import statements
from graphdb.neo4j.bolt_driver import Run
from graphdb.record.batch_rows import Row, parts
from graphdb.record.graph_store import ROWS_AT_ONCE, GraphStore, label_pages

PAGES_AT_ONCE = 200  # in one statement; chosen, not measured


def find_ways(store: GraphStore) -> int:
    """Give each page with incoming links the first linking page as its parent; only the others stay seeds. Returns the
    number of seeds.
    """
    known, graph = statements("imported"), store.connection
    rows = sorted((inf if row["order"] is None else row["order"], row["url"]) for row in graph.read(known["ended"]))
    parents: dict[str, str] = {}
    for urls in parts([url for _, url in rows], PAGES_AT_ONCE):
        before = list(graph.read(known["found_before"], urls=urls))  # by an earlier import, or a crawl
        graph.write(partial(_unseed, before))
        parents |= {row["url"]: row["parent"] for row in graph.read(known["found_on"], urls=urls)}
    depths: dict[str, int] = {}
    for _, url in rows:  # a parent comes before its children
        depths[url] = depths.get(parents[url], 0) + 1 if url in parents else 0
    found: list[Row] = [{"url": url, "parent": parent, "depth": depths[url]} for url, parent in parents.items()]
    for some in parts(found, ROWS_AT_ONCE):

        def work(run: Run, some: list[Row] = some) -> None:
            run(known["set_parents"], rows=some)
            run(known["unseed"], rows=some)
            if graph.has_labels:
                label_pages(run, [row["url"] for row in some])

        graph.write(work)
    store.update_paths()
    (counted,) = graph.read(known["seeds"])
    return int(counted["seeds"])


def _unseed(rows: list[Row], run: Run) -> None:
    run(statements("imported")["unseed"], rows=rows)
