"""The crawl in asyncio: starts what the session decides, passes it the answers, and saves its results.

- Answers are received together, up to `AT_ONCE`. With `MANY` open requests the first answer waits for others: at most
  for one in `SHARE` of the open requests, and at most for `TOGETHER_SECONDS`. With fewer open requests it is received
  at once, so that the next links are chosen by everything that is known. New fetches are started before the next
  answers are received.
- The store works in a thread of its own, one batch at a time, beside the crawl. If the unsaved part exceeds
  `BACKLOG_PAGES` or `BACKLOG_LINKS`, or one batch takes `SLOW_SECONDS`, no answers are received until the store has
  caught up. This bounds memory, the time to stop, and the loss by a `kill -9`.
- The link graph is read in a thread of its own, after everything received was saved. With fewer than `MANY`
  connections the crawl waits for it, until it is stopped; with more it continues, and the graph counts from the moment
  it is there. Measured with 64 connections, when a graph server held the record: 106 instead of 66 pages a second.
- If `between` asks for it, no more fetches are started, open ones are completed, and the crawl ends as `changed`:
  another session continues (`HandedOn`).
- The part of a long queue that is to be held is read from the record after everything received was saved.
- A crawl that has only links behind traps left continues if judging its pages at the end opens a trap
  (`Session.goes_on`).
- However the crawl ends (done, interrupted, a bug), what was received is saved, then what was learned. Links that were
  being fetched stay queued.
"""

import asyncio
import contextlib
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import islice

from crawler.engine.actions import CHANGED, MANY, Answer, Done, Fetch, ReadGraph, ReadQueue, Wait
from crawler.engine.crawl_records import Progress
from crawler.engine.garbage_collection import collect, rare_collections
from crawler.engine.glibc_memory import keep_in_one_place
from crawler.engine.session import WAITING_A_PAGE, Session
from crawler.ports import Record, Source
from semantic.records import LinkGraph

# Answers received together: about 15 pages if so many have come. Measured: one of 8 pages costs half of what it costs
# alone. With 64 connections the order is as good as with 16, or better: results found in 600 pages, two seeds, on
# archwiki 507 (492 with 16), zhblogs 49 (49), uci 764 (551), linuxcn 269 (268).
AT_ONCE = 32
TOGETHER_SECONDS = 0.1  # a crawl with 64 connections usually has enough answers in this time; chosen, not measured
# Part of the open requests for which an answer waits, where `MANY` are open. Measured on five tasks: waiting for half
# of 8 open requests cost one task 0.09 of the oracle's harvest, for a quarter 0.03.
SHARE = 4
COLLECT_PAGES = 1000  # between two searches for cycles, more while many links wait; chosen, not measured
SAVE_PAGES = 50  # a batch is saved when it has this many pages; chosen, not measured
SAVE_SECONDS = 1.0  # or this long after the last one; chosen, not measured
BACKLOG_PAGES = 200  # chosen, not measured
BACKLOG_LINKS = 20_000  # chosen, not measured with a record in SQLite
SLOW_SECONDS = 5.0  # chosen, not measured
SETTLE_SECONDS = 2.0  # an interrupted crawl judges its pages again for this long at most; chosen, not measured
OBSERVE_SECONDS = 0.25  # between two calls of `observe`, as documented in `crawl`


async def crawl(  # noqa: PLR0913 - what a crawl is put together from
    session: Session,
    source: Source,
    store: Record,
    observe: Callable[[Progress], None],
    stop: threading.Event | None = None,
    *,
    between: Callable[[], bool] = lambda: False,
) -> Progress:
    """Run the session to its end.

    - `observe`: called four times a second and at the end.
    - `stop`: when set, the crawl ends in order as `interrupted`; checked as often.
    - `between`: called between two saves. When it returns True, the crawl ends as `changed` as soon as no request is
      open.

    Errors of the store and the source are raised after everything else was saved; neither is closed here.
    """
    keep_in_one_place()
    with rare_collections():
        return await _Loop(session, source, store, observe, stop or threading.Event(), between=between).run()


