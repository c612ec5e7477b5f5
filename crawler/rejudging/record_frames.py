"""The frames of what a record has kept (`semantic.frame`), in its order; of many pages made by processes beside."""

import os
import pickle
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context

from crawler.archive.stored_pages import page_of_kept
from semantic.analyst import Analyst
from semantic.frame import Frame
from semantic.records import KeptPage

TOGETHER = 50  # pages given to a process at once
MANY = 200  # pages from which processes are worth their start, a second
_AHEAD = 2  # parts for each process that are being made or wait to be used

Kept = tuple[KeptPage, Frame | None]

_analysts: list[Analyst] = []  # of a process that makes frames: its only one


def frames(pages: Iterable[KeptPage], analyst: Analyst) -> Iterator[list[Kept]]:
    """Pages some at a time, each with its frame; None for what is kept without text.

    Raises StoreError where the record is too old for it.
    """
    every = iter(pages)
    first = list(islice(every, MANY))
    parts = _parts(chain(first, every))
    if len(first) < MANY or not analyst.matcher.travels:
        yield from (_frames(part, analyst) for part in parts)
        return
    workers = max(1, (os.cpu_count() or 1) - 1)
    given = pickle.dumps(analyst, pickle.HIGHEST_PROTOCOL)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start, (given,))
    waiting: deque[Future[list[Kept]]] = deque()
    try:
        for part in parts:
            waiting.append(pool.submit(_work, part))
            if len(waiting) > _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _parts(pages: Iterator[KeptPage]) -> Iterator[list[KeptPage]]:
    while part := list(islice(pages, TOGETHER)):
        yield part


def _frames(part: Iterable[KeptPage], analyst: Analyst) -> list[Kept]:
    return [(kept, None if kept.content is None else analyst.frame(page_of_kept(kept), kept.content)) for kept in part]


def _start(given: bytes) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks
    _analysts.append(pickle.loads(given))


def _work(part: list[KeptPage]) -> list[Kept]:
    found = _frames(part, _analysts[0])
    return [(kept._replace(content=None) if frame else kept, frame) for kept, frame in found]  # the frame has it
