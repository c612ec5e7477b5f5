"""The workers of a crawl as one source: each request goes to a worker, which also reads the page.

The crawl itself stays one session in one process: one queue, one judge, one learner, one record of hosts. So its order,
its politeness and its copies are those of a crawl with one worker, and what a worker loses is only asked for again.

- An address belongs to a worker by its registered domain, so that connections and looked-up names are used again. If
  that worker is away, or has `MORE` more requests than the one with the fewest, that one gets it.
- A worker that dies is begun again by its cluster. Meanwhile it gets no requests, and the requests that it had are sent
  to others. An address whose workers died `DEATHS` times has failed.
- A machine that joins the cluster gives the crawl further workers, within `JOIN_SECONDS`.
- The first worker shows the figures of the crawl beside its own, every `SHOW_SECONDS`.
- If no worker answers for `AWAY_SECONDS`, the crawl ends with CrawlBroken, and everything received is saved.
"""

import asyncio
import contextlib
import pickle
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from crawler.cluster.worker import Read
from crawler.ports import Conditions, Failed, Outcome
from crawler.sandbox.sandboxed_reading import ReadingSource
from ontology.errors import CrawlBroken, SettingsError
from ontology.messages import message
from semantic.reasons import because
from semantic.urls import domain_of, host_of

MORE = 8  # requests; half of the default of --connections; chosen, not measured
DEATHS = 5  # chosen, not measured
# A worker is begun again in a second, a lost machine is noticed within 15 (measured).
AWAY_SECONDS = 60.0
JOIN_SECONDS = 15.0  # between two looks for further workers; chosen, not measured
AGAIN_SECONDS = 0.5  # between two tries to reach a worker; chosen, not measured
SHOW_SECONDS = 5.0  # half of the time after which Ray collects figures (metrics_report_interval_ms)
CURE = message("the same command goes on; see that Ray runs: ray status")


class WorkerAway(Exception):
    """A worker does not answer: its process or machine died. It may come back."""


class Workers(Protocol):
    """The running workers, numbered from 0."""

    @property
    def size(self) -> int:
        """Their number."""
        ...

    async def ask(self, number: int, method: str, *args: Any) -> Any:
        """Call a method of `crawler.cluster.worker.Worker`. Raises WorkerAway, CrawlBroken if the cluster is lost, and
        what the method raises.
        """
        ...

    async def grow(self) -> None:
        """Begin further workers if the cluster has room for them by now; `size` grows. Raises SettingsError if they
        cannot begin, WorkerAway if the cluster does not answer.
        """
        ...

    async def close(self) -> None:
        """End them."""
        ...


@dataclass(slots=True)
class _WorkerPlace:
    """A worker as seen from here. `edition`: the analyst that it has; `asked`: its open requests."""

    number: int
    edition: int = 0
    asked: int = 0
    is_away: bool = False
    preparing: asyncio.Lock = field(default_factory=asyncio.Lock)


