"""How long the saved queries of Neo4j Browser take: `python -m benchmarks.saved_queries [--pages N] [--links N]`.

Makes a graph in a Neo4j server of its own, by Cypher in the server: pages that were fetched (a third on topic), links
between them, half to a few much-linked ones, mentions of 100 concepts, as many waiting pages. Runs each query twice
and tells the seconds of the second time, those of the server's processor, its rows, the database hits, and whether its
plan scans all pages.
"""

import argparse
import os
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import neo4j_server, processes
from graphdb.browser.browser_files import saved_queries
from graphdb.graph.graph_store import define_schema, label_pages
from graphdb.neo4j.bolt_driver import Connection, Run
from graphdb.store_answers import Address

HOSTS, CONCEPTS, MENTIONS, AT_ONCE = 200, 100, 8, 1000
BEGIN = """
CREATE (c:Crawl {id: 'bench', ontology: 'bench.owl'})
WITH c
UNWIND range(0, $hosts - 1) AS host
CREATE (:Site {host: 'host' + host + '.example'})
WITH count(*) AS sites
UNWIND range(0, $concepts + 9) AS n
CREATE (:Concept {iri: 'urn:' + n, label: 'concept ' + n, names: ['concept ' + n], weight: 1.0})
"""
PAGES = """
UNWIND range($first, $last) AS n
MATCH (s:Site {host: 'host' + (n % $hosts) + '.example'})
CREATE (p:Page {
  url: 'http://host' + (n % $hosts) + '.example/part' + (n % 7) + '/page-' + n, host: s.host, 
  title: 'Page ' + n + ' of concept ' + (n % 100),
  status: CASE WHEN n < $fetched THEN 'fetched' ELSE 'queued' END, priority: rand(),
  order: CASE WHEN n < $fetched THEN n END, relevance: CASE WHEN n < $fetched THEN rand() END,
  on_topic: n < $fetched AND n % 3 = 0, kind: CASE WHEN n % 10 = 0 THEN 'listing' ELSE 'article' END,
  stale: CASE WHEN n < $fetched AND n % 20 = 1 THEN true END, number: n,
  verdict: CASE WHEN n < $fetched AND n % 500 = 0 THEN 'good' END, reasons: ['+0.3 anchor: topic'], chosen: ['a link']
})-[:ON_SITE]->(s)
"""
PARENTS = """
UNWIND range($first, $last) AS n
MATCH (p:Page {number: n}), (parent:Page {number: n / 10})
WHERE n > 0
CREATE (p)-[:DISCOVERED_FROM]->(parent)
"""
LINKS = """
UNWIND range($first, $last) AS n
MATCH (p:Page {number: n})
UNWIND range(1, $each) AS place
WITH p, place, CASE WHEN place % 2 = 0 THEN toInteger(rand() ^ 4 * $fetched) ELSE toInteger(rand() * $fetched) END AS to
MATCH (q:Page {number: to})
CREATE (p)-[:LINKS_TO {anchor: 'to page ' + to + ' of concept ' + (to % 100), priority: rand(), position: place}]->(q)
"""
SAID = """
UNWIND range($first, $last) AS n
MATCH (p:Page {number: n})
UNWIND range(1, $each) AS place
MATCH (c:Concept {iri: 'urn:' + toInteger(rand() ^ 3 * $concepts)})
CREATE (p)-[:MENTIONS {count: place, weight: rand(), `where`: '{}'}]->(c)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the saved queries of Neo4j Browser.")
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--links", type=int, default=1_000_000)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, neo4j_server.running(Path(folder), as_shipped=True) as server:
        graph = Connection(Address(server.uri, neo4j_server.USER, server.password))
        began = time.monotonic()
        make(graph, words.pages, words.links)
        print(f"made {words.pages:,} pages with {words.links:,} links in {time.monotonic() - began:.0f} s", flush=True)
        for name, query in saved_queries().items():
            measure(graph, name, query)
        graph.close()


def make(graph: Connection, pages: int, links: int) -> None:
    define_schema(graph)
    graph.define({"number": "CREATE INDEX number FOR (p:Page) ON (p.number)"})
    given = {"hosts": HOSTS, "concepts": CONCEPTS, "fetched": pages}
    graph.write(lambda run: run(BEGIN, **given))
    steps = ((PAGES, 2 * pages, 0), (PARENTS, 2 * pages, 0), (LINKS, pages, links // pages), (SAID, pages, MENTIONS))
    for cypher, up_to, each in steps:
        for first in range(0, up_to, AT_ONCE):
            part = {**given, "first": first, "last": first + AT_ONCE - 1, "each": each}
            graph.write(partial(_run, cypher=cypher, given=part))
    graph.write(lambda run: run("MATCH (c:Crawl), (p:Page {number: 0}) CREATE (c)-[:SEED]->(p)"))
    urls = [row["url"] for row in graph.read("MATCH (p:Page) RETURN p.url AS url")]
    for first in range(0, len(urls), AT_ONCE):
        graph.write(partial(label_pages, urls=urls[first : first + AT_ONCE]))


def _run(run: Run, cypher: str, given: dict[str, Any]) -> None:
    run(cypher, **given)


def measure(graph: Connection, name: str, query: str) -> None:
    for _ in range(2):
        began, used = time.monotonic(), server_cpu()
        rows = len(list(graph.read(query.rstrip(";"))))
        seconds, cpu = time.monotonic() - began, server_cpu() - used
    with graph._session() as session:
        profile = session.run(f"PROFILE {query.rstrip(';')}").consume().profile or {}
    scans = "scans all pages" if all_pages(profile) else ""
    print(f"{name:24} {seconds:6.2f} s {cpu:6.2f} s of CPU {rows:5} rows {hits(profile):10,} hits  {scans}", flush=True)


def server_cpu() -> float:
    return sum(map(processes.cpu_seconds, processes.descendants(os.getpid())))


def hits(step: dict[str, Any]) -> int:
    return int(step.get("dbHits", 0)) + sum(map(hits, step.get("children", ())))


def all_pages(step: dict[str, Any]) -> bool:
    details = str(step.get("args", {}).get("Details", ""))
    kind = step.get("operatorType", "")
    here = kind.startswith("NodeByLabelScan") and details.endswith(":Page")
    return here or kind.startswith("AllNodes") or any(map(all_pages, step.get("children", ())))


if __name__ == "__main__":
    main()
