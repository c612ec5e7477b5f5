"""The waiting links: one global priority order under per-host politeness.

Theory. Best-first search always takes the best link of the whole queue, but politeness forbids some hosts for a while.
So a pop takes the best link of all *ready* hosts: those that may be asked now. Each host has a heap of its links. A
heap of ready hosts is ordered by each host's best link, and a heap of waiting hosts by the time at which they become
ready. Push and pop cost O(log n) and never iterate over the hosts.

Order: higher priority first, then the link found first. The rank of finding is stored with the link, so a frontier that
is rebuilt from the store pops in the same order. (Ordering by address instead changes the harvest of breadth-first by
up to 0.2, depending on how a site happens to name its pages.)

Invariants
- `_live` contains each waiting address once, with its one valid entry; `_robots` those that wait as a robots.txt,
  because an address may wait as both. An entry in a heap that is not the live one is
  stale (its priority has changed) and is dropped when it reaches the top: lazy deletion. A heap of which more than half
  is stale is rebuilt, so priorities may change any number of times.
- A ready host that has links has an item in the ready heap for its best entry; other items in that heap are stale. So
  the ready heap gets the new best entry also if the former best one has become worse.
- A popped host is not in the ready heap until `schedule` says when it may be popped again.
- A link that is cut (`crawler.traps.trap_detection`) is live and in no heap: it is known and its priority may change,
  but it is not popped or counted until its trap is opened.

Rejected alternatives: one heap for everything (a pop must skip the links of every host that is not ready); a database
as the queue (5 to 10 times slower, and the store is the record already); sorting again after a change of priority
(O(n)).

Inversions (pops that were not the best ready link) are counted by a check that does not use the ready heap: it looks at
every host that may be asked, and at the top of the host's own heap. To limit its cost, with more than `CHECK_SPAN`
hosts the check runs at every (hosts/CHECK_SPAN)th pop only, so the count is a sample.

`OpenRequests`: the requests under way, and their number for each host.
"""

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import NamedTuple, TypeVar

from semantic.records import QueuedRecord
from semantic.urls import host_of

ROBOTS_PRIORITY = math.inf  # before all pages
CHECK_SPAN = 16  # hosts checked for inversions per pop, on average; chosen, not measured
Item = TypeVar("Item")
SPARE = 64  # stale items that every heap may contain; chosen, not measured


class Cut(Enum):
    """Why a link is cut that is behind no trap."""

    REVISITS = "known pages are fetched again first"
    TOO_DEEP = "further from the seeds than the crawl may go"
    BANNED = "on a host that a person has banned"


class _Ordered(NamedTuple):
    """Tuples are compared by the interpreter itself; a comparison of our own took .3 ms a page (measured)."""

    place: float  # minus the priority
    found: int
    depth: int
    url: str
    parent: str
    redirects: int


class Entry(_Ordered):
    """A waiting link; entries compare in the order of popping: the higher priority first. `found`: rank of finding."""

    __slots__ = ()

    def __new__(  # noqa: PLR0913, PLR0917 - its fields
        cls, priority: float, found: int, depth: int, url: str, parent: str, redirects: int
    ) -> "Entry":
        """The entry of a link with this priority."""
        return tuple.__new__(cls, (-priority, found, depth, url, parent, redirects))

    @property
    def priority(self) -> float:
        """What the link is worth."""
        return -self.place

    def worth(self, priority: float) -> "Entry":
        """The same link with another priority."""
        return self._replace(place=-priority)


Valid = Mapping[str, Entry]  # of each address the entry that counts


def entry_of(record: QueuedRecord, url: str) -> Entry:
    """The entry of a link read from the store. `url`: its address, as the string object to be stored."""
    return Entry(record.priority, record.found, record.depth, url, record.parent or "", record.redirects)


def robots_entry(url: str) -> Entry:
    """The entry of a robots.txt to be fetched."""
    return Entry(ROBOTS_PRIORITY, 0, 0, url, "", 0)


@dataclass(slots=True)
class _HostQueue:
    """One host's links, and the time (seconds) from which it may be asked; inf: not before `schedule`.

    `links`: the number of live entries in the heap. `name`: used in all heaps, so that its text is in memory once.
    """

    name: str
    heap: list[Entry] = field(default_factory=list)
    links: int = 0
    at: float = 0.0
    ready: bool = False

    def top(self, live: Valid, robots: Valid) -> Entry | None:
        """The best valid entry; stale ones above it are dropped. `live`, `robots`: the valid entry of each address."""
        heap = self.heap
        while heap:
            best = heap[0]
            if live.get(best.url) is best or robots.get(best.url) is best:
                return best
            heapq.heappop(heap)
        return None


