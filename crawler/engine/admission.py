"""Decides which waiting link may be started now, by frontier, open requests, politeness, robots.txt, traps and depth.

- robots.txt is fetched before the first page of its origin. Until it is known, the origin's pages stay queued and rest;
  the robots.txt itself goes through the frontier, before all pages. So the frontier's hosts are origins, while those of
  politeness are host names: if the https origin of a host is dead, its http origin goes on.
- Pages of an origin out of reach wait, while others go on. If the origin never answered, the strategy forgets its
  links: it looks at the best waiting links, and unreachable ones would pile up there.
- With a delay, `crawler.engine.patience` decides whether the best ready link is started or a better one waited for.
  Without a delay (one's own hosts, recorded webs), a link better than all ready ones is waited for, until its busy host
  has answered.
- Early links are the least certain, and one started while others are under way is chosen without what their answers
  teach. So a crawl begins with one open request besides its seeds, and opens more with the requests that have ended:
  all connections after `BEGINNING` of them. A request without an answer for `AWAITED_SECONDS` does not count. A crawl
  with `MANY` connections has them all at once.
- A link of a trap (`crawler.traps.trap_detection`) is cut when its turn comes: it waits behind the trap and does not
  keep the crawl going. The same is done with a link deeper than `max_depth`, which stays queued for a run that goes
  deeper, and with a link of a banned host. While known pages are fetched again (`crawler.recrawl.revisits`), all other
  links are cut in the same way.
- A link out of scope (`crawler.frontier.scope`) is not queued at all. One that was queued before the scope changed is
  dropped when its turn comes.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice

from crawler.engine.actions import MANY, Fetch, Limits
from crawler.engine.patience import LONGEST, RANKS, Resting, awaited
from crawler.engine.steering import Steering
from crawler.frontier.priority_queue import (
    ROBOTS_PRIORITY,
    Cut,
    Entry,
    Frontier,
    OpenRequests,
    robots_entry,
)
from crawler.frontier.scope import EVERYWHERE
from crawler.politeness.robots_and_pace import AWAY, Gate, Politeness, RobotsAnswer, Tries, after, passing, retry_after
from crawler.ports import Failed, Outcome
from crawler.recrawl.revisits import Revisits
from crawler.traps.trap_detection import Traps
from semantic.reasons import Reason
from semantic.records import SiteRecord
from semantic.urls import host_of, origins_of, robots_url

BEGINNING = 500  # requests; measured: benchmarks/README.md, "Patience"
# While a better host is waited for, the robots.txt files of so many next hosts are fetched, over one connection in so
# many; chosen, not measured
AHEAD, AHEAD_SHARE = 16, 4
AWAITED_SECONDS = 2.0  # most sites answer within one; chosen, not measured


@dataclass(frozen=True, slots=True)
class Refusal:
    """A link whose turn has come and that robots.txt forbids, or a known page of a banned host."""

    entry: Entry
    reason: Reason


@dataclass(frozen=True, slots=True)
class Outside:
    """A link whose turn has come and that is out of scope. `why`: the option that says so."""

    entry: Entry
    why: str


@dataclass(frozen=True, slots=True)
class Hosts:
    """What is known about hosts and origins, and the tries of addresses; outlives the session."""

    politeness: Politeness
    gate: Gate
    tries: Tries


class Admission:
    """Starts links in the frontier's order, as far as they may be started. Times are seconds of a clock.

    `forget`: called with the address of a waiting link that will probably not be fetched in this run.
    """

    def __init__(  # noqa: PLR0913 - everything that decides
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
        self.awaited: tuple[str, float] | None = None  # the host that is waited for, and the time until which
        self.limits = limits
        self._longest = max(LONGEST, 2 * limits.delay)  # seconds for which a host is waited for
        self._forget = forget

    def push(self, entry: Entry) -> None:
        """Queue a link, or change its entry if it waits."""
        self.frontier.push(robots_url(entry.url), entry)

    def push_new(self, entry: Entry) -> None:
        """Queue a link that was not waiting."""
        origin = robots_url(entry.url)
        self.frontier.push(origin, entry)
        if self.hosts.gate.is_unheard(origin):
            self._forget(entry.url)

    def reschedule(self, host: str) -> None:
        """Tell the frontier when a host may be asked, after its pace or its robots.txt has changed."""
        at = self.hosts.politeness.next_time(host)
        for origin in origins_of(host):
            self.frontier.schedule(origin, max(at, self.hosts.gate.rests_until(origin)))

    def leave(self, host: str, seconds: float, now: float) -> None:
        """Do not ask a host for this many seconds."""
        self.hosts.politeness.leave(host, now + seconds, now)
        self.reschedule(host)

    def is_full(self, pages_left: int) -> bool:
        """Whether no further request may be opened. `pages_left`: number of pages still wanted."""
        if self._steering.is_paused:
            return True
        return len(self.in_flight) >= self.limits.connections or self.in_flight.pages >= pages_left

    def learns_until(self, requests: int, now: float) -> float:
        """The time before which no further link may be started, because little is learned; `now` if one may be.

        `requests`: all of the crawl so far, with those that are open.
        """
        connections, ended = self.limits.connections, requests - len(self.in_flight)
        most = 1 + (connections - 1) * ended // BEGINNING
        if most >= connections or connections >= MANY or self.revisits:
            return now
        recent = [at for at in self.in_flight.page_times if now - at < AWAITED_SECONDS]
        if len(recent) < most:
            return now
        best = self.frontier.peek(now)
        is_seed = best is not None and best.depth == 0  # or a robots.txt
        return now if is_seed else recent[-most] + AWAITED_SECONDS

    def waits_until(self, now: float, patience: float, pages_left: int, *, by_rank: bool) -> float:
        """The time before which no link is started because a better one is waited for, inf: before an answer; `now` if
        one may be started. Meanwhile the robots.txt files of the next hosts are queued.
        """
        self.awaited = None
        ready = self.frontier.peek(now) if patience and self.limits.delay and not self.revisits else None
        if ready is None or ready.depth == 0:  # a seed, or a robots.txt
            return now
        better = sorted((top, origin) for origin, top in self._tops(now).items() if top < ready)
        found = (self._resting(origin, top, ready, now, by_rank=by_rank) for top, origin in better)
        resting = (one for one in found if one)
        best = awaited(ready.priority, resting, patience=patience, delay=self.limits.delay, by_rank=by_rank)
        if best is None:
            return now
        self.awaited = best.host, now + best.seconds
        if self._queue_robots(min(AHEAD, pages_left), now):
            return now
        return min(self.frontier.next_wake(), now + AWAITED_SECONDS)

    def _tops(self, now: float) -> dict[str, Entry]:
        """The origins that rest, not too long to be waited for, and the best link of each."""
        busy = (origin for host in self.in_flight.hosts for origin in origins_of(host))
        return dict(self.frontier.resting(busy, now + self._longest))

    def _resting(self, origin: str, top: Entry, ready: Entry, now: float, *, by_rank: bool) -> Resting | None:
        """What is to be known of an origin that rests with a better link; None if it is not to be waited for."""
        gate, host = self.hosts.gate, host_of(top.url)
        seconds, cycle = self.hosts.politeness.expected(host, now)
        is_silent = now - self.in_flight.since(host, now) > cycle + AWAITED_SECONDS
        if gate.lacks(origin, now):
            seconds += cycle  # robots.txt comes first
        if is_silent or seconds > self._longest or gate.rests_until(origin) > now or self._trap_of(top):
            return None
        ahead = self.frontier.number_before(origin, ready, RANKS + 1) if by_rank else 0
        return Resting(seconds, host, top.priority, ahead)

    def _queue_robots(self, most: int, now: float) -> bool:
        """Queue the robots.txt files that are needed for the best links: those of the `most` best hosts, resting or
        ready, but of none that has failed. Returns whether there are any.
        """
        gate = self.hosts.gate
        room = self.limits.connections // AHEAD_SHARE - len(gate.on_their_way)
        if room <= 0:
            return False
        hosts = self._tops(now) | dict(self.frontier.first_ready(most))
        best = nsmallest(most, [(top, origin) for origin, top in hosts.items()])
        needed = (
            origin
            for top, origin in best
            if gate.lacks(origin, now)
            and not (gate.rests_until(origin) or self._trap_of(top) or self.why_outside(top.url))
        )
        opened = [origin for origin in islice(needed, room) if gate.open(origin)]
        for origin in opened:
            self.push(robots_entry(origin))
        return bool(opened)

    def is_better_behind_answer(self, now: float) -> bool:
        """Without a delay: whether a host with open requests has a better link than all ready ones."""
        if self.limits.delay > 0 or not self.in_flight:
            return False
        ready = self.frontier.peek(now)
        politeness, gate = self.hosts.politeness, self.hosts.gate
        full = (host for host in self.in_flight.hosts if politeness.next_time(host) == math.inf)
        origins = (origin for host in full for origin in origins_of(host) if gate.rests_until(origin) <= now)
        return ready is not None and any(top < ready for top in map(self.frontier.top, origins) if top)

    def hopeless(self, now: float) -> Mapping[str, Reason] | None:
        """With no request open: the origins that have been out of reach for long, and why, if only their links wait;
        else None.
        """
        left = len(self.frontier)
        if not left:
            return {}
        hopeless = self.out_of_reach(now)
        return None if left > sum(map(self.frontier.waiting, hopeless)) else hopeless

    def out_of_reach(self, now: float) -> dict[str, Reason]:
        """The origins that have been out of reach for long, or want to be left alone for long, and why."""
        away = {origin: AWAY for host in self.hosts.politeness.away(now) for origin in origins_of(host)}
        return away | dict(self.hosts.gate.hopeless(now))

    def admit(self, origin: str, entry: Entry, now: float) -> Fetch | Refusal | Outside | None:
        """Start a popped link, or the robots.txt that it must wait for; None if its origin has nothing to start now."""
        if entry.priority == ROBOTS_PRIORITY:
            return self._start(entry, now)
        why = self.why_outside(entry.url)
        if why:
            return Outside(entry, why)
        trap = self._trap_of(entry)
        if trap == Cut.BANNED and entry.url in self.revisits:
            return Refusal(entry, Reason("banned"))
        if trap is not None:
            self.frontier.cut(origin, entry, trap)
            if trap != Cut.REVISITS:
                self._forget(entry.url)
            self.reschedule(host_of(entry.url))
            return None
        gate = self.hosts.gate
        robots = gate.known(origin, now)
        if robots is None:
            self.push(entry)
            return self._start(robots_entry(origin), now) if gate.open(origin) else None
        refusal = gate.refusal(robots, entry.url)
        return Refusal(entry, refusal) if refusal else self._start(entry, now)

    def leaving_out(self, now: float) -> Callable[[str, int], bool]:
        """The function that tells of a waiting link, by its address and depth, whether it would not be started now: it
        is behind a trap, too deep, or of a host that is banned or out of reach.
        """
        banned, hopeless = self._steering.banned, self.out_of_reach(now)
        deepest = math.inf if self.limits.max_depth is None else self.limits.max_depth
        trap_of = self.traps.of_many()

        def is_left_out(url: str, depth: int) -> bool:
            if depth == 0:
                return False
            is_out = depth > deepest or (bool(banned) and host_of(url) in banned)
            return is_out or (bool(hopeless) and robots_url(url) in hopeless) or trap_of(url) is not None

        return is_left_out

    def why_outside(self, url: str) -> str:
        """The option by which an address is out of scope, '' if it is in scope."""
        scope = self.limits.scope
        return "" if scope is EVERYWHERE else scope.why_outside(url)

    def _trap_of(self, entry: Entry) -> str | Cut | None:
        """Why a link is cut: the name of a trap, or another reason to wait; None if it is not cut."""
        if self._steering.banned and host_of(entry.url) in self._steering.banned:
            return Cut.BANNED
        if entry.url in self.revisits:
            return None
        if self.revisits:
            return Cut.REVISITS
        if self.limits.max_depth is not None and entry.depth > self.limits.max_depth:
            return Cut.TOO_DEEP
        return self.traps.trap(entry.url) if entry.depth else None

    def _start(self, entry: Entry, now: float) -> Fetch:
        host = host_of(entry.url)
        self.in_flight.start(entry, now)
        self.hosts.politeness.start(host)
        self.reschedule(host)
        is_robots = entry.priority == ROBOTS_PRIORITY
        return Fetch(
            entry.url,
            is_robots,
            self.revisits.conditions(entry.url) if entry.url in self.revisits else (),
        )

    def finish(self, fetch: Fetch, outcome: Outcome, now: float, stamp: str) -> tuple[Entry | None, str]:
        """Take the answer to a request.

        Returns the link if its address is done with (None if it will be requested again), and the time (ISO text) until
        which its host wants to be left alone, '' if it does not say.
        """
        entry = self.in_flight.finish(fetch.url, robots=fetch.robots)
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
        """Take the answer for a robots.txt. Returns the kind of error ('' if none), and the sites whose rules are now
        known.
        """
        visited = self.hosts.gate.receive(outcome, now, stamp)
        if visited.fetch is not None:
            self.push(robots_entry(visited.fetch))
            self.reschedule(host_of(visited.fetch))
        if visited.error:
            self._out_of_reach(visited.origins, asked=not isinstance(outcome, Failed) or outcome.asked)
        return visited.error, list(self._sites(visited))

    def _out_of_reach(self, origins: Iterable[str], *, asked: bool) -> None:
        for origin in origins:
            if asked:  # https through a proxy that refuses it says nothing of the host
                self.traps.fail(origin)
            if self.hosts.gate.is_unheard(origin):
                for url in self.frontier.links_of(origin):
                    self._forget(url)

    def _sites(self, visited: RobotsAnswer) -> Iterator[SiteRecord]:
        for host in map(host_of, visited.origins):
            if visited.robots is not None:
                delay = self.hosts.politeness.ask_delay(host, visited.robots.delay)
                yield SiteRecord(host, delay, visited.robots.text)
            self.reschedule(host)
