"""Bring the queue of a recorded crawl up to date with its settings: a scope, or a parameter, that has changed since.

Only the record is needed for that.
- An address out of scope is stored as a page with incoming links; the best of these gives it its priority.
- A link that the strategy discarded is found by analysing the recorded pages again. So this works only for scorers that
  learn nothing from a page (`LinkScorer.repeatable`). Those links are queued whose target has no link that was not
  discarded.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from crawler.archive.stored_pages import page_of_stored
from crawler.engine.crawl_records import is_page
from crawler.frontier.scope import Scope
from semantic.records import OutsideRecord, QueuedRecord, StoredPage
from semantic.understanding import TopicUnderstanding


class KnownAddresses(Protocol):
    """The methods of a store that another scope needs."""

    def waiting(self) -> Iterator[QueuedRecord]:
        """All waiting pages, in no particular order."""
        ...

    def outside(self) -> Iterator[OutsideRecord]:
        """The addresses that are out of the crawl's scope and were not fetched."""
        ...

    def places_by_links(self, urls: Sequence[str]) -> Iterator[QueuedRecord]:
        """Queue entries for these addresses, which are not waiting: with their former priority, or that of the best
        link.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescoped:
    """The effect of another scope.

    - `left`: addresses that wait no more.
    - `reasons`: why addresses are out of scope now, where that has changed, those of `left` included.
    - `back`: queue entries for addresses that wait again.
    """

    left: tuple[str, ...] = ()
    reasons: tuple[OutsideRecord, ...] = ()
    back: tuple[QueuedRecord, ...] = ()


def rescoped(store: KnownAddresses, scope: Scope) -> Rescoped:
    """Compare the addresses that the store knows, and that were not fetched, with another scope."""
    leaving = [OutsideRecord(queued.url, why) for queued in store.waiting() if (why := scope.why_outside(queued.url))]
    reasons, allowed = list(leaving), []
    for record in store.outside():
        why = scope.why_outside(record.url)
        if not why:
            allowed.append(record.url)
        elif why != record.why:
            reasons.append(OutsideRecord(record.url, why))
    return Rescoped(
        left=tuple(record.url for record in leaving), reasons=tuple(reasons), back=tuple(store.places_by_links(allowed))
    )


def revived(
    pages: Iterable[StoredPage], discarded: Iterable[str], understanding: TopicUnderstanding
) -> tuple[QueuedRecord, ...]:
    """The discarded links that would not be discarded now, for each address the best one, in the order in which they
    were found.
    """
    lost = set(discarded)
    best: dict[str, QueuedRecord] = {}
    for kept in pages if lost else ():
        if kept.content is None:
            continue
        frame = understanding.analyst.frame(page_of_stored(kept), kept.content)
        if frame.source or frame.nofollow:
            continue
        (understood,) = understanding.understand_frames([frame])
        for link in understood.links:
            if not is_page(link.url):
                continue
            before = best.get(link.url)
            if link.url in lost and link.priority is not None and (before is None or before.priority < link.priority):
                found = before.found if before else len(best) + 1
                best[link.url] = QueuedRecord(
                    link.url, link.priority, kept.depth + 1, kept.url, reasons=link.reasons, found=found
                )
    return tuple(best.values())
