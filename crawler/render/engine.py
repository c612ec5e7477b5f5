"""Renders pages, one after another, and ends the engine when one takes too long, too much memory, or too many requests.

The next page gets a new engine, which takes a second. A page's time is what it computes: while only the network is
waited for, whose hosts are asked slowly, the clock stands.
"""

import asyncio
import contextlib
import time

from crawler.ports import Fetched
from crawler.render.devtools import DevTools, EngineLost
from crawler.render.engine_process import EngineProcess
from crawler.render.page_parts import PageParts
from crawler.render.page_rendering import PageRendering, TooMuch
from semantic.reasons import Reason, because

SECONDS = 7.0  # of computing for one page, so that it ends in ten; a list of 20 rows takes .5. Chosen, not measured
WAITING_SECONDS = 120.0  # for the network, for one page: 60 requests at two a second; chosen, not measured
MEMORY_MB = 1_500  # of all its processes; an idle engine holds 250, one with a list 300 (measured)
START_SECONDS = 30.0  # measured: .5 to 1.1
LOOK_SECONDS = 0.2  # between two looks at clock and memory; chosen, not measured


class RenderingFailed(Exception):
    """A page was not rendered; its argument is the reason."""

    @property
    def reason(self) -> Reason:
        """Why."""
        reason: Reason = self.args[0]
        return reason


class Engine:
    """The engine at `path`, begun when it is needed first."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = asyncio.Lock()
        self._process: EngineProcess | None = None
        self._tools: DevTools | None = None

    async def rendered(self, page: Fetched, parts: PageParts) -> str:
        """The page as HTML after its scripts were run. Raises RenderingFailed."""
        async with self._lock:
            try:
                tools = await self._begun()
                parts.follow(page.url)
                rendering = PageRendering(tools, page, parts)
                html = await self._watched(rendering)
            except BaseException as error:
                await self.close()
                if isinstance(error, TooMuch):
                    raise RenderingFailed(because("render requests")) from error
                if isinstance(error, EngineLost | OSError | KeyError):
                    raise RenderingFailed(because("render lost")) from error
                raise
            if not html:
                raise RenderingFailed(because("render large"))
            return html

    async def close(self) -> None:
        """End the engine."""
        tools, self._tools = self._tools, None
        process, self._process = self._process, None
        if tools is not None:
            await tools.close()
        if process is not None:
            process.kill()

    async def _begun(self) -> DevTools:
        if self._tools is None:
            self._process = EngineProcess(self._path)
            tools = DevTools(self._process)
            await tools.connect()
            self._tools = tools
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(START_SECONDS):
                    await tools.call("Browser.getVersion")
                    return tools
            raise EngineLost
        return self._tools

    async def _watched(self, rendering: PageRendering) -> str:
        """Wait for the page, within its limits."""
        assert self._process is not None
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
                if computed > SECONDS or waited > WAITING_SECONDS:
                    raise RenderingFailed(because("render slow", seconds=SECONDS))
                if self._process.memory_mb > MEMORY_MB:
                    raise RenderingFailed(because("render memory", limit=MEMORY_MB))
            return work.result()
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
