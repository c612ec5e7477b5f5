"""The content of a record and of a graph in one form, so that they can be compared."""

import base64
import json
from typing import Any

from graphdb.neo4j.bolt_driver import Connection, plain
from graphdb.record.batch_rows import in_sentences, stored_shares
from graphdb.record.sqlite_store import SqliteStore
from semantic.records import Counters


def graph_snapshot(graph: Connection) -> dict[str, Any]:
    """All nodes and relations of a graph, by what they are known by."""
    return {
        "pages": _nodes(graph, "Page", "url"),
        "sites": _nodes(graph, "Site", "host"),
        "concepts": _nodes(graph, "Concept", "iri"),
        "traps": sorted((name, "outdated" in row) for name, row in _nodes(graph, "Trap", "name").items()),
        "links": _relations(graph, "LINKS_TO", "url", "url"),
        "mentions": _relations(graph, "MENTIONS", "url", "iri"),
        "parents": _relations(graph, "DISCOVERED_FROM", "url", "url"),
        "copies": _relations(graph, "COPY_OF", "url", "url"),
        "narrower": _relations(graph, "NARROWER", "iri", "iri"),
        "on_site": _relations(graph, "ON_SITE", "url", "host"),
        "seeds": _relations(graph, "SEED", "topic", "url"),
    }


def crawl_row(store: SqliteStore) -> dict[str, Any]:
    """What a record says of its crawl, with the totals."""
    return next(store.read("SELECT * FROM crawl"))


def totals(store: SqliteStore) -> Counters:
    """The totals alone."""
    row = crawl_row(store)
    return Counters(**{name: row[name] for name in Counters.__slots__})


def _nodes(graph: Connection, label: str, key: str) -> dict[Any, Any]:
    rows = list(graph.read(f"MATCH (n:{label}) RETURN n.{key} AS key, properties(n) AS set"))
    assert len({row["key"] for row in rows}) == len(rows)
    return {row["key"]: plain(row["set"]) for row in rows}


def _relations(graph: Connection, kind: str, start: str, end: str) -> dict[Any, Any]:
    cypher = f"MATCH (a)-[r:{kind}]->(b) RETURN a.{start} AS a, b.{end} AS b, properties(r) AS set"
    rows = list(graph.read(cypher))
    assert len({(row["a"], row["b"]) for row in rows}) == len(rows)
    return {(row["a"], row["b"]): plain(row["set"]) for row in rows}


def snapshot(store: SqliteStore) -> dict[str, Any]:
    """A record in the form of `graph_snapshot`, with the contents of pages."""
    topic = next((row["topic"] for row in store.read("SELECT topic FROM crawl")), "")
    pages = {row["id"]: row for row in store.read("SELECT pages.*, content FROM pages LEFT JOIN contents ON page = id")}
    concepts = {row["id"]: row for row in store.read("SELECT * FROM concepts")}
    urls = {number: row["url"] for number, row in pages.items()}
    iris = {number: row["iri"] for number, row in concepts.items()}
    links, mentions = store.read("SELECT * FROM links"), store.read("SELECT * FROM mentions")
    return {
        "pages": {row["url"]: _page(row) for row in pages.values()},
        "sites": {row["host"]: _properties(row) for row in store.read("SELECT * FROM sites")},
        "concepts": {row["iri"]: _properties(row, "id") for row in concepts.values()},
        "traps": sorted((row["name"], bool(row["outdated"])) for row in store.read("SELECT * FROM traps")),
        "links": {
            (urls[row["source"]], urls[row["target"]]): {"reasons": []} | _properties(row, "source", "target")
            for row in links
        },
        "mentions": {
            (urls[row["page"]], iris[row["concept"]]): _properties(row, "page", "concept") for row in mentions
        },
        "parents": {(row["url"], urls[row["parent"]]): {} for row in pages.values() if row["parent"] is not None},
        "copies": {(row["url"], urls[row["copy_of"]]): {} for row in pages.values() if row["copy_of"] is not None},
        "narrower": {(iris[row["concept"]], iris[row["narrower"]]): {} for row in store.read("SELECT * FROM narrower")},
        "on_site": {(row["url"], row["host"]): {} for row in pages.values()},
        "seeds": {(topic, row["url"]): {} for row in pages.values() if row["is_seed"]},
    }


def without_contents(found: dict[str, Any]) -> dict[str, Any]:
    """The same without the contents of pages, which most graphs do not have."""
    pages = {url: {name: row[name] for name in row if name != "content"} for url, row in found["pages"].items()}
    return {**found, "pages": pages}


def _page(row: dict[str, Any]) -> dict[str, Any]:
    shares = stored_shares(row["reasons"] or "[]")
    return _properties(row | {"shares": shares}, "id", "parent", "copy_of", "is_seed")


def _properties(row: dict[str, Any], *without: str) -> dict[str, Any]:
    found = {name: value for name, value in row.items() if value is not None and name not in without}
    found |= {name: in_sentences(found[name]) for name in ("reasons", "chosen") if name in found}
    found |= {name: json.loads(found[name]) for name in ("names",) if name in found}
    flags = ("on_topic", "stale", "on_path", "wanted", "banned", "gone")
    found |= {name: bool(found[name]) for name in flags if name in found}
    return found | ({"content": base64.b64encode(row["content"]).decode()} if found.get("content") else {})
