"""How fast a crawl comes to Neo4j, and what it answers there: `python -m benchmarks.graph_filling [--links 1000000]`.

A made crawl (`benchmarks.long_queue`) is saved with so many links, 60 a page. It fills the embedded engine, as the
first `ontocrawl query` does, then a Neo4j server that runs as shipped, which is read back and compared, and from that a
record is made again. Every saved query of Neo4j Browser is asked twice, the second time measured. Needs Java and Maven.
"""

import os
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import neo4j_server
from benchmarks.long_queue import Crawl
from benchmarks.options import options
from benchmarks.processes import cpu_seconds, descendants
from graphdb.browser.browser_files import saved_queries
from graphdb.neo4j.bolt_driver import Connection
from graphdb.store_answers import BoltAddress
from graphdb.stores import copy, open_graph

LINKS = 60  # of a page


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print seconds, and processor seconds here and of servers."""
    began, here, there = time.perf_counter(), time.process_time(), _served()
    yield
    used = f"CPU {time.process_time() - here:.1f} s here, {_served() - there:.1f} s in servers"
    print(f"{what}: {time.perf_counter() - began:.2f} s; {used}; load {os.getloadavg()[0]:.1f}", flush=True)


def _served() -> float:
    """CPU seconds of servers: those that run, and those that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime + sum(map(cpu_seconds, descendants(os.getpid())))


def main() -> None:
    given = options(__doc__, links=1_000_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        crawl = Crawl(str(folder / "store"))
        crawl.web.links = LINKS
        with timed("crawled and saved"):
            crawl.pages(max(1, given.links // LINKS))
            crawl.end()
        with timed("filled the embedded engine"), open_graph(str(folder / "store")):
            pass
        with timed("opened the embedded engine again"), open_graph(str(folder / "store")):
            pass
        with neo4j_server.running(folder / "neo4j", as_shipped=True) as server:
            os.environ.update(NEO4J_USERNAME=neo4j_server.USER, NEO4J_PASSWORD=server.password)
            for source, target in ((str(folder / "store"), server.uri), (server.uri, str(folder / "back"))):
                with timed(f"copied to {target.partition(':')[0]}"):
                    rows = copy(source, target, with_contents=True)
                print(f"  {rows['pages']:,} pages, {rows['links']:,} links")
            graph = Connection(BoltAddress(server.uri, neo4j_server.USER, server.password))
            for saved, query in saved_queries().items():
                list(graph.read(query.rstrip(";")))
                with timed(saved):
                    list(graph.read(query.rstrip(";")))
            graph.close()


if __name__ == "__main__":
    main()
