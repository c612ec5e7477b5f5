"""Waits for a store that stops answering during a crawl, because its server was killed or is being restarted.

The store is asked again for `AWAY_SECONDS`. Meanwhile the crawl's save is still under way, so nothing is dropped, and
the driver soon stops receiving answers. After that time, CrawlBroken is raised; at once if waiting cannot help, or if
the crawl is to stop.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import TypeVar

from crawler.ports import Record
from ontology.errors import CrawlBroken, StoreAway, StoreError
from ontology.messages import message
from semantic.records import Batch, LinkGraph, QueuedRecord

AWAY_SECONDS = 180.0  # twice the measured time of Neo4j's recovery
RETRY_SECONDS = 1.0  # chosen, not measured
ROWS_AT_ONCE = 1000  # read between two checks; chosen, not measured

Result = TypeVar("Result")


class PatientRecord:
    """`record`, asked again while it does not answer, until `stop` is set. `tell`: shows a line to the user.

    `saving`: a context entered for each save, including the waiting, so that others know that a save is under way.
    """

    def __init__(
        self,
        record: Record,
        stop: threading.Event,
        tell: Callable[[str], None],
        now: Callable[[], float] = time.monotonic,
        saving: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._record = record
        self._stop = stop
        self._tell = tell
        self._now = now
        self._saving = saving

    def save(self, batch: Batch) -> None:
        """Commit the batch; raises CrawlBroken if that is not possible."""
        with self._saving():
            self._patiently(lambda: self._record.save(batch))

    def link_graph(self, most: int = 0) -> LinkGraph:
        """The link graph; raises CrawlBroken if it cannot be read."""
        return self._patiently(lambda: self._record.link_graph(most))

    def waiting(self) -> Iterator[QueuedRecord]:
        """All waiting pages, some twice if the store was away; raises CrawlBroken if they cannot be read."""
        rows: Iterator[QueuedRecord] | None = None

        def more() -> list[QueuedRecord]:
            nonlocal rows
            try:
                rows = self._record.waiting() if rows is None else rows
                return list(islice(rows, ROWS_AT_ONCE))
            except StoreError:
                rows = None  # from the beginning
                raise

        while some := self._patiently(more):
            yield from some

    def _patiently(self, ask: Callable[[], Result]) -> Result:
        until = math.inf
        while True:
            try:
                return ask()
            except StoreError as error:
                if not isinstance(error, StoreAway) or self._now() >= until or self._stop.wait(RETRY_SECONDS):
                    fixed = "" if isinstance(error, StoreAway) else message("once that is fixed, ")
                    raise CrawlBroken(
                        error.message, message("{cure}; {fixed}the same command goes on", cure=error.cure, fixed=fixed)
                    ) from error
                if until == math.inf:
                    until = self._now() + AWAY_SECONDS
                    self._tell(
                        message(
                            "{error}\n  it is asked again for {seconds:g} s; the crawl waits until it answers",
                            error=error,
                            seconds=AWAY_SECONDS,
                        )
                    )