class CutLinks:
    """The links that are cut, by what they wait behind: a trap, or another reason."""

    def __init__(self) -> None:
        self._behind: dict[str | Cut, dict[str, str]] = {}  # trap -> address -> host
        self._trap_of: dict[str, str | Cut] = {}

    def __len__(self) -> int:
        return len(self._trap_of)

    def __contains__(self, url: str) -> bool:
        return url in self._trap_of

    def add(self, url: str, host: str, trap: str | Cut) -> None:
        """Note that a link waits behind a trap."""
        self._trap_of[url] = trap
        self._behind.setdefault(trap, {})[url] = host

    def take(self, traps: Iterable[str | Cut]) -> list[tuple[str, str]]:
        """The links behind these traps, each with its host; they wait behind nothing from now on."""
        found = [link for trap in traps for link in self._behind.pop(trap, {}).items()]
        for url, _ in found:
            del self._trap_of[url]
        return found

    def drop(self, urls: Iterable[str]) -> None:
        """Forget these links, as far as they wait behind anything."""
        for url in urls:
            trap = self._trap_of.pop(url, None)
            if trap is not None:
                del self._behind[trap][url]

    @property
    def by_traps(self) -> tuple[int, int]:
        """The number of links behind traps, and of these traps."""
        others = [len(self._behind.get(name, ())) for name in Cut]
        return len(self._trap_of) - sum(others), sum(map(bool, self._behind.values())) - sum(map(bool, others))

    @property
    def too_deep(self) -> int:
        """The number of links met so far that are further from the seeds than the crawl may go."""
        return len(self._behind.get(Cut.TOO_DEEP, ()))


