"""Marks given while a crawl runs. They are stored between two saves, and used for judging when that is requested."""

import time

from crawler.engine.steering import Steering
from graphdb.stores import Store

AGAIN_SECONDS = 1.0  # until a page that was not saved yet is looked for again: about a batch


class LiveMarks:
    """`given`: all marks of this run, by address; None takes a mark away."""

    def __init__(self, steering: Steering, store: Store) -> None:
        self.given: dict[str, bool | None] = {}
        self._steering = steering
        self._store = store
        self._look_at = 0.0

    def keep(self) -> bool:
        """Store new marks. Whether all pages are to be judged again by them. Costs nothing without marks."""
        steering = self._steering
        if steering.marks and time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + AGAIN_SECONDS
            marks, steering.marks = steering.marks, {}
            self.given |= marks
            steering.marks = {url: marks[url] for url in self._store.mark(marks)}
        if not steering.wants_judging or steering.marks:
            return False
        steering.wants_judging = False
        return True
