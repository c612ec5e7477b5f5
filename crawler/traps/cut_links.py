"""The waiting links that are behind traps."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Protocol

from crawler.traps.trap_detection import Traps, kind_of
from semantic.records import QueuedRecord, TrapRecord, VisitRecord


class Waiting(Protocol):
    """A waiting link, of the frontier or of the record."""

    @property
    def url(self) -> str:
        """Its address."""
        ...

    @property
    def found(self) -> int:
        """Its rank of finding."""
        ...


class TrapRecorder(Protocol):
    """The methods of a store by which traps are found, and recorded."""

    def visits(self) -> Iterator[VisitRecord]:
        """Pages fetched, copies and feeds included, in their order, with the parents of those on topic; then the
        failures.
        """
        ...

    def waiting(self) -> Iterator[QueuedRecord]:
        """All waiting pages, in no particular order."""
        ...

    def save_traps(self, traps: Sequence[TrapRecord]) -> None:
        """Store the traps that links wait behind, instead of those of before."""
        ...


def behind(traps: Traps, waiting: Sequence[tuple[float, Waiting]]) -> list[TrapRecord]:
    """The traps that links wait behind, those with most links first. `waiting`: links with their priorities, no
    seeds.
    """
    links: dict[str, int] = {}
    first: dict[str, tuple[float, int, str]] = {}
    names = traps.of_each([link.url for _, link in waiting])
    for (priority, link), name in zip(waiting, names, strict=True):
        if name is not None:
            links[name] = links.get(name, 0) + 1
            first[name] = min(first.get(name, (inf, 0, "")), (-priority, link.found, link.url))
    found = [TrapRecord(name, kind_of(name), traps.why(name), first[name][-1], count) for name, count in links.items()]
    return sorted(found, key=lambda trap: (-trap.links, trap.trap))


def cut_links(store: TrapRecorder, allowed: Iterable[str] = ()) -> list[TrapRecord]:
    """The same by the record alone, from which the accounts are computed again. `allowed`: names given with
    --allow-trap.
    """
    traps = Traps(store.visits(), allowed)
    return behind(traps, [(link.priority, link) for link in store.waiting() if link.depth])


def number_of(traps: Iterable[TrapRecord]) -> tuple[int, int]:
    """The number of links that wait behind traps, and of these traps."""
    links = [trap.links for trap in traps]
    return sum(links), len(links)


def keep_traps(store: TrapRecorder, allowed: Sequence[str] = ()) -> list[TrapRecord]:
    """Write the traps into the record, instead of those of before; returns them."""
    traps = cut_links(store, allowed)
    store.save_traps(traps)
    return traps
