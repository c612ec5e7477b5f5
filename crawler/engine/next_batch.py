"""What the session has learned and the store does not hold yet: the next batch in the making.

The pages that are on topic are counted here, too: a verdict may change long after its page was fetched.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from semantic.records import (
    AskedRecord,
    Batch,
    CopyRecord,
    Counters,
    JudgedRecord,
    LinkRecord,
    PageRecord,
    RevisedRecord,
    SiteRecord,
)
from semantic.scores import Priority, Reason
from semantic.understanding import revised_record


class Verdicts:
    """A set of 64-bit hashes of addresses; `results`: the pages on topic of earlier runs."""

    def __init__(self, results: Iterable[str] = ()) -> None:
        self._results = set(map(hash, results))

    def __len__(self) -> int:
        """How many pages are on topic."""
        return len(self._results)

    def say(self, url: str, *, on_topic: bool) -> None:
        """The page is on topic, or is not (any more)."""
        if on_topic:
            self._results.add(hash(url))
        else:
            self._results.discard(hash(url))


class Unsaved:
    """One batch's worth, in the order of its making; of what changes for a waiting page only the last counts."""

    def __init__(self) -> None:
        self._pages: list[PageRecord] = []
        self._sites: list[SiteRecord] = []
        self._away: dict[str, str] = {}
        self._revised: dict[str, Priority | LinkRecord] = {}
        self._asked: list[AskedRecord] = []
        self._judged: dict[str, JudgedRecord] = {}
        self._copies: list[CopyRecord] = []
        self._links = 0

    @property
    def size(self) -> tuple[int, int]:
        """Pages (and hosts to be left alone), and links with other small changes."""
        pages = len(self._pages) + len(self._asked) + len(self._away)
        return pages, self._links + len(self._revised) + len(self._judged)

    def end(self, record: PageRecord, why: Sequence[Reason] = ()) -> None:
        """An address has ended; `why` it was chosen: where that is not given, its last place tells."""
        revised = self._revised.pop(record.url, None)
        reasons = why or (revised.reasons if revised else ())
        if reasons:
            record = replace(record, chosen=tuple(map(str, reasons)))
        self._judged.pop(record.url, None)
        self._pages.append(record)
        self._links += len(record.links)

    def judge(self, record: JudgedRecord) -> None:
        """A page fetched before has another relevance."""
        self._judged[record.url] = record

    def asked(self, record: AskedRecord) -> None:
        """A page was asked for again, and stays as it is."""
        self._asked.append(record)

    def outdone(self, record: CopyRecord) -> None:
        """A page of before is a copy now."""
        self._copies.append(record)

    def site(self, record: SiteRecord) -> None:
        """A site is known."""
        self._sites.append(record)

    def away(self, host: str, until: str) -> None:
        """A host wants to be left alone."""
        self._away[host] = until

    def revise(self, url: str, priority: Priority) -> None:
        """A waiting page has a new place."""
        self._revised[url] = priority

    def raise_again(self, link: LinkRecord) -> None:
        """A waiting page was raised by a link: what was revised since the last batch holds no longer."""
        if link.url in self._revised:
            self._revised[link.url] = link

    def batch(self, counters: Counters, memory: bytes) -> Batch:
        """All of it."""
        revised = tuple(_revised(url, place) for url, place in self._revised.items())
        away = tuple(self._away.items())
        return Batch(
            tuple(self._pages),
            tuple(self._sites),
            counters,
            memory,
            revised,
            tuple(self._asked),
            tuple(self._judged.values()),
            away,
            copies=tuple(self._copies),
        )


def _revised(url: str, place: Priority | LinkRecord) -> RevisedRecord:
    if isinstance(place, LinkRecord):
        return RevisedRecord(url, place.priority or 0.0, place.reasons, place.shares)
    return revised_record(url, place)
