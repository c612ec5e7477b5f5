"""A crawl goes on with another scope: what waits and is now out of it waits no more, what was out of it waits again.

Nothing is kept for that but the record: an address that was out of scope is a page to which links lead, and the best of
these gives it its place.
"""

from dataclasses import dataclass

from crawler.frontier.scope import Scope
from crawler.ports import Store
from semantic.records import OutsideRecord, QueuedRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescoped:
    """`left`: addresses that wait no more; `told`: what is now said of them, and of those that are out of scope for
    another reason than before; `back`: what waits again.
    """

    left: tuple[str, ...] = ()
    told: tuple[OutsideRecord, ...] = ()
    back: tuple[QueuedRecord, ...] = ()


def rescoped(store: Store, scope: Scope) -> Rescoped:
    """What another scope makes of the addresses that the store knows and that have not ended."""
    leaving = [OutsideRecord(queued.url, why) for queued in store.waiting() if (why := scope.why_outside(queued.url))]
    told, allowed = list(leaving), []
    for record in store.outside():
        why = scope.why_outside(record.url)
        if not why:
            allowed.append(record.url)
        elif why != record.why:
            told.append(OutsideRecord(record.url, why))
    return Rescoped(
        left=tuple(record.url for record in leaving), told=tuple(told), back=tuple(store.places_by_links(allowed))
    )
