"""The waiting links: one global priority order under per-host politeness.

Theory. Best-first search always takes the best link of the whole queue; politeness forbids some hosts for a while. So a
pop takes the best link among all *ready* hosts: those that may be asked now. Each host has a heap of its links; a heap
of ready hosts is ordered by each host's best link; a heap of waiting hosts by the time when they become ready. Push and
pop cost O(log n) and never walk the hosts.

Order: higher priority first, then the link found first. The rank of finding is stored with the
link, so a frontier rebuilt from the store pops the same. (By address instead, breadth-first wins or loses up to 0.2 of
its harvest by the accident of how a site names its pages.)

Invariants
- `_live` names each waiting address once, with its one valid entry. An entry in a heap that is not the live one is
  stale (its priority rose or fell) and is dropped when it reaches the top: lazy deletion. A heap of which more than
  half is stale is made anew, so that priorities may change as often as they like.
- a ready host that has links has an item in the ready heap for its best entry; other items of that heap are stale. So
  the ready heap gets the new best entry also where the old one has become worse.
- a popped host is out of the ready heap until `schedule` says when it may be popped again.
- what is cut (`crawler.traps.trap_detection`) is live and in no heap: it is known, its place may change, it is not
  popped and does not count, until its trap is opened.

Rejected: one heap for all (a pop must skip the links of every host that is not ready); a database as the queue
(5 to 10 times slower, and the store is the record already); re-sorting when a priority changes (O(n)).

Inversions are counted by a check that does not use the ready heap: it looks at every host that may be asked and at the
tops of their own heaps. Its cost is spread out: with more than `CHECK_SPAN` hosts it runs at every (hosts/CHECK_SPAN)th
pop, so the count is then a sample.

The requests that are under way: their links, and how many each host has.
"""

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from semantic.records import QueuedRecord
from semantic.urls import host_of

ROBOTS_RANK = -math.inf  # before all pages
ROBOTS_MARK = "#"  # ends the address of a robots.txt here: one that has moved may be where a page waits
CHECK_SPAN = 16  # hosts looked at per pop, on average, to count inversions
HELD = ""  # in a trap's place: behind it wait links while pages that the crawl has are asked for again
DEEP = " "  # the same for links that are further from the seeds than the crawl goes
BANNED = "  "  # and for links of hosts from which a person wants nothing more (`crawler.engine.steering`)
SPARE = 64  # stale items that any heap may hold


class Entry(NamedTuple):
    """A waiting link; compares in the order of popping. `rank`: minus the priority; `found`: the rank of finding."""

    rank: float
    found: int
    depth: int
    url: str
    parent: str
    redirects: int


def entry_of(record: QueuedRecord, url: str) -> Entry:
    """A waiting link as the store has it; `url`: the text of its address that is to be kept."""
    return Entry(-record.priority, record.found, record.depth, url, record.parent or "", record.redirects)


def robots_entry(url: str) -> Entry:
    """A robots.txt that is to be fetched."""
    return Entry(ROBOTS_RANK, 0, 0, url + ROBOTS_MARK, "", 0)


@dataclass(slots=True)
class _Host:
    """One host's links, and the time (seconds) from which it may be asked; inf: not before `schedule`.

    `links`: how many of the heap's entries are live.
    """

    heap: list[Entry] = field(default_factory=list)
    links: int = 0
    at: float = 0.0
    ready: bool = False