class Frontier:
    """All waiting links. Times are seconds of any monotonic clock. `cut_links`: those that are not popped."""

    def __init__(self) -> None:
        self.inversions = 0
        self.cut_links = CutLinks()
        self.openings = 0  # how often traps were opened
        self._live: dict[str, Entry] = {}
        self._robots: dict[str, Entry] = {}
        self._hosts: dict[str, _HostQueue] = {}
        self._ready: list[tuple[Entry, str]] = []
        self._waiting: list[tuple[float, str]] = []
        self._unchecked = 0

    def __len__(self) -> int:
        """The number of links that are not cut, and of waiting requests for a robots.txt."""
        return len(self._live) + len(self._robots) - len(self.cut_links)

    def get(self, url: str) -> Entry | None:
        """The waiting entry of an address, or None."""
        return self._live.get(url)

    def push(self, host: str, entry: Entry) -> None:
        """Queue a link. If the address waits already, the new entry replaces the old one, better or worse."""
        live = self._kept(entry)
        if live is self._live and entry.url in self.cut_links:
            live[entry.url] = entry
            return
        queue = self._hosts.get(host)
        if queue is None:
            queue = self._hosts[host] = _HostQueue(host)
        before = queue.top(self._live, self._robots)
        queue.links += entry.url not in live
        live[entry.url] = entry
        heapq.heappush(queue.heap, entry)
        if len(queue.heap) > 2 * queue.links + SPARE:
            queue.heap = [item for item in queue.heap if self._kept(item).get(item.url) is item]
            heapq.heapify(queue.heap)
        if queue.ready:
            self._offer(queue, before)
        elif before is None and queue.at < math.inf:
            heapq.heappush(self._waiting, (queue.at, queue.name))

    def _offer(self, queue: _HostQueue, before: Entry | None) -> None:
        """Put a ready host's best entry into the ready heap, unless it is the same as before."""
        top = queue.top(self._live, self._robots)
        if top is None or top is before:
            return
        heapq.heappush(self._ready, (top, queue.name))
        if len(self._ready) > 2 * len(self._hosts) + SPARE:
            self._gather_ready()

    def _gather_ready(self) -> None:
        """Make the ready heap again."""
        tops = ((each.top(self._live, self._robots), name) for name, each in self._hosts.items() if each.ready)
        self._ready = [(best, name) for best, name in tops if best is not None]
        heapq.heapify(self._ready)

    def schedule(self, host: str, at: float) -> None:
        """Set the time from which a host may be popped again; inf: until the next call."""
        queue = self._hosts.get(host)
        if queue is None:
            queue = self._hosts[host] = _HostQueue(host)
        if queue.at == at and not queue.ready:
            return
        queue.at, queue.ready = at, False
        if queue.heap and at < math.inf:
            heapq.heappush(self._waiting, (at, queue.name))

    def pop(self, now: float) -> tuple[str, Entry] | None:
        """Take the best link of all hosts that may be asked now; its host then rests until `schedule`."""
        self._wake(now)
        first = self._first_ready()
        if first is None:
            return None
        entry, host = first
        self._unchecked += 1
        if self._unchecked * CHECK_SPAN >= len(self._hosts):
            self._unchecked = 0
            self.inversions += self._is_better_ready(entry, now)
        queue = self._hosts[host]
        heapq.heappop(self._ready)
        heapq.heappop(queue.heap)
        del self._kept(entry)[entry.url]
        queue.links -= 1
        queue.at, queue.ready = math.inf, False
        return host, entry

    def cut(self, host: str, entry: Entry, trap: str | Cut) -> None:
        """Store a popped link behind a trap."""
        self._live[entry.url] = entry
        self.cut_links.add(entry.url, host, trap)

    def open(self, traps: Sequence[str | Cut]) -> None:
        """Queue the links that were cut for these traps again."""
        self.openings += bool(traps)
        for url, host in self.cut_links.take(traps):
            self.push(host, self._live.pop(url))

    def keep(self, stays: Callable[[Entry], bool]) -> int:
        """Drop all other links, also those that are cut; gives their number."""
        gone = [entry.url for entry in self._live.values() if not stays(entry)]
        self.cut_links.drop(gone)
        for url in gone:
            del self._live[url]
        for queue in self._hosts.values():
            queue.heap = [entry for entry in queue.heap if self._live.get(entry.url) is entry]
            heapq.heapify(queue.heap)
            queue.links = len(queue.heap)
        self._gather_ready()
        return len(gone)

    def remove(self, host: str, url: str) -> None:
        """Remove a waiting link of a host that is not ready."""
        del self._live[url]
        self._hosts[host].links -= 1

    def peek(self, now: float) -> Entry | None:
        """The link that `pop` would take."""
        self._wake(now)
        first = self._first_ready()
        return first and first[0]

    def top(self, host: str) -> Entry | None:
        """The best link of one host, whether it may be asked now or not."""
        queue = self._hosts.get(host)
        return queue.top(self._live, self._robots) if queue else None

    def waiting(self, host: str) -> int:
        """The number of waiting links of one host."""
        queue = self._hosts.get(host)
        return queue.links if queue else 0

    def tops(self) -> Iterator[tuple[Entry, int]]:
        """The best link of each host that has any, and the number of links that wait there."""
        return ((top, queue.links) for queue in self._hosts.values() if (top := queue.top(self._live, self._robots)))

    def links_of(self, host: str) -> list[str]:
        """The addresses of one host's waiting links, in no particular order."""
        queue = self._hosts.get(host)
        return [entry.url for entry in queue.heap if self._live.get(entry.url) is entry] if queue else []

    def entries(self) -> Iterator[Entry]:
        """All waiting links, in no particular order, those that are cut too."""
        return iter(self._live.values())

    def next_time(self) -> float:
        """The time (seconds) at which the next host with links becomes ready, -inf if one is; inf if none will without
        a call.
        """
        if self._first_ready() is not None:
            return -math.inf
        while self._waiting:
            at, host = self._waiting[0]
            queue = self._hosts[host]
            if queue.at == at and not queue.ready and queue.top(self._live, self._robots) is not None:
                return at
            heapq.heappop(self._waiting)
        return math.inf

    def next_host(self) -> str:
        """The host that becomes ready at `next_time`; "" if none will without a call."""
        return self._waiting[0][1] if self.next_time() not in (-math.inf, math.inf) else ""

    def next_wake(self) -> float:
        """The time at which another host becomes ready; may be too early, inf if none will without a call."""
        return self._waiting[0][0] if self._waiting else math.inf

    def first_ready(self, number: int) -> list[tuple[str, Entry]]:
        """The ready hosts with the best links, and these links, best first. Costs `number`, not the number of hosts."""
        found: list[tuple[str, Entry]] = []
        heads = [(self._ready[0][0], 0)] if self._ready else []  # entries of the heap whose parents were looked at
        while heads and len(found) < number:
            entry, index = heapq.heappop(heads)
            for below in (2 * index + 1, 2 * index + 2):
                if below < len(self._ready):
                    heapq.heappush(heads, (self._ready[below][0], below))
            host = self._ready[index][1]
            queue = self._hosts[host]
            if queue.ready and queue.top(self._live, self._robots) is entry:
                found.append((host, entry))
        return found

    def resting(self, busy: Iterable[str], until: float) -> Iterator[tuple[str, Entry]]:
        """The best link of each host that becomes ready by `until`, and of each of the `busy` hosts, which wait for an
        answer.
        """
        for at, host in _smallest(self._waiting, lambda item: item[0] <= until):
            queue = self._hosts[host]
            if queue.at == at and not queue.ready and (top := queue.top(self._live, self._robots)):
                yield host, top
        for host in busy:
            waiting = self._hosts.get(host)
            if waiting and waiting.at == math.inf and (top := waiting.top(self._live, self._robots)):
                yield host, top

    def number_before(self, host: str, entry: Entry, most: int) -> int:
        """How many waiting links of a host come before this entry, at most `most`."""
        before = _smallest(self._hosts[host].heap, lambda one: one < entry)
        return len(list(islice((one for one in before if self._kept(one).get(one.url) is one), most)))

    def best(self) -> Entry | None:
        """The best link of the ready hosts; if none is ready, of all hosts."""
        first = self._first_ready()
        if first is not None:
            return first[0]
        return min((top for top, _ in self.tops()), default=None)

    def _first_ready(self) -> tuple[Entry, str] | None:
        """The top of the ready heap; stale items above it are dropped."""
        while self._ready:
            entry, host = self._ready[0]
            queue = self._hosts[host]
            if queue.ready and queue.top(self._live, self._robots) is entry:
                return entry, host
            heapq.heappop(self._ready)
        return None

    def _wake(self, now: float) -> None:
        while self._waiting and self._waiting[0][0] <= now:
            at, host = heapq.heappop(self._waiting)
            queue = self._hosts[host]
            if queue.at != at or queue.ready:
                continue
            top = queue.top(self._live, self._robots)
            if top is not None:
                queue.ready = True
                heapq.heappush(self._ready, (top, host))

    def _is_better_ready(self, popped: Entry, now: float) -> bool:
        """Whether a host that may be asked has a better link than the popped one."""
        return any(
            queue.at <= now
            and queue.heap
            and queue.heap[0] < popped
            and (top := queue.top(self._live, self._robots)) is not None
            and top < popped
            for queue in self._hosts.values()
        )

    def _kept(self, entry: Entry) -> MutableMapping[str, Entry]:
        """Where the valid entry of this one's address is."""
        return self._robots if entry.priority == ROBOTS_PRIORITY else self._live