class WorkersSource(ReadingSource):
    """A source whose requests are answered by workers, with their pages read. `tell`: shows a line to the user."""

    def __init__(self, workers: Workers, tell: Callable[[str], None]) -> None:
        super().__init__(_Nowhere())
        self.workers = workers.size
        self._cluster = workers
        self._tell = tell
        self._places = [_WorkerPlace(number) for number in range(workers.size)]
        self._edition = 1
        self._packed = b""
        self._returning: set[asyncio.Task[None]] = set()
        self._back = asyncio.Event()
        self._joining: asyncio.Task[None] | None = None
        self._showing: asyncio.Task[None] | None = None
        self._shown_at = -SHOW_SECONDS

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Let a worker answer. Raises CrawlBroken if none does."""
        if self._joining is None:
            self._joining = asyncio.create_task(self._await_more())
        deaths = 0
        while deaths < DEATHS:
            place = await self._place_for(url)
            place.asked += 1
            try:
                answer = await self._asked(place, url, conditions, robots=robots)
            except WorkerAway:
                self._leave(place)
                deaths += 1
                continue
            finally:
                place.asked -= 1
            if answer is None:  # it was begun again
                place.edition = 0
                continue
            outcome, read = answer
            if read is not None:
                self._pages[url] = read
            return outcome
        return Failed(url, "read", because("dying worker", times=DEATHS))

    def begin(self) -> None:
        """Do nothing: the workers read."""

    def note(self, figures: Mapping[str, float]) -> None:
        """Let the first worker show them, unless it is away or the last ones are just shown."""
        now = time.monotonic()
        is_free = self._showing is None or self._showing.done()
        if is_free and not self._places[0].is_away and now - self._shown_at >= SHOW_SECONDS:
            self._shown_at = now
            self._showing = asyncio.create_task(self._show(figures))

    async def rest(self) -> None:
        """Let the workers take the analyst anew with the next fetch."""
        self._edition += 1
        self._packed = b""

    async def close(self) -> None:
        """End the workers."""
        tasks = [*self._returning, *filter(None, (self._joining, self._showing))]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._cluster.close()

    async def _asked(self, place: _WorkerPlace, url: str, conditions: Conditions, *, robots: bool) -> Read | None:
        async with place.preparing:
            if place.edition != self._edition:
                self._packed = self._packed or pickle.dumps(self.analyst, pickle.HIGHEST_PROTOCOL)
                await self._cluster.ask(place.number, "prepare", self._edition, self._packed)
                place.edition = self._edition
        answer: Read | None = await self._cluster.ask(place.number, "fetch", self._edition, url, conditions, robots)
        return answer

    async def _show(self, figures: Mapping[str, float]) -> None:
        with contextlib.suppress(WorkerAway, CrawlBroken):  # a fetch says so
            await self._cluster.ask(0, "show", figures)

    async def _place_for(self, url: str) -> _WorkerPlace:
        """The worker for an address; waits until there is one."""
        domain = domain_of(host_of(url))
        home = self._places[zlib.crc32(domain.encode()) % len(self._places)]
        while True:
            here = [place for place in self._places if not place.is_away]
            if here:
                least = min(here, key=lambda place: place.asked)
                return least if home.is_away or home.asked - least.asked >= MORE else home
            self._back.clear()
            try:
                async with asyncio.timeout(AWAY_SECONDS):
                    await self._back.wait()
            except TimeoutError:
                raise CrawlBroken(
                    message("no worker has answered for {seconds:g} s", seconds=AWAY_SECONDS), CURE
                ) from None

    def _leave(self, place: _WorkerPlace) -> None:
        """Send a worker nothing more until it answers again."""
        if place.is_away:
            return
        place.is_away, place.edition = True, 0
        self._tell(
            message(
                "worker {number} of {all} does not answer; its requests go to others meanwhile",
                number=place.number + 1,
                all=self.workers,
            )
        )
        task = asyncio.create_task(self._await_return(place))
        self._returning.add(task)
        task.add_done_callback(self._returning.discard)

    async def _await_return(self, place: _WorkerPlace) -> None:
        while place.is_away:
            try:
                await self._cluster.ask(place.number, "ready")
                place.is_away = False
            except WorkerAway:
                await asyncio.sleep(AGAIN_SECONDS)
            except CrawlBroken:
                return  # the next fetch raises it
        self._tell(message("worker {number} of {all} answers again", number=place.number + 1, all=self.workers))
        self._back.set()

    async def _await_more(self) -> None:
        why = ""
        while True:
            await asyncio.sleep(JOIN_SECONDS)
            try:
                await self._cluster.grow()
            except SettingsError as error:
                if str(error) != why:
                    why = str(error)
                    self._tell(message("a machine that joined the cluster is not used: {why}", why=error))
                continue
            except WorkerAway:
                continue  # a fetch that needs the cluster says so
            more = self._cluster.size - self.workers
            if more:
                self._places += map(_WorkerPlace, range(self.workers, self._cluster.size))
                self.workers = self._cluster.size
                self._tell(message("workers that joined: {more}; {all} run now", more=more, all=self.workers))
                self._back.set()


class _Nowhere:
    """The source of a process that fetches nothing itself."""

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Not called."""
        raise NotImplementedError

    async def close(self) -> None:
        """Nothing to free."""
