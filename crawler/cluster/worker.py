"""What runs in a worker: it fetches and reads the addresses that it is asked for, and remembers nothing of the crawl.

A worker that dies therefore loses nothing: the crawl asks another one for the same addresses.
"""

import pickle
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Protocol

from crawler.ports import Conditions, Failed, Fetched, Outcome, Refused, Source
from crawler.sandbox.sandboxed_reading import ReadingSource, Unopened
from ontology.errors import SettingsError
from semantic.analyst import Analyst
from semantic.languages.sentence_encoder import find_encoder
from semantic.reasons import PageError

# the answer, and the page as the reading process sent it; only the body of a robots.txt travels
Read = tuple[Outcome, Unopened | None]


def code_version() -> str:
    """The version of this program; worker and crawl must have the same, since they exchange pickled frames."""
    return version("ontocrawl")


class Figures(Protocol):
    """Where a worker's figures are shown to those who run the cluster; `crawler.cluster.ray_actors` names them."""

    def count(self, name: str, by: float = 1.0, **tags: str) -> None:
        """Add to a sum."""
        ...

    def show(self, name: str, value: float) -> None:
        """Show this value instead of the last one."""
        ...


class Worker:
    """Fetches and reads pages in a process of its own. `make` and `figures` are called in that process."""

    def __init__(self, make: Callable[[], Source], figures: Callable[[], Figures]) -> None:
        self._make = make
        self._figures = figures()
        self._under_way = 0
        self._change_under_way(0)  # so that a worker without requests is seen, too
        self._source: ReadingSource | None = None
        self._edition = 0
        self._received = 0  # bytes of bodies that have been counted

    async def ready(self) -> str:
        """The version of the program that runs here."""
        return code_version()

    async def prepare(self, edition: int, analyst: bytes) -> None:
        """From now on read pages with this analyst (pickled). Raises what making the source raises, and SettingsError
        where the encoder is missing that the crawl's own process has.

        `edition`: its number; where it is the present one already, nothing is done.
        """
        if edition == self._edition:
            return
        if self._source is None:
            self._source = ReadingSource(self._make())
        await self._source.rest()
        made: Analyst | None = pickle.loads(analyst)
        if made and made.meaning and find_encoder() is None:
            raise SettingsError(
                "a worker cannot compare pages by meaning", "install 'ontocrawl[languages]' on every machine or on none"
            )
        self._source.analyst, self._edition = made, edition

    async def fetch(self, edition: int, url: str, conditions: Conditions, robots: bool) -> Read | None:
        """Answer one GET, and read the page if there is one. None: `prepare` must be called first."""
        if self._source is None or edition != self._edition:
            return None
        began = time.monotonic()
        self._change_under_way(1)
        try:
            outcome = await self._source.fetch(url, conditions, robots=robots)
        finally:
            self._change_under_way(-1)
        read = self._source.taken(url)
        self._count(outcome, read, time.monotonic() - began)
        return outcome, read

    async def show(self, figures: Mapping[str, float]) -> None:
        """Show figures of the crawl as a whole."""
        for name, value in figures.items():
            self._figures.show(name, value)

    def _change_under_way(self, by: int) -> None:
        self._under_way += by
        self._figures.show("requests_under_way", self._under_way)

    def _count(self, outcome: Outcome, read: Unopened | None, seconds: float) -> None:
        """Count an answer. `seconds`: from the request until the page was read."""
        count = self._figures.count
        match outcome:
            case Fetched():
                was = "other" if read is None else "unreadable" if isinstance(read, PageError) else "page"
                count("answers", outcome=was, kind=f"{outcome.status // 100}xx")
                assert self._source is not None
                count("received_bytes", self._source.received - self._received)
                self._received = self._source.received
            case Failed():
                count("answers", outcome="failed", kind=outcome.kind)
            case Refused():
                count("answers", outcome="refused", kind="")
        count("request_seconds", outcome.seconds)
        if read is not None:
            count("reading_seconds", max(0.0, seconds - outcome.seconds))

    async def close(self) -> None:
        """Free connections, and finish what is being written."""
        if self._source is not None:
            await self._source.close()
