"""From one graph to another: all nodes and relations, page by page in parts, each part by itself complete."""

from collections.abc import Callable, Iterator, Mapping

from graphdb.cypher.statements import statements
from graphdb.neo4j.bolt_driver import Connection
from graphdb.record.batch_rows import Row, parts, portions
from graphdb.record.graph_store import save_memory
from graphdb.record.stored_crawl import stored_memory
from ontology.errors import StoreError

PAGES_AT_ONCE = 50
ROWS_AT_ONCE = 2000


def copy_graph(source: Connection, target: Connection, progress: Callable[[int], None]) -> int:
    """Copy; `progress` is told the pages done. Gives the number of pages.

    All pages come first, then their relations. Raises StoreError if the target holds another crawl, or the source none.
    """
    known = statements("copy")
    crawls = list(source.read(known["crawl"]))
    if not crawls:
        raise StoreError("there is no crawl to copy", "crawl into this store first, or give the right one")
    _refuse_other(crawls[0], target)
    target.define(statements("schema"))
    _put(target, "put_crawl", crawls)
    memory, seconds = stored_memory(source.read)
    target.write(lambda run: save_memory(run, memory, seconds))
    _put_all(target, list(source.read(known["sites"])), "put_sites")
    _put_all(target, list(source.read(known["concepts"])), "put_concepts", "put_narrower")
    pages = 0
    for urls in _urls(source):
        _put(target, "put_pages", list(source.read(known["pages"], urls=urls)))
    for urls in _urls(source):
        _copy_relations(source, target, urls)
        pages += len(urls)
        progress(pages)
    _put(target, "put_seeds", crawls)
    return pages


def _refuse_other(crawl: Mapping[str, Row], target: Connection) -> None:
    there = [row["set"]["id"] for row in target.read(statements("copy")["crawl"])]
    if there and there != [crawl["set"]["id"]]:
        raise StoreError("the target holds another crawl", "copy into an empty database")


def _copy_relations(source: Connection, target: Connection, urls: list[str]) -> None:
    known = statements("copy")
    _put(target, "put_parents", list(source.read(known["parents"], urls=urls)))
    _put(target, "put_copies", list(source.read(known["copies"], urls=urls)))
    for name in ("links", "mentions"):
        items = {row["url"]: row["items"] for row in source.read(known[name], urls=urls)}
        for rows in portions(items):
            _put(target, f"put_{name}", rows)


def _urls(source: Connection) -> Iterator[list[str]]:
    for rows in parts(source.read(statements("copy")["urls"]), PAGES_AT_ONCE):
        yield [str(row["url"]) for row in rows]


def _put_all(target: Connection, rows: list[Row], *names: str) -> None:
    for name in names:
        for some in parts(rows, ROWS_AT_ONCE):
            _put(target, name, some)


def _put(target: Connection, name: str, rows: list[Row]) -> None:
    target.write(lambda run: run(statements("copy")[name], rows=rows))
