"""The waiting links that are behind traps, counted from the record."""

from collections.abc import Iterable, Sequence
from math import inf

from crawler.ports import Store
from crawler.traps.trap_detection import Traps, kind_of
from semantic.records import TrapRecord


def cut_links(store: Store, allowed: Iterable[str] = ()) -> list[TrapRecord]:
    """The traps that links wait behind, those with most links first. `allowed`: names given with --allow-trap."""
    traps = Traps(store.visits(), allowed)
    links: dict[str, int] = {}
    first: dict[str, tuple[float, int, str]] = {}
    for link in store.waiting():
        name = traps.trap(link.url) if link.depth else None
        if name is not None:
            links[name] = links.get(name, 0) + 1
            first[name] = min(first.get(name, (inf, 0, "")), (-link.priority, link.found, link.url))
    found = [
        TrapRecord(name, kind_of(name), str(traps.why(name)), first[name][-1], count) for name, count in links.items()
    ]
    return sorted(found, key=lambda trap: (-trap.links, trap.trap))


def keep_traps(store: Store, allowed: Sequence[str] = ()) -> None:
    """Write the traps into the record, instead of those of before."""
    store.save_traps(cut_links(store, allowed))
