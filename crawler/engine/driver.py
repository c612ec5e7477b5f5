"""The crawl in asyncio: starts what the session decides, hands it the answers, and saves what it learns.

- Answers are received together, up to `AT_ONCE`. With `MANY` fetches under way the first waits for others, for no more
  of them than one in `SHARE`, and for no more than `TOGETHER_SECONDS`. With fewer it is received at once, so that what
  is fetched next is chosen by all that is known. After them new fetches start, before the next are read.
- The store works in a thread of its own, one batch at a time, beside the crawl. When what is not yet saved passes
  `BACKLOG_PAGES` or `BACKLOG_LINKS`, or one batch takes `SLOW_SECONDS`, no more answers are received until the store
  has caught up: memory, the time to stop, and what a `kill -9` costs are bounded.
- For the link graph the crawl waits: what is unsaved is saved, then the graph is read in the same thread. Open fetches
  go on, and their answers are received afterwards.
- Where `between` asks for it, no fetch is started any more, those under way are answered, and the crawl ends as
  `changed`: another session goes on (`HandedOn`).
- The rest of a long queue is read in a thread of its own, beside the crawl, some links at a time.
- However the crawl ends (done, interrupted, a bug), what was received is saved, then what was learned; what was in
  flight stays queued.
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

from crawler.engine.actions import Answer, Done, Fetch, ReadGraph, Wait
from crawler.engine.crawl_statistics import Progress
from crawler.engine.garbage_collection import collect, rare_collections
from crawler.engine.glibc_memory import keep_in_one_place
from crawler.engine.session import Session
from crawler.ports import Record, Source
from semantic.records import QueuedRecord

AT_ONCE = 16  # answers received together: about 8 pages, each of which costs half of what it costs alone
TOGETHER_SECONDS = 0.1  # in which a crawl of 64 connections has so many, if nothing else holds it up
MANY, SHARE = 32, 4  # waiting for half of 8 cost one task of five 0.09 of the oracle's harvest, for a quarter 0.03
SAVE_PAGES = 50  # a batch is due with so many pages,
SAVE_SECONDS = 1.0  # or after so long
BACKLOG_PAGES = 200
BACKLOG_LINKS = 20_000  # about two seconds of the embedded store
SLOW_SECONDS = 5.0
SETTLE_SECONDS = 2.0  # for which the end of an interrupted crawl judges all pages by what is known now
LOAD_LINKS = 2000  # of a long queue, taken at once
OBSERVE_SECONDS = 0.25
CHANGED = "changed"  # why a session stopped after which another goes on


async def crawl(  # noqa: PLR0913 - what a crawl is put together from
    session: Session,
    source: Source,
    store: Record,
    observe: Callable[[Progress], None],
    stop: threading.Event | None = None,
    *,
    between: Callable[[], bool] = lambda: False,
) -> Progress:
    """Run the session to its end; `observe` is called four times a second and at the end, `between` between two saves.

    Once `between` gives True, the crawl ends as `changed` as soon as nothing is under way.

    `stop` ends it in order as `interrupted`, and is looked at as often. The store's and the source's errors are raised
    after the rest has been saved; neither is closed here.
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
        self._is_ending = False  # whether `between` has asked for the end,
        self._has_changed = False  # and it has come
        self._stop = stop
        self._session = session
        self._source = source
        self._store = store
        self._observe = observe
        self._fetches: set[asyncio.Task[Answer]] = set()
        self._answered: deque[asyncio.Task[Answer]] = deque()
        self._is_due = False  # whether the answers that wait are to be received now
        self._news = asyncio.Event()
        self._save: asyncio.Future[None] | None = None
        self._thread = ThreadPoolExecutor(1, "store")
        self._queue = ThreadPoolExecutor(1, "queue")
        self._load: asyncio.Future[list[QueuedRecord]] | None = None
        self._rows = store.waiting()  # nothing is read before the first is asked for
        self._turned_at = self._observed_at = time.monotonic()

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
                return
            await self._housekeep()
            if isinstance(action, ReadGraph):
                await self._read_graph(action.any_way)
                continue
            if self._answered and self._is_due:
                self._receive([self._answered.popleft() for _ in range(min(len(self._answered), AT_ONCE))])
                self._is_due = bool(self._answered)
                await asyncio.sleep(0)  # let what was started send, and answers come in
            else:
                await self._rest(action.until)

    def _start_fetches(self) -> Wait | ReadGraph | Done:
        """Start all that may start now; returns what is to be done then."""
        while True:
            action = self._session.next_action(time.monotonic())
            if not isinstance(action, Fetch):
                return action
            task = asyncio.create_task(self._fetch(action))
            self._fetches.add(task)
            task.add_done_callback(self._note)

    def _rest_of_fetches(self) -> Wait | Done:
        """Start nothing; the end, once all that was started is answered and received."""
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
        stamp = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._session.receive([task.result() for task in tasks], time.monotonic(), stamp)

    async def _housekeep(self) -> None:
        """Save and observe where due; waits only for a store that is too far behind."""
        self._tell()
        self._load_more()
        pages, links = self._session.unsaved
        is_behind = pages > BACKLOG_PAGES or links > BACKLOG_LINKS or self._since() > SLOW_SECONDS
        if self._save is not None and (is_behind or self._save.done()):
            await self._saved()
        if self._save is None and not self._is_ending:
            self._is_ending = self._between()
        if self._save is None and pages and (pages >= SAVE_PAGES or self._since() >= SAVE_SECONDS):
            self._begin_save()

    def _load_more(self) -> None:
        if self._load is not None and self._load.done():
            self._session.load(self._load.result())
            self._load = None
            if not self._session.is_loading:
                collect()
        if self._load is None and self._session.is_loading:
            part = islice(self._rows, LOAD_LINKS)
            self._load = asyncio.get_running_loop().run_in_executor(self._queue, list, part)
            self._load.add_done_callback(lambda _: self._news.set())

    def _since(self) -> float:
        """Seconds since the save under way began, or the last one ended."""
        return time.monotonic() - self._turned_at

    def _tell(self) -> None:
        now = time.monotonic()
        if now - self._observed_at >= OBSERVE_SECONDS:
            self._observed_at = now
            self._observe(self._session.progress(now))

    def _begin_save(self) -> None:
        batch = self._session.take_batch()
        if batch.memory:  # seldom, and the more so the longer the queue is
            collect()
        self._turned_at = time.monotonic()
        self._save = asyncio.get_running_loop().run_in_executor(self._thread, self._store.save, batch)

    async def _saved(self) -> None:
        """Wait for the save under way. One that failed stays: nothing is saved after it, and its error is raised."""
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
        graph = await asyncio.get_running_loop().run_in_executor(self._thread, self._store.link_graph, any_way)
        self._session.receive_graph(graph)

    async def _rest(self, until: float) -> None:
        """Wait for an answer, the next time to start something, or the next housekeeping."""
        self._news.clear()
        seconds = min(until - time.monotonic(), OBSERVE_SECONDS)
        if seconds > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._news.wait()
        else:
            await asyncio.sleep(0)

    async def _finish(self) -> None:
        for task in self._fetches:
            task.cancel()
        await asyncio.gather(*self._fetches, return_exceptions=True)
        try:
            if self._stop.is_set():  # there may be little time: pages first, what was learned can be learned again
                await self._save_rest()
            self._session.stop("interrupted")
            await self._save_rest()
            began = time.monotonic()
            while not self._has_changed and self._session.settle():
                await self._save_rest()
                if self._stop.is_set() and time.monotonic() - began > SETTLE_SECONDS:
                    break  # the record is as of the last look back, and the next run settles it
        finally:
            self._thread.shutdown(wait=False)
            if self._load is not None:
                await asyncio.wait({self._load})
            self._queue.shutdown(wait=False)
