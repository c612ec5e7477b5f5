"""What runs in a worker: it fetches and reads the addresses that it is asked for, and remembers nothing of the crawl.

A worker that dies therefore loses nothing: the crawl asks another one for the same addresses.
"""

import pickle
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version

from crawler.ports import Conditions, Fetched, Outcome, Source
from crawler.sandbox.sandboxed_reading import ReadingSource, Unopened
from semantic.analyst import Analyst

# the answer, and the page as the reading process sent it; the body of a page that was read does not travel
Read = tuple[Outcome, Unopened | None]


def code_version() -> str:
    """The version of this program; worker and crawl must have the same, since they exchange pickled frames."""
    return version("ontocrawl")


class Worker:
    """Fetches and reads pages in a process of its own. `make`: makes the source, in that process."""

    def __init__(self, make: Callable[[], Source]) -> None:
        self._make = make
        self._source: ReadingSource | None = None
        self._edition = 0

    async def ready(self) -> str:
        """The version of the program that runs here."""
        return code_version()

    async def prepare(self, edition: int, analyst: bytes) -> None:
        """From now on read pages with this analyst (pickled). Raises what making the source raises.

        `edition`: its number; where it is the present one already, nothing is done.
        """
        if edition == self._edition:
            return
        if self._source is None:
            self._source = ReadingSource(self._make())
        await self._source.rest()
        made: Analyst | None = pickle.loads(analyst)
        self._source.analyst, self._edition = made, edition

    async def fetch(self, edition: int, url: str, conditions: Conditions, robots: bool) -> Read | None:
        """Answer one GET, and read the page if there is one. None: `prepare` must be called first."""
        if self._source is None or edition != self._edition:
            return None
        outcome = await self._source.fetch(url, conditions, robots=robots)
        read = self._source.taken(url)
        if read is not None and isinstance(outcome, Fetched):
            outcome = replace(outcome, body=b"")
        return outcome, read

    async def close(self) -> None:
        """Free connections, and finish what is being written."""
        if self._source is not None:
            await self._source.close()