class _Loop:
    """One run of `crawl`: the open fetches, the answers not yet received, the save under way."""

    def __init__(  # noqa: PLR0913 - as `crawl`
        self,
        session: Session,
        source: Source,
        store: Record,
        observe: Callable[[Progress], None],
        stop: threading.Event,
        *,
        between: Callable[[], bool],
    ) -> None:
        self._between = between
        self._is_ending = False  # `between` has asked for the end
        self._has_changed = False  # and the session was ended for it
        self._is_over = False  # nothing is fetched any more
        self._stop = stop
        self._session = session
        self._source = source
        self._store = store
        self._observe = observe
        self._fetches: set[asyncio.Task[Answer]] = set()
        self._answered: deque[asyncio.Task[Answer]] = deque()
        self._is_due = False  # the waiting answers are to be received now
        self._news = asyncio.Event()
        self._save: asyncio.Future[None] | None = None
        self._thread = ThreadPoolExecutor(1, "store")
        self._graph_thread = ThreadPoolExecutor(1, "graph")
        self._graph: asyncio.Future[LinkGraph] | None = None  # being read
        self._turned_at = self._observed_at = time.monotonic()
        self._uncollected = 0  # pages since memory was last cleared up

    async def run(self) -> Progress:
        try:
            await self._run()
        finally:
            await self._finish()
        progress = self._session.progress(time.monotonic())
        self._observe(progress)
        return progress

    async def _run(self) -> None:
        while not self._stop.is_set():
            action = self._rest_of_fetches() if self._is_ending else self._start_fetches()
            if isinstance(action, Done):
                if not self._session.is_cut_off:
                    return
                await self._save_rest()
                await self._settle()
                if not self._session.goes_on():
                    return
                continue
            await self._housekeep()
            if isinstance(action, ReadGraph):
                await self._read_graph(action.any_way)
                continue
            if isinstance(action, ReadQueue):
                await self._read_queue()
                continue
            if self._answered and self._is_due:
                self._receive(list(islice(self._answered, AT_ONCE)))
                self._is_due = bool(self._answered)
                await asyncio.sleep(0)  # let requests be sent and answers come in
            else:
                await self._rest(action.until)

    def _start_fetches(self) -> Wait | ReadGraph | ReadQueue | Done:
        """Start all fetches that may start now; returns what to do then."""
        while True:
            action = self._session.next_action(time.monotonic())
            if not isinstance(action, Fetch):
                return action
            task = asyncio.create_task(self._fetch(action))
            self._fetches.add(task)
            task.add_done_callback(self._note)

    def _rest_of_fetches(self) -> Wait | Done:
        """Start nothing; Done as soon as all open fetches were answered and received."""
        if self._fetches or self._answered:
            return Wait(math.inf)
        self._session.stop(CHANGED)
        self._has_changed = True
        return Done(CHANGED)

    async def _fetch(self, fetch: Fetch) -> Answer:
        return fetch, await self._source.fetch(fetch.url, fetch.conditions, robots=fetch.robots)

    def _note(self, task: asyncio.Task[Answer]) -> None:
        self._fetches.discard(task)
        self._answered.append(task)
        under_way = len(self._fetches) + len(self._answered)
        if under_way < MANY or len(self._answered) >= min(AT_ONCE, under_way // SHARE):
            self._receive_soon()
        elif len(self._answered) == 1:
            asyncio.get_running_loop().call_later(TOGETHER_SECONDS, self._receive_soon)

    def _receive_soon(self) -> None:
        self._is_due = bool(self._answered)
        self._news.set()

    def _receive(self, tasks: Sequence[asyncio.Task[Answer]]) -> None:
        answers = [task.result() for task in tasks]
        for _ in tasks:
            self._answered.popleft()
        self._session.receive(answers, time.monotonic(), datetime.now(UTC).isoformat(timespec="milliseconds"))

    async def _housekeep(self) -> None:
        """Save and observe if it is time; waits only if the store is too far behind."""
        self._tell()
        self._take_graph()
        pages, links = self._session.unsaved
        is_behind = pages > BACKLOG_PAGES or links > BACKLOG_LINKS or self._since() > SLOW_SECONDS
        if self._save is not None and (is_behind or self._save.done()):
            await self._saved()
        if self._save is None and not self._is_ending:
            self._is_ending = self._between()
        if self._save is None and pages and (pages >= SAVE_PAGES or self._since() >= SAVE_SECONDS):
            self._begin_save()

    def _since(self) -> float:
        """Seconds since the current save began, or since the last one ended."""
        return time.monotonic() - self._turned_at

    def _tell(self) -> None:
        now = time.monotonic()
        if now - self._observed_at >= OBSERVE_SECONDS:
            self._observed_at = now
            self._observe(self._session.progress(now))

    def _begin_save(self) -> None:
        batch = self._session.take_batch()
        self._uncollected += len(batch.pages)
        due = max(COLLECT_PAGES, len(self._session.frontier) // WAITING_A_PAGE)
        if self._session.remembers and self._uncollected >= due:  # a store in this process keeps everything
            self._uncollected = 0
            collect()
        self._turned_at = time.monotonic()
        self._save = asyncio.get_running_loop().run_in_executor(self._thread, self._store.save, batch)

    async def _saved(self) -> None:
        """Wait for the current save. If it failed, it stays the current one: nothing is saved after it, and its error
        is raised.
        """
        if self._save is not None:
            while not self._save.done():
                await asyncio.wait({self._save}, timeout=OBSERVE_SECONDS)
                self._tell()
            self._save.result()
            self._save = None
            self._turned_at = time.monotonic()

    async def _save_rest(self) -> None:
        await self._saved()
        self._begin_save()
        await self._saved()

    async def _read_graph(self, any_way: int) -> None:
        await self._save_rest()
        is_awaited = self._session.connections < MANY
        self._graph = asyncio.get_running_loop().run_in_executor(self._graph_thread, self._store.link_graph, any_way)
        self._graph.add_done_callback(lambda _: self._news.set())
        if is_awaited:
            while not self._graph.done() and not self._stop.is_set():
                await asyncio.wait({self._graph}, timeout=OBSERVE_SECONDS)
                self._tell()
            self._take_graph()

    async def _read_queue(self) -> None:
        """Nothing is received meanwhile."""
        await self._save_rest()
        near = asyncio.get_running_loop().run_in_executor(self._thread, self._session.nearest)
        while not near.done():
            await asyncio.wait({near}, timeout=OBSERVE_SECONDS)
            self._tell()
        self._session.receive_queue(near.result())
        collect()

    def _take_graph(self) -> None:
        if self._graph is not None and self._graph.done():
            self._session.receive_graph(self._graph.result())
            self._graph = None

    async def _rest(self, until: float) -> None:
        """Wait for an answer, for the next time to start something, or for the next housekeeping."""
        self._news.clear()
        seconds = min(until - time.monotonic(), OBSERVE_SECONDS)
        if seconds > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._news.wait()
        else:
            await asyncio.sleep(0)

    async def _settle(self) -> None:
        """Save what the session judges again at the end."""
        began = time.monotonic()
        while not self._has_changed and self._session.settle():
            await self._save_rest()
            if self._stop.is_set() and time.monotonic() - began > SETTLE_SECONDS:
                break  # some pages have an older relevance; the next run judges them again

    async def _finish(self) -> None:
        self._is_over = True
        for task in self._fetches:
            task.cancel()
        await asyncio.gather(*self._fetches, *self._answered, return_exceptions=True)  # all errors are looked at
        try:
            if self._stop.is_set():  # time may be short: pages first, because learning can be repeated
                await self._save_rest()
            self._session.stop("interrupted")
            await self._save_rest()
            await self._settle()
            await asyncio.get_running_loop().run_in_executor(self._thread, self._store.decide_own_texts)
        finally:
            self._thread.shutdown(wait=False)
            if self._graph is not None and self._stop.is_set():
                self._graph.cancel()  # its thread ends when the store is closed
            elif self._graph is not None:
                await asyncio.gather(self._graph, return_exceptions=True)
            self._graph_thread.shutdown(wait=False)