class Frontier:
    """All waiting links. Times are seconds of any clock that only goes forward."""

    def __init__(self) -> None:
        self.inversions = 0
        self._live: dict[str, Entry] = {}
        self._hosts: dict[str, _Host] = {}
        self._ready: list[tuple[Entry, str]] = []
        self._waiting: list[tuple[float, str]] = []
        self._unchecked = 0
        self._cut: dict[str, dict[str, str]] = {}  # trap -> address -> host
        self._trap_of: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._live) - len(self._trap_of)

    @property
    def cut_off(self) -> tuple[int, int]:
        """How many links are cut, and how many traps they wait behind; what waits for another reason is none."""
        others = [len(self._cut.get(name, ())) for name in (HELD, DEEP, BANNED)]
        return len(self._trap_of) - sum(others), len(self._cut) - sum(map(bool, others))

    @property
    def too_deep(self) -> int:
        """How many links were met that are further from the seeds than the crawl goes."""
        return len(self._cut.get(DEEP, ()))

    def get(self, url: str) -> Entry | None:
        """The waiting entry of an address."""
        return self._live.get(url)

    def push(self, host: str, entry: Entry) -> None:
        """Queue a link; an address that waits already takes the new entry, better or worse than the old one."""
        if entry.url in self._trap_of:
            self._live[entry.url] = entry
            return
        queue = self._hosts.get(host)
        if queue is None:
            queue = self._hosts[host] = _Host()
        before = self._top(queue)
        queue.links += entry.url not in self._live
        self._live[entry.url] = entry
        heapq.heappush(queue.heap, entry)
        if len(queue.heap) > 2 * queue.links + SPARE:
            queue.heap = [held for held in queue.heap if self._live.get(held.url) is held]
            heapq.heapify(queue.heap)
        if queue.ready:
            self._offer(queue, host, before)
        elif before is None and queue.at < math.inf:
            heapq.heappush(self._waiting, (queue.at, host))

    def _offer(self, queue: _Host, host: str, before: Entry | None) -> None:
        """Put a ready host's best entry into the ready heap, if it is not the one of before."""
        top = self._top(queue)
        if top is None or top is before:
            return
        heapq.heappush(self._ready, (top, host))
        if len(self._ready) > 2 * len(self._hosts) + SPARE:
            tops = ((self._top(each), name) for name, each in self._hosts.items() if each.ready)
            self._ready = [(best, name) for best, name in tops if best is not None]
            heapq.heapify(self._ready)

    def schedule(self, host: str, at: float) -> None:
        """Say from when a host may be popped again; inf: until the next call."""
        queue = self._hosts.get(host)
        if queue is None:
            queue = self._hosts[host] = _Host()
        if queue.at == at and not queue.ready:
            return
        queue.at, queue.ready = at, False
        if queue.heap and at < math.inf:
            heapq.heappush(self._waiting, (at, host))

    def pop(self, now: float) -> tuple[str, Entry] | None:
        """Take the best link of all hosts that may be asked now; its host then rests until `schedule`."""
        self._wake(now)
        first = self._first_ready()
        if first is None:
            return None
        entry, host = first
        self._count_inversion(entry, now)
        queue = self._hosts[host]
        heapq.heappop(self._ready)
        heapq.heappop(queue.heap)
        del self._live[entry.url]
        queue.links -= 1
        queue.at, queue.ready = math.inf, False
        return host, entry

    def cut(self, host: str, entry: Entry, trap: str) -> None:
        """Keep a popped link behind a trap."""
        self._live[entry.url] = entry
        self._trap_of[entry.url] = trap
        self._cut.setdefault(trap, {})[entry.url] = host

    def open(self, traps: Iterable[str]) -> None:
        """Queue again what was cut for these traps."""
        for url, host in [link for trap in traps for link in self._cut.pop(trap, {}).items()]:
            del self._trap_of[url]
            self.push(host, self._live.pop(url))

    def remove(self, host: str, url: str) -> None:
        """Forget a waiting link of a host that is not ready."""
        del self._live[url]
        self._hosts[host].links -= 1

    def peek(self, now: float) -> Entry | None:
        """The link that `pop` would take."""
        self._wake(now)
        first = self._first_ready()
        return first and first[0]

    def top(self, host: str) -> Entry | None:
        """The best link of one host, whether it may be asked or not."""
        queue = self._hosts.get(host)
        return self._top(queue) if queue else None

    def waiting(self, host: str) -> int:
        """How many links of one host wait."""
        queue = self._hosts.get(host)
        return queue.links if queue else 0

    def tops(self) -> Iterator[tuple[Entry, int]]:
        """The best link of each host that has any, and how many wait there."""
        return ((top, queue.links) for queue in self._hosts.values() if (top := self._top(queue)))

    def links_of(self, host: str) -> list[str]:
        """The addresses of one host's links that wait, in no order."""
        queue = self._hosts.get(host)
        return [entry.url for entry in queue.heap if self._live.get(entry.url) is entry] if queue else []

    def next_time(self) -> float:
        """When the next host with links becomes ready (seconds; in the past: now); inf where none will by itself."""
        if self._first_ready() is not None:
            return -math.inf
        while self._waiting:
            at, host = self._waiting[0]
            queue = self._hosts[host]
            if queue.at == at and not queue.ready and self._top(queue) is not None:
                return at
            heapq.heappop(self._waiting)
        return math.inf

    def best(self) -> Entry | None:
        """The best link of the ready hosts; where none is ready, of all."""
        first = self._first_ready()
        if first is not None:
            return first[0]
        return min((top for queue in self._hosts.values() if (top := self._top(queue))), default=None)

    def _first_ready(self) -> tuple[Entry, str] | None:
        """The top of the ready heap; stale items above it are dropped."""
        while self._ready:
            entry, host = self._ready[0]
            queue = self._hosts[host]
            if queue.ready and self._top(queue) is entry:
                return entry, host
            heapq.heappop(self._ready)
        return None

    def _wake(self, now: float) -> None:
        while self._waiting and self._waiting[0][0] <= now:
            at, host = heapq.heappop(self._waiting)
            queue = self._hosts[host]
            if queue.at != at or queue.ready:
                continue
            top = self._top(queue)
            if top is not None:
                queue.ready = True
                heapq.heappush(self._ready, (top, host))

    def _top(self, queue: _Host) -> Entry | None:
        """The best live entry of a host; stale ones above it are dropped."""
        heap = queue.heap
        while heap and self._live.get(heap[0].url) is not heap[0]:
            heapq.heappop(heap)
        return heap[0] if heap else None

    def _count_inversion(self, popped: Entry, now: float) -> None:
        self._unchecked += 1
        if self._unchecked * CHECK_SPAN < len(self._hosts):
            return
        self._unchecked = 0
        for queue in self._hosts.values():
            if queue.at <= now and queue.heap and queue.heap[0] < popped:
                top = self._top(queue)
                if top is not None and top < popped:
                    self.inversions += 1
                    return


class OpenRequests:
    """By address; of a robots.txt as the frontier names it. `hosts`: those with open requests, and how many."""

    def __init__(self) -> None:
        self.hosts: Counter[str] = Counter()
        self._entries: dict[str, Entry] = {}
        self._robots = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, url: str) -> bool:
        return url in self._entries

    @property
    def entries(self) -> list[Entry]:
        """Their links."""
        return list(self._entries.values())

    @property
    def page_urls(self) -> list[str]:
        """Those that are not for a robots.txt."""
        return [url for url, entry in self._entries.items() if entry.rank != ROBOTS_RANK]

    @property
    def pages(self) -> int:
        """How many are not for a robots.txt."""
        return len(self._entries) - self._robots

    def start(self, entry: Entry) -> None:
        """It is asked for."""
        self._entries[entry.url] = entry
        self.hosts[host_of(entry.url)] += 1
        self._robots += entry.rank == ROBOTS_RANK

    def finish(self, url: str) -> Entry:
        """Its answer came."""
        entry = self._entries.pop(url)
        host = host_of(url)
        self.hosts[host] -= 1
        if not self.hosts[host]:
            del self.hosts[host]
        self._robots -= entry.rank == ROBOTS_RANK
        return entry
