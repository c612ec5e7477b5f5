"""`ontocrawl status --traps`: links that were cut off, and why. The crawl's accounts are computed again."""

import json
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from cli.explaining.status import crawl_row, tell
from cli.render.language import as_told, tr
from cli.render.terminal import one_line
from crawler.traps.trap_detection import Traps
from graphdb.stores import Store
from semantic.urls import readable


@dataclass(slots=True)
class Trap:
    """A trap. `links`: number of links that wait behind it; `first`: the best of them."""

    trap: str
    why: str
    first: str
    links: int = 0


def run(store: str, *, as_json: bool) -> int:
    """Print the traps of a store's crawl. Raises StoreError if it has no crawl."""
    return tell(store, read_traps, _lines, as_json=as_json)


def read_traps(store: Store) -> list[Trap]:
    """The traps that links wait behind, those with most links first."""
    traps = _kept(store)
    links: Counter[str] = Counter()
    first: dict[str, tuple[float, int, str]] = {}
    for link in store.waiting():
        name = traps.trap(link.url) if link.depth else None
        if name is not None:
            links[name] += 1
            place = (-link.priority, link.found, link.url)
            first[name] = min(first.get(name, place), place)
    found = [Trap(name, traps.why(name), first[name][-1], count) for name, count in links.items()]
    return sorted(found, key=lambda trap: (-trap.links, trap.trap))


def why_cut(store: Store, url: str) -> Iterator[str]:
    """A line for a waiting link that is behind a trap."""
    traps = _kept(store)
    name = traps.trap(url)
    if name is not None:
        yield tr(
            "  not fetched: it is behind the trap {name} ({why}); {opened}",
            name=one_line(name, 200),
            why=traps.why(name),
            opened=_opened(name),
        )


def _kept(store: Store) -> Traps:
    return Traps(store.visits(), json.loads(str(crawl_row(store)["settings"])).get("allow_trap", ()))


def _opened(name: str) -> str:
    return tr("to open it, crawl on with --allow-trap {name}", name=shlex.quote(one_line(name)))


def _lines(found: list[Trap]) -> Iterator[str]:
    if not found:
        yield tr("no traps: nothing was cut off")
        return
    yield tr(
        "{sum:,} links wait behind {number:,} traps and are not fetched",
        sum=sum(trap.links for trap in found),
        number=len(found),
    )
    for trap in found:
        yield f"\n{one_line(trap.trap)}"
        yield f"  {as_told(trap.why)}"
        yield tr("  {links:,} links wait, first {first}", links=trap.links, first=one_line(readable(trap.first), 200))
    yield tr("\nThe first: {opened}", opened=_opened(found[0].trap))
