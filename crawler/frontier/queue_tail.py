"""The part of a long queue that stays in the record.

A crawl holds about `MOST` waiting links. When it has more, it keeps the best `NEAR` of them and lays the others aside:
all are in the record, with their latest priorities. What the strategy knows of those laid aside is saved there, too
(`LinkScorer.lay_aside`).

- The queue is read from the record again when it is the turn of a link that is worse than one laid aside. So the order
  is that of a queue that is held completely, except that the strategy does not revise what is laid aside.
- One host can be asked for one page at a time. So of one host at most `PER_HOST` links are held while other hosts have
  enough, and the crawl always has hosts to ask.
- A link laid aside that is found again is brought in before the strategy learns from the page.
- Links that would not be started are left out: behind traps, too deep, of banned hosts, of hosts out of reach. If a
  trap opens, or a ban is lifted, the queue is read again.

A queue of at most `MOST` links is held completely, also at the start of a run.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from crawler.frontier.priority_queue import Entry
from semantic.records import Nearest, QueuedRecord
from semantic.urls import host_of

NEAR = 50_000  # as many as `fused` scores again after a fit; reading them takes about a second of CPU
MOST = 2 * NEAR  # chosen: then a reading follows some 50,000 new links
PER_HOST = 1000  # at a second's delay a quarter of an hour of that host; chosen, not measured
APART = 100  # requests between two readings, unless nothing is left; a reading takes about a second; chosen

LAST = (math.inf, 0)


class QueueInRecord(Protocol):
    """The methods of a store that hold the queue."""

    def nearest(self, most: int, per_host: int, is_left_out: Callable[[str, int], bool]) -> Nearest:
        """The best waiting pages, about `most`: of one host at most `per_host`, unless the other hosts have too few.

        `is_left_out`: whether a page is passed over, by its address and depth.
        """
        ...

    def waiting_among(self, urls: Sequence[str]) -> Iterator[QueuedRecord]:
        """Those of these addresses that wait, without reasons."""
        ...

    def laid_aside(self, urls: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """What the strategy knows of those of these addresses of which that was saved."""
        ...


class QueueTail:
    """Knows how much of the queue is laid aside, and when the record is to be read again.

    `store`: None if everything is held. `number`: of links laid aside.
    """

    def __init__(self, store: QueueInRecord | None) -> None:
        self.store = store
        self.number = 0
        self._end = LAST  # the place from which on everything is laid aside
        self._beyond: dict[str, tuple[float, int]] = {}  # of hosts: the same for their links alone
        self._is_news = False  # something laid aside may be better than that
        self._is_dry = False  # the last reading changed nothing
        self._read_at = 0  # requests of the crawl at the last reading

    def is_long(self, waiting: int) -> bool:
        """Whether so many links are too many to be held."""
        return self.store is not None and waiting > MOST

    def nearest(self, is_left_out: Callable[[str, int], bool]) -> Nearest:
        """Read which links are to be held."""
        assert self.store is not None, "without a record there is nothing to be read"
        return self.store.nearest(NEAR, PER_HOST, is_left_out)

    def note_reading(self, near: Nearest, number: int, requests: int, *, is_dry: bool) -> None:
        """Note what was read, and that `number` links are laid aside now."""
        self.number, self._end, self._beyond = number, near.end or LAST, dict(near.beyond)
        self._is_news, self._is_dry, self._read_at = False, is_dry, requests

    def note_news(self) -> None:
        """Note that links laid aside may be started now that were left out."""
        self._is_news, self._is_dry = True, False

    def note_rank(self, priority: float) -> None:
        """Note that a link laid aside has this priority now."""
        self._is_news |= -priority < self._end[0]

    def note_pop(self, entry: Entry, left: int) -> None:
        """Note that a link is started, whose host has so many others."""
        self._is_news |= not left and host_of(entry.url) in self._beyond

    def is_due(self, best: Entry | None, held: int, waiting: int, requests: int) -> bool:
        """Whether the queue is to be read before the next link is started.

        `best`: the link that would be started. `held`: number of links in memory, `waiting`: of these, not behind a
        trap.
        """
        if not waiting:
            return bool(self.number) and not self._is_dry
        if requests - self._read_at < APART:
            return False
        return self.is_long(held) or self._is_news or (best is not None and self._is_behind(best))

    @property
    def may_end(self) -> bool:
        """Whether nothing laid aside can be started."""
        return not self.number or self._is_dry

    def _is_behind(self, entry: Entry) -> bool:
        """Whether a link laid aside may be better."""
        rank = (-entry.priority, entry.found)
        return rank > self._end or rank > self._beyond.get(host_of(entry.url), LAST)
