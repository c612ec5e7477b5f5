"""Which waiting link may be started now: the frontier, the requests under way, politeness, robots.txt, traps, depth.

- robots.txt comes before the first page of its origin. Until it is known, the origin's pages stay queued and rest; the
  robots.txt itself goes through the frontier, before all pages. So the frontier is told of origins where politeness
  knows hosts: a host whose https is dead goes on by http.
- Pages of an origin out of reach wait, while the others go on. Where the origin never answered, the strategy looks no
  more at its links: it looks at the best that wait, and of those that nobody can fetch there would be ever more.
- With a delay, a host that rests lends its turn to worse links elsewhere: politeness costs time, so it is used. Without
  one (hosts of one's own, replayed webs) a link better than all that are ready waits for its busy host's answer.
- A link of a trap (`crawler.traps.trap_detection`) is cut when its turn comes: it waits behind the trap and keeps no
  crawl going. So is a link deeper than `max_depth`: it stays queued for a run that goes deeper; and one of a host that
  a person has banned. While pages are asked for again (`crawler.recrawl.revisits`), all other links are held back the
  same way.
- What is out of scope (`crawler.frontier.scope`) is not queued at all. What waited when the scope became another is
  left out when its turn comes.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from crawler.engine.actions import Fetch, Limits
from crawler.engine.steering import Steering
from crawler.frontier.priority_queue import (
    BANNED,
    DEEP,
    HELD,
    ROBOTS_MARK,
    ROBOTS_RANK,
    Entry,
    Frontier,
    OpenRequests,
    robots_entry,
)
from crawler.politeness.pacing import AWAY, Politeness, Tries, after, passing, retry_after
from crawler.politeness.robots import Gate, Visited, origins_of, robots_url
from crawler.ports import Failed, Outcome
from crawler.recrawl.revisits import Revisits
from crawler.traps.trap_detection import Traps
from semantic.records import SiteRecord
from semantic.urls import host_of


@dataclass(frozen=True, slots=True)
class Refusal:
    """robots.txt forbids a link whose turn has come."""

    entry: Entry
    reason: str


@dataclass(frozen=True, slots=True)
class Outside:
    """A link whose turn has come is out of scope; `why`: the option that says so."""

    entry: Entry
    why: str


@dataclass(frozen=True, slots=True)
class Hosts:
    """What is known of hosts and origins, and which addresses were tried; it outlives the session."""

    politeness: Politeness
    gate: Gate
    tries: Tries


class Admission:
    """Starts links in the order of the frontier, as far as they may be started. Times are seconds of a clock.

    `forget` is called with the address of a link that waits and will not be fetched in this run, as far as is known.
    """

    def __init__(  # noqa: PLR0913 - all that has a say
        self,
        limits: Limits,
        hosts: Hosts,
        traps: Traps,
        revisits: Revisits,
        forget: Callable[[str], None],
        *,
        steering: Steering | None = None,
    ) -> None:
        self._steering = steering or Steering()
        self.frontier = Frontier()
        self.in_flight = OpenRequests()
        self.traps = traps
        self.revisits = revisits
        self.hosts = hosts
        self._limits = limits
        self._forget = forget

    def change(self, limits: Limits) -> None:
        """Go on with other limits."""
        self._limits = limits
        self.frontier.open([DEEP])

    def push(self, entry: Entry) -> None:
        """Queue a link, or give it another place where it waits."""
        self.frontier.push(robots_url(entry.url), entry)

    def push_new(self, entry: Entry) -> None:
        """Queue a link that did not wait here before."""
        origin = robots_url(entry.url)
        self.frontier.push(origin, entry)
        if self.hosts.gate.is_unheard(origin):
            self._forget(entry.url)

    def reschedule(self, host: str) -> None:
        """What is known of a host's pace, or of its origins, has changed."""
        at = self.hosts.politeness.next_time(host)
        for origin in origins_of(host):
            self.frontier.schedule(origin, max(at, self.hosts.gate.rests_until(origin)))

    def leave(self, host: str, seconds: float, now: float) -> None:
        """A host wants to be left alone for so long."""
        self.hosts.politeness.leave(host, now + seconds, now)
        self.reschedule(host)

    def is_full(self, pages_left: int) -> bool:
        """Whether no request may be added to those under way; `pages_left`: how many pages are still wanted."""
        if self._steering.is_paused:
            return True
        return len(self.in_flight) >= self._limits.connections or self.in_flight.pages >= pages_left

    def is_better_behind_answer(self, now: float) -> bool:
        """Without a delay: whether a host with open requests holds a better link than all that are ready."""
        if self._limits.delay > 0 or not self.in_flight:
            return False
        ready = self.frontier.peek(now)
        politeness, gate = self.hosts.politeness, self.hosts.gate
        full = (host for host in self.in_flight.hosts if politeness.next_time(host) == math.inf)
        origins = (origin for host in full for origin in origins_of(host) if gate.rests_until(origin) <= now)
        return ready is not None and any(top < ready for top in map(self.frontier.top, origins) if top)

    def hopeless(self, now: float) -> Mapping[str, str] | None:
        """With nothing in flight: origins out of reach for long, and why, where no other link waits; None: one does."""
        left = len(self.frontier)
        if not left:
            return {}
        away = {origin: AWAY for host in self.hosts.politeness.away(now) for origin in origins_of(host)}
        hopeless = away | dict(self.hosts.gate.hopeless(now))
        return None if left > sum(map(self.frontier.waiting, hopeless)) else hopeless

    def admit(self, origin: str, entry: Entry, now: float) -> Fetch | Refusal | Outside | None:
        """Start a popped link, or the robots.txt that it must wait for; None if its origin has nothing to start now."""
        if entry.rank == ROBOTS_RANK:
            return self._start(entry)
        why = self.why_outside(entry.url)
        if why:
            return Outside(entry, why)
        trap = self._trap_of(entry)
        if trap is not None:
            self.frontier.cut(origin, entry, trap)
            if trap != HELD:
                self._forget(entry.url)
            self.reschedule(host_of(entry.url))
            return None
        gate = self.hosts.gate
        robots = gate.known(origin, now)
        if robots is None:
            self.push(entry)
            return self._start(robots_entry(origin)) if gate.open(origin) else None
        refusal = robots.refusal(entry.url)
        return Refusal(entry, refusal) if refusal else self._start(entry)

    def why_outside(self, url: str) -> str:
        """The option by which an address is out of scope, '' for one in scope."""
        scope = self._limits.scope
        return "" if scope.is_everywhere else scope.why_outside(url)

    def _trap_of(self, entry: Entry) -> str | None:
        """What a link waits behind: a trap, the pages that are asked for again, or the crawl's depth."""
        if entry.url in self.revisits:
            return None
        if self.revisits:
            return HELD
        if self._steering.banned and host_of(entry.url) in self._steering.banned:
            return BANNED
        if self._limits.max_depth is not None and entry.depth > self._limits.max_depth:
            return DEEP
        return self.traps.trap(entry.url) if entry.depth else None

    def _start(self, entry: Entry) -> Fetch:
        host = host_of(entry.url)
        self.in_flight.start(entry)
        self.hosts.politeness.start(host)
        self.reschedule(host)
        is_robots = entry.rank == ROBOTS_RANK
        return Fetch(entry.url.removesuffix(ROBOTS_MARK), is_robots, self.revisits.conditions(entry.url))

    def finish(self, fetch: Fetch, outcome: Outcome, now: float, stamp: str) -> tuple[Entry | None, str]:
        """A request has been answered.

        Gives the link that ends by it (None: it is asked for again), and until when (ISO text) its host wants to be
        left alone, '' where it does not say so.
        """
        entry = self.in_flight.finish(fetch.url + ROBOTS_MARK if fetch.robots else fetch.url)
        host = host_of(fetch.url)
        politeness, gate, tries = self.hosts.politeness, self.hosts.gate, self.hosts.tries
        politeness.finish(host, outcome, now, stamp)
        asked = retry_after(outcome, stamp)
        away = after(stamp, politeness.rests_until(host) - now) if asked else ""
        if fetch.robots:
            return None, away
        if passing(outcome) and tries.again(entry.url, outcome, has_time=bool(asked)):
            if isinstance(outcome, Failed):
                gate.doubt(robots_url(entry.url))
            self.push(entry)
            return None, away
        tries.end(entry.url)
        return entry, away

    def receive_robots(self, outcome: Outcome, now: float, stamp: str) -> tuple[str, Iterable[SiteRecord]]:
        """Take what came for a robots.txt: the kind of error that it was, '' for none, and what sites are now known."""
        visited = self.hosts.gate.receive(outcome, now, stamp)
        if visited.fetch is not None:
            self.push(robots_entry(visited.fetch))
            self.reschedule(host_of(visited.fetch))
        if visited.error:
            self._out_of_reach(visited.origins)
        return visited.error, list(self._sites(visited))

    def _out_of_reach(self, origins: Iterable[str]) -> None:
        for origin in origins:
            self.traps.fail(origin)
            if self.hosts.gate.is_unheard(origin):
                for url in self.frontier.links_of(origin):
                    self._forget(url)

    def _sites(self, visited: Visited) -> Iterator[SiteRecord]:
        for host in map(host_of, visited.origins):
            if visited.robots is not None:
                delay = self.hosts.politeness.ask_delay(host, visited.robots.delay)
                yield SiteRecord(host, delay, visited.robots.text)
            self.reschedule(host)
