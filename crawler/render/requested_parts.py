"""What pages ask for while they are rendered: scripts and data, each fetched by the crawl's own source.

So it holds for them what holds for pages: no private addresses, robots.txt of their origin, the delay of their host,
limits on time and size, the archive. Paces and robots.txt are known here apart from the crawl's queue, which goes on
meanwhile; a host that is crawled and gives parts to pages of others may be asked by both. Scripts are kept for the next
pages, since those of a site have the same.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from crawler.politeness.robots_and_pace import REST_CAP, Gate, Politeness
from crawler.ports import Failed, Fetched, Outcome, PartSource
from semantic.urls import host_of, robots_url

KEPT_BYTES = 50_000_000  # of scripts: those of some twenty sites; chosen, not measured


class PageParts:
    """Parts of pages, one request at a time to each host. `delay`: seconds between two of them. `respects`: as of the
    crawl.
    """

    def __init__(self, source: PartSource, delay: float, *, respects: bool = False) -> None:
        self._source = source
        self._delay = delay
        self._politeness = Politeness(delay, 1)
        self._gate = Gate(respects=respects)
        self._hosts: dict[str, asyncio.Lock] = {}
        self._rules: dict[str, asyncio.Task[None]] = {}  # robots.txt files on their way, by origin
        self._scripts: OrderedDict[str, Fetched] = OrderedDict()
        self._size = 0  # bytes of these

    def follow(self, url: str) -> None:
        """Note that a page was fetched just now."""
        now = time.monotonic()
        self._politeness.leave(host_of(url), now + self._delay, now)

    async def get(self, url: str, *, is_script: bool) -> Fetched | None:
        """The answer for a normalised address; None where robots.txt forbids it, and where none came."""
        if found := self._scripts.get(url):
            self._scripts.move_to_end(url)
            return found
        if not await self._may_fetch(url):
            return None
        outcome = await self._paced(url, lambda: self._source.fetch_part(url))
        if not isinstance(outcome, Fetched):
            return None
        if is_script and outcome.status == 200 and url not in self._scripts:
            self._keep(url, outcome)
        return outcome

    async def close(self) -> None:
        """Give up what is on its way."""
        for task in self._rules.values():
            task.cancel()
        await asyncio.gather(*self._rules.values(), return_exceptions=True)

    def _keep(self, url: str, script: Fetched) -> None:
        self._scripts[url] = script
        self._size += len(script.body)
        while self._size > KEPT_BYTES:
            self._size -= len(self._scripts.popitem(last=False)[1].body)

    async def _may_fetch(self, url: str) -> bool:
        """Whether robots.txt allows an address. It is fetched first if it is not known, even if the page that asks for
        it ends meanwhile.
        """
        origin, now = robots_url(url), time.monotonic()
        if self._gate.known(origin, now) is None and self._gate.rests_until(origin) <= now:
            if self._gate.open(origin):
                self._rules[origin] = asyncio.create_task(self._fetch_robots(origin))
            if coming := self._rules.get(origin):
                await asyncio.shield(coming)
        robots = self._gate.known(origin, time.monotonic())
        return robots is not None and self._gate.refusal(robots, url) is None

    async def _fetch_robots(self, origin: str) -> None:
        address: str | None = origin
        while address is not None:
            asked = address
            outcome = await self._paced(asked, lambda: self._source.fetch(asked, robots=True))  # noqa: B023 - called here
            answer = self._gate.receive(outcome, time.monotonic(), _stamp())
            if answer.robots is not None:
                for known in answer.origins:
                    self._politeness.ask_delay(host_of(known), answer.robots.delay)
            address = answer.fetch
        del self._rules[origin]

    async def _paced(self, url: str, fetch: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """Fetch when the host may be asked, if that is soon."""
        host = host_of(url)
        async with self._hosts.setdefault(host, asyncio.Lock()):
            while (wait := self._politeness.rests_until(host) - time.monotonic()) > 0:
                if wait > REST_CAP:  # by a Retry-After, for which no page waits
                    return Failed(url, "away")
                await asyncio.sleep(wait)
            self._politeness.start(host)
            outcome: Outcome = Failed(url, "page ended")
            try:
                outcome = await fetch()
                return outcome
            finally:  # also if the page has ended meanwhile
                self._politeness.finish(host, outcome, time.monotonic(), _stamp())


def _stamp() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
