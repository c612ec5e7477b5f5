"""Renders pages, and ends an engine when a page takes too long, too much memory, or too many requests.

The next page gets a new one, which takes a second. An engine has one page at a time, so that it is known which one is
to blame, and others do not suffer for it. A page's time is what it computes: while only the network is waited for,
whose hosts are asked slowly, the clock stands.
"""

import asyncio
import time

from crawler.ports import Fetched
from crawler.render.devtools import DevTools, EngineLost
from crawler.render.engine_process import EngineProcess
from crawler.render.page_rendering import PageRendering, TooMuch
from crawler.render.requested_parts import PageParts
from semantic.reasons import Reason, because

ENGINES = 2  # pages at once; an engine holds 300 MB, and most of its time it waits for hosts. Chosen, not measured
SECONDS = 7.0  # of computing for one page, so that it ends in ten; a list of 20 rows takes .5. Chosen, not measured
WAITING_SECONDS = 120.0  # for the network, for one page: 60 requests at two a second; chosen, not measured
MEMORY_MB = 1_500  # of all its processes; an idle engine holds 250, one with a list 300 (measured)
LOOK_SECONDS = 0.2  # between two looks at clock and memory; chosen, not measured


class RenderingFailed(Exception):
    """A page was not rendered; its argument is the reason."""

    @property
    def reason(self) -> Reason:
        """Why."""
        reason: Reason = self.args[0]
        return reason


class Engines:
    """A few engines at `path`, begun when they are needed. `seconds`: of computing for one page."""

    def __init__(self, path: str, seconds: float = SECONDS) -> None:
        self._all = [_Engine(path, seconds) for _ in range(ENGINES)]
        self._free: asyncio.LifoQueue[_Engine] = asyncio.LifoQueue()  # so that one does what one can do
        for engine in self._all:
            self._free.put_nowait(engine)

    async def rendered(self, page: Fetched, parts: PageParts) -> str:
        """The page as HTML after its scripts were run. Raises RenderingFailed."""
        engine = await self._free.get()
        try:
            html = await engine.rendered(page, parts)
        except BaseException as error:
            await engine.close()
            if isinstance(error, TooMuch):
                raise RenderingFailed(because("render requests")) from error
            if isinstance(error, EngineLost | OSError | KeyError):  # also if this process has too many files open
                raise RenderingFailed(because("render lost")) from error
            raise
        finally:
            self._free.put_nowait(engine)
        if not html:
            raise RenderingFailed(because("render large"))
        return html

    async def close(self) -> None:
        """End them."""
        for engine in self._all:
            await engine.close()


class _Engine:
    def __init__(self, path: str, seconds: float) -> None:
        self._path = path
        self._seconds = seconds
        self._process: EngineProcess | None = None
        self._tools: DevTools | None = None

    async def rendered(self, page: Fetched, parts: PageParts) -> str:
        """The page as HTML. It fails with an exception, after which the engine is to be closed."""
        if self._process is None:
            self._process = EngineProcess(self._path)
        if self._tools is None:
            tools = DevTools(self._process)
            await tools.connect()
            self._tools = tools
        parts.follow(page.url)
        return await self._watched(self._process, PageRendering(self._tools, page, parts))

    async def close(self) -> None:
        tools, self._tools = self._tools, None
        process, self._process = self._process, None
        if tools is not None:
            await tools.close()
        if process is not None:
            process.kill()

    async def _watched(self, process: EngineProcess, rendering: PageRendering) -> str:
        """Wait for the page, within its limits."""
        work = asyncio.create_task(rendering.html())
        computed = waited = 0.0
        before = time.monotonic()
        try:
            while not work.done():
                await asyncio.wait({work}, timeout=LOOK_SECONDS)
                now = time.monotonic()
                if rendering.is_waiting:
                    waited += now - before
                else:
                    computed += now - before
                before = now
                if computed > self._seconds or waited > WAITING_SECONDS:
                    raise RenderingFailed(because("render slow", seconds=self._seconds))
                if process.memory_mb > MEMORY_MB:
                    raise RenderingFailed(because("render memory", limit=MEMORY_MB))
            return work.result()
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
