"""The content of a store in one form for all kinds of stores, so that they can be compared."""

import base64
import json
from typing import Any

from graphdb.graph.graph_store import GraphStore
from graphdb.record.batch_rows import in_sentences, stored_shares
from graphdb.record.sqlite_store import SqliteStore
from graphdb.stores import Store
from semantic.records import Counters


def snapshot(store: Store) -> dict[str, Any]:
    """All pages, sites, concepts and relations of a store, in one form for all kinds of stores."""
    if isinstance(store, SqliteStore):
        return _of_record(store)
    return {
        "pages": _nodes(store, "Page", "url"),
        "sites": _nodes(store, "Site", "host"),
        "concepts": _nodes(store, "Concept", "iri"),
        "traps": sorted((name, "outdated" in row) for name, row in _nodes(store, "Trap", "name").items()),
        "links": _relations(store, "LINKS_TO", "url", "url"),
        "mentions": _relations(store, "MENTIONS", "url", "iri"),
        "parents": _relations(store, "DISCOVERED_FROM", "url", "url"),
        "copies": _relations(store, "COPY_OF", "url", "url"),
        "narrower": _relations(store, "NARROWER", "iri", "iri"),
        "on_site": _relations(store, "ON_SITE", "url", "host"),
        "seeds": _relations(store, "SEED", "topic", "url"),
    }


def crawl_row(store: SqliteStore) -> dict[str, Any]:
    """What a record says of its crawl, with the totals."""
    return next(store.read("SELECT * FROM crawl"))


def totals(store: SqliteStore) -> Counters:
    """The totals alone."""
    row = crawl_row(store)
    return Counters(**{name: row[name] for name in Counters.__slots__})


def _nodes(store: GraphStore, label: str, key: str) -> dict[Any, Any]:
    rows = store.query(f"MATCH (n:{label}) RETURN n.{key} AS key, properties(n) AS set").rows
    assert len({row["key"] for row in rows}) == len(rows)
    return {row["key"]: row["set"] for row in rows}


def _relations(store: GraphStore, kind: str, start: str, end: str) -> dict[Any, Any]:
    cypher = f"MATCH (a)-[r:{kind}]->(b) RETURN a.{start} AS a, b.{end} AS b, properties(r) AS set"
    rows = store.query(cypher).rows
    assert len({(row["a"], row["b"]) for row in rows}) == len(rows)
    return {(row["a"], row["b"]): row["set"] for row in rows}


def _of_record(store: SqliteStore) -> dict[str, Any]:
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


def _page(row: dict[str, Any]) -> dict[str, Any]:
    shares = stored_shares(row["reasons"] or "[]")
    return _properties(row | {"shares": shares}, "id", "parent", "copy_of", "is_seed")


def _properties(row: dict[str, Any], *without: str) -> dict[str, Any]:
    found = {name: value for name, value in row.items() if value is not None and name not in without}
    found |= {name: in_sentences(found[name]) for name in ("reasons", "chosen") if name in found}
    found |= {name: json.loads(found[name]) for name in ("names",) if name in found}
    found |= {name: bool(found[name]) for name in ("on_topic", "stale", "on_path", "gone") if name in found}
    return found | ({"content": base64.b64encode(row["content"]).decode()} if found.get("content") else {})
