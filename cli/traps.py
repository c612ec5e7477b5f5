"""`ontocrawl status --traps`: what was cut off in a crawl, and why. The crawl's own accounts, made again."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from cli.terminal import one_line, show
from crawler.traps import Traps
from graphdb.statements import statements
from graphdb.stores import Store, open_store
from ontology.errors import StoreError


@dataclass(slots=True)
class Trap:
    """`links` that wait behind it, `first` the best of them."""

    trap: str
    why: str
    first: str
    links: int = 0


def run(store: str, *, as_json: bool) -> int:
    """Print the traps of a store's crawl. Raises StoreError where it holds no crawl."""
    opened = open_store(store, create=False)
    try:
        found = read_traps(opened)
    finally:
        opened.close()
    if as_json:
        show(json.dumps([asdict(trap) for trap in found], ensure_ascii=False))
    else:
        for line in _lines(found):
            show(line)
    return 0


def read_traps(store: Store) -> list[Trap]:
    """Those that links wait behind, the most links first."""
    crawls = store.query(statements("status")["crawl"]).rows
    if not crawls:
        raise StoreError("the store holds no crawl", "begin one: ontocrawl crawl --help")
    traps = Traps(store.visits(), json.loads(str(crawls[0]["settings"])).get("allow_trap", ()))
    found: dict[str, Trap] = {}
    for link in store.queued():
        name = traps.trap(link.url) if link.depth else None
        if name is not None:
            found.setdefault(name, Trap(name, traps.why(name), link.url)).links += 1
    return sorted(found.values(), key=lambda trap: (-trap.links, trap.trap))


def _lines(found: list[Trap]) -> Iterator[str]:
    if not found:
        yield "no traps: nothing was cut off"
        return
    yield f"{sum(trap.links for trap in found):,} links wait behind {len(found):,} traps and are not fetched"
    for trap in found:
        yield f"\n{one_line(trap.trap, 200)}"
        yield f"  {trap.why}"
        yield f"  {trap.links:,} links wait, first {one_line(trap.first, 200)}"
    yield f"\nTo open one, crawl on with --allow-trap {shlex.quote(one_line(found[0].trap, 200))}"