def _smallest(heap: Sequence[Item], belongs: Callable[[Item], bool]) -> Iterator[Item]:
    """The items of a heap that belong to its smallest ones, in no particular order, without looking at many others:
    where an item does not belong, no item below it does.
    """
    below = [0]
    while below:
        index = below.pop()
        if index < len(heap) and belongs(heap[index]):
            yield heap[index]
            below += (2 * index + 1, 2 * index + 2)


class OpenRequests:
    """The requests under way, by address and whether it is asked as a robots.txt. `hosts`: number of open requests
    for each host.
    """

    def __init__(self) -> None:
        self.hosts: Counter[str] = Counter()
        self._entries: dict[tuple[str, bool], Entry] = {}
        self._times: dict[tuple[str, bool], float] = {}
        self._since: dict[str, float] = {}
        self._robots = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, url: str) -> bool:
        return (url, False) in self._entries

    @property
    def entries(self) -> list[Entry]:
        """The entries of all open requests."""
        return list(self._entries.values())

    @property
    def page_times(self) -> list[float]:
        """When those for pages were started (seconds of the crawl's clock), ascending."""
        return [at for (_, is_robots), at in self._times.items() if not is_robots]

    def since(self, host: str, now: float) -> float:
        """Since when a host has had open requests; `now` if none is open."""
        return self._since.get(host, now)

    @property
    def pages(self) -> int:
        """The number of open requests for pages, not for robots.txt."""
        return len(self._entries) - self._robots

    def start(self, entry: Entry, now: float) -> None:
        """Note that a link is being requested."""
        key = (entry.url, entry.priority == ROBOTS_PRIORITY)
        self._entries[key], self._times[key] = entry, now
        host = host_of(entry.url)
        self.hosts[host] += 1
        self._since.setdefault(host, now)
        self._robots += entry.priority == ROBOTS_PRIORITY

    def finish(self, url: str, *, robots: bool = False) -> Entry:
        """Note that the answer came; returns the link. `robots`: it was asked as a robots.txt."""
        entry = self._entries.pop((url, robots))
        del self._times[url, robots]
        host = host_of(url)
        self.hosts[host] -= 1
        if not self.hosts[host]:
            del self.hosts[host], self._since[host]
        self._robots -= entry.priority == ROBOTS_PRIORITY
        return entry
