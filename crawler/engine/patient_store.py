"""Waits for a store that stops answering during a crawl, because its server was killed or is being restarted.

The same while too many files are open in this process for the store to be asked.

A store that cannot be opened is not waited for, since its address may be wrong. Whatever is asked of an open one is
asked again for `AWAY_SECONDS`. A save stays under way meanwhile, so nothing is dropped, and the driver soon stops
receiving answers. After that time, CrawlBroken is raised; at once if the crawl is to stop.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, TypeVar, cast

from crawler.ports import Record
from ontology.errors import CrawlBroken, StoreAway, StoreError
from ontology.file_failures import is_short_of_files, why_refused
from ontology.messages import message
from semantic.records import Batch, QueuedRecord

AWAY_SECONDS = 180.0  # twice the measured time of Neo4j's recovery
RETRY_SECONDS = 1.0  # chosen, not measured
FILES_CURE = message("close what has connections to this crawl, or allow more (ulimit -n)")

AnyRecord = TypeVar("AnyRecord", bound=Record)
Item = TypeVar("Item")


def patient(
    store: AnyRecord,
    stop: threading.Event,
    tell: Callable[[str], None],
    now: Callable[[], float] = time.monotonic,
    saving: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> AnyRecord:
    """The store. All calls are repeated while it does not answer.

    - `stop`: ends the waiting when it is set.
    - `tell`: shows a line to the user.
    - `saving`: a context entered for each save, including the waiting, so that others know that a save is under way.

    Every method raises CrawlBroken if the store stays away; `save` also if waiting cannot help.
    """
    return cast(AnyRecord, _PatientStore(store, stop, tell, now, saving))


class _PatientStore:
    """Has all methods of its store. After an outage rows are read on where they had stopped."""

    def __init__(
        self,
        store: Record,
        stop: threading.Event,
        tell: Callable[[str], None],
        now: Callable[[], float],
        saving: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._store = store
        self._stop = stop
        self._tell = tell
        self._now = now
        self._saving = saving
        self._until = math.inf  # the end of patience; not finite while the store answers

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        return lambda *given, **named: self._answer(partial(method, *given, **named))

    def waiting(self) -> Iterator[QueuedRecord]:
        """All waiting pages. These change while they are read, so after an outage all are given again."""
        rows: Iterator[QueuedRecord] = self._answer(self._store.waiting, skips=False)
        return rows

    def save(self, batch: Batch) -> None:
        """Commit the batch; raises CrawlBroken if that is not possible."""
        with self._saving():
            try:
                self._answer(partial(self._store.save, batch))
            except StoreError as error:
                raise CrawlBroken.by(error) from error

    def _answer(self, ask: Callable[[], Any], *, skips: bool = True) -> Any:
        answer = self._asked(ask)
        return self._rows(answer, ask, skips=skips) if isinstance(answer, Iterator) else answer

    def _asked(self, ask: Callable[[], Any]) -> Any:
        while True:
            try:
                answer = ask()
            except StoreAway as error:
                self._wait(error)
            except (StoreError, OSError) as error:
                if not is_short_of_files(error):
                    raise
                self._wait(StoreAway(message("the store: {why}", why=why_refused(error)), FILES_CURE))
            else:
                if not isinstance(answer, Iterator):  # which may have asked nothing yet
                    self._until = math.inf
                return answer

    def _rows(self, rows: Iterator[Item], ask: Callable[[], Iterator[Item]], *, skips: bool) -> Iterator[Item]:
        given, last = 0, None
        while True:
            try:
                for number, row in enumerate(rows, 1):
                    self._until = math.inf
                    if number > given:
                        yield row
                        given, last = (number, row) if skips else (0, None)
                    elif number == given and row != last:
                        raise CrawlBroken("the store gives its rows in another order now", "the same command goes on")
                return
            except StoreAway as error:
                self._wait(error)
                rows = self._asked(ask)

    def _wait(self, error: StoreAway) -> None:
        """Wait until the store may be asked again."""
        if self._now() >= self._until or self._stop.wait(RETRY_SECONDS):
            raise CrawlBroken.by(error) from error
        if self._until == math.inf:
            self._until = self._now() + AWAY_SECONDS
            self._tell(
                message(
                    "{error}\n  it is asked again for {seconds:g} s; the crawl waits until it answers",
                    error=error,
                    seconds=AWAY_SECONDS,
                )
            )
