"""Make frames (`semantic.frame`) of recorded pages, in the record's order. Many pages are shared among processes."""

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

TOGETHER = 50  # pages given to a process at once; chosen, not measured
MANY = 200  # with fewer pages, starting processes (a second) costs more than it saves
_AHEAD = 2  # parts for each process that are in work or wait to be used; chosen, not measured

Kept = tuple[KeptPage, Frame | None]

_analysts: list[Analyst] = []  # in a process that makes frames: its one analyst


def frames(pages: Iterable[KeptPage], analyst: Analyst) -> Iterator[list[Kept]]:
    """Lists of up to `TOGETHER` pages, each page with its frame; None instead of a frame if no text was stored.

    Raises StoreError if the record was written by a version that is too old.
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
    # the frame contains the content already
    return [(kept._replace(content=None) if frame else kept, frame) for kept, frame in found]
