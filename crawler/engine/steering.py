"""Manual control of a running crawl: a person may pause it, ban a host or put it first, and see what the crawl is
doing.

These settings outlive a session (which may end because of another ontology or new marks). A pause ends with the run;
which hosts are banned and raised is kept in the record (`hosts_wanted`), and holds in later runs. If nobody uses the
controls, each decision costs one check of a flag.

- A pause starts nothing more; open requests are answered and saved.
- Links of a banned host are cut when their turn comes, like those of a trap (`crawler.engine.admission`): they stay
  queued, until the ban is lifted.
- Links of a raised host come before all others, in their own order: the best waiting priority at that moment is added
  to their priorities, and to those of its later links.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from heapq import nsmallest
from typing import NamedTuple

from crawler.frontier.priority_queue import ROBOTS_PRIORITY, Cut, Entry, Frontier, OpenRequests
from semantic.reasons import Reason, Reasons
from semantic.records import HostRecord, Mark, PageRecord, Priority
from semantic.urls import host_of, origins_of

REMEMBERED = 30  # most recent pages to be shown; chosen, not measured
RAISED_BY = 1.0  # at least: priorities of most strategies are between 0 and 1


class UnderWay(NamedTuple):
    """An open request, and why its address was chosen."""

    url: str
    priority: float
    depth: int
    parent: str
    why: Reasons


class HostQueue(NamedTuple):
    """The number of waiting links of a host, and the best of them. `under_way`: the number of its open requests."""

    host: str
    waiting: int
    best: str
    priority: float
    under_way: int
    is_banned: bool
    is_raised: bool


class Ended(NamedTuple):
    """A page that was fetched. `why`: reasons for choosing it. `reasons`: those of its outcome."""

    url: str
    title: str
    priority: float
    relevance: float | None
    on_topic: bool
    reasons: Reasons
    why: Reasons


def raising(hosts: Iterable[HostRecord]) -> Callable[[str, Priority], Priority]:
    """The function that raises the priority of a link of a raised host, and leaves others as they are."""
    return partial(_raised, {one.host: one.raised for one in hosts if one.raised})


def _raised(raised: Mapping[str, float], url: str, priority: Priority) -> Priority:
    by = raised.get(host_of(url), 0.0)
    return Priority(priority.score + by, (*priority.reasons, Reason("raised by hand", by))) if by else priority


@dataclass(slots=True)
class _Steered:
    """The parts of a session that can be controlled."""

    frontier: Frontier
    in_flight: OpenRequests
    why: Callable[[str], tuple[Reason, ...]]
    place: Callable[[str, Priority], None]
    raise_rest: Callable[[str, float], None]


@dataclass(slots=True)
class Steering:
    """The state of manual control.

    - `banned`: hosts. `raised`: host -> what is added to the priorities of its links.
    - `marks`: the person's marks of pages that were not applied yet; `wants_judging`: whether all pages are to be
      judged again because of them. `is_judging`: this is being done, and there is no session meanwhile.
    - `last`: the most recent pages.
    - `judged`: the number of pages judged so far, without seeds; `priority_sum` and `relevance_sum`: the sums of their
      priorities and of their relevance.
    """

    is_paused: bool = False
    banned: set[str] = field(default_factory=set)
    raised: dict[str, float] = field(default_factory=dict)
    marks: dict[str, Mark | None] = field(default_factory=dict)
    wants_judging: bool = False
    is_judging: bool = False
    last: deque[Ended] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    judged: int = 0
    priority_sum: float = 0.0
    relevance_sum: float = 0.0
    _of: _Steered | None = None

    # Called by the session.

    def attach(
        self,
        frontier: Frontier,
        in_flight: OpenRequests,
        why: Callable[[str], tuple[Reason, ...]],
        place: Callable[[str, Priority], None],
        raise_rest: Callable[[str, float], None],
    ) -> None:
        """Control this session. `place`: gives a waiting link another priority. `raise_rest`: adds to those of a host's
        links that are not in the frontier.
        """
        self._of = _Steered(frontier, in_flight, why, place, raise_rest)
        self.is_judging = False

    def detach(self) -> None:
        """The session has ended; all pages are judged again before the next one begins."""
        self._of = None
        self.is_judging = True

    @property
    def hosts_wanted(self) -> dict[str, HostRecord]:
        """What the person wants of hosts, for the record."""
        wanted = {host: HostRecord(host, banned=True) for host in self.banned}
        return wanted | {host: HostRecord(host, host in self.banned, by) for host, by in self.raised.items()}

    def resume(self, hosts: Iterable[HostRecord]) -> None:
        """Want the same of hosts as an earlier run did; waiting links have their raised priorities already."""
        for one in hosts:
            if one.banned:
                self.banned.add(one.host)
            if one.raised:
                self.raised[one.host] = one.raised

    def note(self, record: PageRecord, why: tuple[Reason, ...]) -> None:
        """Note that an address was answered; only pages are remembered."""
        if record.order is None:
            return
        if record.depth > 0:
            self.judged += 1
            self.priority_sum += record.priority
            self.relevance_sum += record.relevance or 0.0
        self.last.append(
            Ended(
                record.url,
                record.title,
                record.priority,
                record.relevance,
                bool(record.on_topic),
                record.reasons,
                why or record.chosen,
            )
        )

    def raised_priority(self, url: str, priority: Priority) -> Priority:
        """The priority of a link, raised if its host is."""
        return _raised(self.raised, url, priority)

    # Called for the person: commands.

    def ban(self, host: str) -> None:
        """Fetch nothing more from this host."""
        self.banned.add(host)

    def raise_host(self, host: str) -> None:
        """Fetch the links of this host before all others."""
        if self._of is None or host in self.raised:
            return
        best = self._of.frontier.best()
        self.raised[host] = max(RAISED_BY, best.priority if best and best.priority != ROBOTS_PRIORITY else 0.0)
        self._move(host, self.raised[host])

    def clear_host(self, host: str) -> None:
        """Neither ban nor raise this host any more."""
        self.banned.discard(host)
        by = self.raised.pop(host, 0.0)
        if self._of is not None:
            self._of.frontier.open([Cut.BANNED])
            if by:
                self._move(host, -by)

    def _move(self, host: str, by: float) -> None:
        assert self._of is not None, "only what is attached is moved"
        self._of.raise_rest(host, by)
        for origin in origins_of(host):
            for url in self._of.frontier.links_of(origin):
                entry = self._of.frontier.get(url)
                if entry is not None and entry.priority != ROBOTS_PRIORITY:
                    reasons = (Reason("raised by hand", by),) if by > 0 else ()
                    self._of.place(url, Priority(entry.priority + by, reasons))

    # Called for the person: information.

    def under_way(self) -> list[UnderWay]:
        """The open requests for pages, best first."""
        if self._of is None:
            return []
        why = self._of.why
        entries = sorted(entry for entry in self._of.in_flight.entries if entry.priority != ROBOTS_PRIORITY)
        return [UnderWay(e.url, e.priority, e.depth, e.parent, why(e.url)) for e in entries]

    def hosts(self, most: int) -> list[HostQueue]:
        """The `most` hosts with the best links, and those that are banned or raised."""
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
        return HostQueue(host, links, entry.url, entry.priority, under_way, host in self.banned, host in self.raised)

    def _waiting(self) -> Iterator[tuple[Entry, int]]:
        assert self._of is not None, "it was asked for its hosts"
        return ((entry, links) for entry, links in self._of.frontier.tops() if entry.priority != ROBOTS_PRIORITY)
