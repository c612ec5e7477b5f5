"""Continue a crawl with another scope: remove waiting addresses that are now out of it, and queue those that are now in
it.

Only the record is needed for that: an address out of scope is stored as a page with incoming links, and the best of
these gives it its priority.
"""

from dataclasses import dataclass

from crawler.frontier.scope import Scope
from crawler.ports import Store
from semantic.records import OutsideRecord, QueuedRecord


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


def rescoped(store: Store, scope: Scope) -> Rescoped:
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
