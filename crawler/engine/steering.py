"""A person's hand on a crawl that runs: it may pause, leave a host alone or put it first, and show what it is doing.

What a person wants outlives the session (another ontology, marks), and ends with the run: the record says nothing of
it but the places that raised links had. A crawl that nobody looks at pays one look at a flag for each decision.

- A pause starts nothing more; what is under way is answered and saved.
- Links of a banned host are cut when their turn comes, like those of a trap (`crawler.engine.admission`): they stay
  queued, for a run without the ban.
- A raised host's links stand above all others, in their own order: what waited best when it was raised is added to
  their priority, and to what comes later.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import NamedTuple

from crawler.frontier.priority_queue import BANNED, ROBOTS_RANK, Entry, Frontier, OpenRequests
from crawler.politeness.robots import origins_of
from semantic.records import PageRecord, Priority, Reason
from semantic.urls import host_of

REMEMBERED = 30  # addresses that ended last
RAISED_BY = 1.0  # at least: places of most strategies lie between 0 and 1
REASON = "raised by hand"


class UnderWay(NamedTuple):
    """A request that is not answered yet, and why its address was chosen."""

    url: str
    priority: float
    depth: int
    parent: str
    why: tuple[str, ...]


class HostQueue(NamedTuple):
    """Links of a host that wait, and the best of them; `under_way`: its open requests."""

    host: str
    waiting: int
    best: str
    priority: float
    under_way: int
    is_banned: bool
    is_raised: bool


class Ended(NamedTuple):
    """An address that ended; `why` it was chosen, `reasons` of what became of it."""

    url: str
    status: str
    title: str
    order: int | None
    priority: float
    relevance: float | None
    on_topic: bool
    reasons: tuple[str, ...]
    why: tuple[str, ...]


@dataclass(slots=True)
class _Steered:
    """What a session gives a hand on."""

    frontier: Frontier
    in_flight: OpenRequests
    why: Callable[[str], tuple[Reason, ...]]
    place: Callable[[str, Priority], None]


@dataclass(slots=True)
class Steering:
    """`banned`: hosts; `raised`: host -> what is added to the priority of its links. `marks`: what a person has said of
    pages and nobody has taken yet, `wants_judging` whether all pages are to be judged anew by that.

    `promised` and `came`: the sums of priority and relevance of the `judged` pages so far, seeds left out.
    """

    is_paused: bool = False
    banned: set[str] = field(default_factory=set)
    raised: dict[str, float] = field(default_factory=dict)
    marks: dict[str, bool | None] = field(default_factory=dict)
    wants_judging: bool = False
    last: deque[Ended] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    judged: int = 0
    promised: float = 0.0
    came: float = 0.0
    _of: _Steered | None = None

    # What a session asks and tells.

    def attach(
        self,
        frontier: Frontier,
        in_flight: OpenRequests,
        why: Callable[[str], tuple[Reason, ...]],
        place: Callable[[str, Priority], None],
    ) -> None:
        """This session is the one that is steered; `place` gives a waiting link another place."""
        self._of = _Steered(frontier, in_flight, why, place)

    def note(self, record: PageRecord, why: tuple[Reason, ...]) -> None:
        """An address has ended."""
        if record.order is not None and record.depth > 0:
            self.judged += 1
            self.promised += record.priority
            self.came += record.relevance or 0.0
        self.last.append(
            Ended(
                record.url,
                record.status,
                record.title,
                record.order,
                record.priority,
                record.relevance,
                bool(record.on_topic),
                record.reasons,
                tuple(map(str, why)) or record.chosen,
            )
        )

    def raise_place(self, url: str, priority: Priority) -> Priority:
        """The place of a link, as it is raised by its host."""
        by = self.raised.get(host_of(url), 0.0)
        return Priority(priority.score + by, (*priority.reasons, Reason(by, REASON))) if by else priority

    # What a person wants.

    def ban(self, host: str) -> None:
        """Fetch nothing more from this host in this run."""
        self.banned.add(host)

    def raise_host(self, host: str) -> None:
        """Fetch the links of this host before all others."""
        if self._of is None or host in self.raised:
            return
        best = self._of.frontier.best()
        self.raised[host] = max(RAISED_BY, -best.rank if best and best.rank != ROBOTS_RANK else 0.0)
        self._move(host, self.raised[host])

    def let_be(self, host: str) -> None:
        """Neither banned nor raised any more."""
        self.banned.discard(host)
        by = self.raised.pop(host, 0.0)
        if self._of is not None:
            self._of.frontier.open([BANNED])
            if by:
                self._move(host, -by)

    def _move(self, host: str, by: float) -> None:
        assert self._of is not None, "only what is attached is moved"
        for origin in origins_of(host):
            for url in self._of.frontier.links_of(origin):
                entry = self._of.frontier.get(url)
                if entry is not None and entry.rank != ROBOTS_RANK:
                    reasons = (Reason(by, REASON),) if by > 0 else ()
                    self._of.place(url, Priority(-entry.rank + by, reasons))

    # What a person sees.

    def under_way(self) -> list[UnderWay]:
        """Requests for pages that are not answered yet, best first."""
        if self._of is None:
            return []
        why = self._of.why
        entries = sorted(entry for entry in self._of.in_flight.entries if entry.rank != ROBOTS_RANK)
        return [UnderWay(e.url, -e.rank, e.depth, e.parent, tuple(map(str, why(e.url)))) for e in entries]

    def next(self) -> tuple[str, float] | None:
        """The best link that may be started, or where none may now, that waits; with its priority."""
        best = self._of.frontier.best() if self._of else None
        return None if best is None or best.rank == ROBOTS_RANK else (best.url, -best.rank)

    def hosts(self, most: int) -> list[HostQueue]:
        """The hosts with the best links, and those that are banned or raised."""
        if self._of is None:
            return []
        best: dict[str, tuple[Entry, int]] = {}
        for entry, links in self._waiting():
            host = host_of(entry.url)
            before = best.get(host)
            best[host] = (min(entry, before[0]), links + before[1]) if before else (entry, links)
        for host in [*self.banned, *self.raised]:
            best.setdefault(host, (Entry(0.0, 0, 0, "", "", 0), 0))
        steered = [host for host in best if host in self.banned or host in self.raised]
        first = nsmallest(most, best, key=best.__getitem__)
        return [self._host(host, *best[host]) for host in dict.fromkeys([*steered, *first])]

    def _host(self, host: str, entry: Entry, links: int) -> HostQueue:
        assert self._of is not None, "it was asked for its hosts"
        under_way = self._of.in_flight.hosts[host]
        return HostQueue(host, links, entry.url, -entry.rank, under_way, host in self.banned, host in self.raised)

    def _waiting(self) -> Iterator[tuple[Entry, int]]:
        assert self._of is not None, "it was asked for its hosts"
        return ((entry, links) for entry, links in self._of.frontier.tops() if entry.rank != ROBOTS_RANK)
