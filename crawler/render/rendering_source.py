"""A source around the crawl's own source that also runs the scripts of pages.

The HTML of a page tells whether it needs its scripts (`semantic.parsing.script_need`). Not all such pages are rendered.
Pages of one host whose addresses have one shape are a group: after `TRIES` pages of a group without a gain only one in
`AGAIN` is rendered, until one gains. The next run begins again.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol

from crawler.ports import Conditions, Fetched, Outcome, PartSource
from crawler.render.page_rendering import as_fetched
from crawler.render.rendering_engines import RenderingFailed
from crawler.render.requested_parts import PageParts
from crawler.traps.trap_detection import shapes
from semantic.reasons import Reason, because

TRIES, AGAIN = 3, 50  # chosen, not measured
SHAPES = 10_000  # whose gains are remembered: about 3 MB; chosen, not measured


@dataclass(slots=True)
class _Gains:
    """`without`: pages since the last gain; `skipped`: pages since the last one rendered."""

    without: int = 0
    skipped: int = 0


class RendersPages(Protocol):
    """The engine (`crawler.render.rendering_engines`), or a fake in a test."""

    async def rendered(self, page: Fetched, parts: PageParts) -> str:
        """The page as HTML after its scripts were run. Raises RenderingFailed."""
        ...

    async def close(self) -> None:
        """End it."""
        ...


class RenderingSource:
    """`source` with rendered pages. `delay`, `respects`: as of the crawl, for parts of pages."""

    def __init__(self, source: PartSource, engine: RendersPages, delay: float, *, respects: bool = False) -> None:
        self._source = source
        self._engine = engine
        self._parts = PageParts(source, delay, respects=respects)
        self._gains: OrderedDict[str, _Gains] = OrderedDict()

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Answer as the source does."""
        return await self._source.fetch(url, conditions, robots=robots)

    async def rendered(self, page: Fetched) -> Fetched | Reason:
        """The answer with the page that its scripts make, or why there is none."""
        gains = self._gains_of(page.url)
        if gains.without >= TRIES:
            gains.skipped = (gains.skipped + 1) % AGAIN
            if gains.skipped:
                return because("render in vain", number=TRIES)
        gains.without += 1
        try:
            html = await self._engine.rendered(page, self._parts)
        except RenderingFailed as failed:
            return failed.reason
        return as_fetched(page, html)

    async def take(self, made: Fetched) -> None:
        """Note and record that a rendered page says more than before."""
        self._gains_of(made.url).without = 0
        await self._source.convert(made.url, made.body)

    async def close(self) -> None:
        """End the engine, and close the source."""
        await self._engine.close()
        await self._parts.close()
        await self._source.close()

    def _gains_of(self, url: str) -> _Gains:
        shape = shapes(url)[0][0]
        gains = self._gains.setdefault(shape, _Gains())
        self._gains.move_to_end(shape)
        if len(self._gains) > SHAPES:
            self._gains.popitem(last=False)
        return gains
