"""Make frames (`semantic.frame`) of recorded pages, in the record's order. Many pages are shared among processes.

The processes are like those that read pages (`crawler.sandbox.reading_process`): started by a command, not by
`multiprocessing`, which would run the main module of a script again in each of them. A process takes pickles on its
standard input, the analyst first, answers in the same order, and ends with its input.
"""

import contextlib
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, islice
from queue import Empty, Queue, SimpleQueue
from typing import IO

from crawler.archive.stored_pages import page_of_stored
from crawler.sandbox.reading_process import SIZE
from ontology.child_process import child_environment, own_output
from ontology.errors import StoreError
from semantic.analyst import Analyst
from semantic.frame import Frame
from semantic.records import StoredPage

TOGETHER = 50  # pages given to a process at once; chosen, not measured
MANY = 200  # with fewer pages, starting processes (half a second) costs more than it saves
# processes at most: measured, a frame takes 1.7 ms, and to learn from it 0.5 ms in the one process that does
MOST = 8
_AHEAD = 2  # parts for each process that are in work or wait to be used; chosen, not measured
_READY = 8  # lists that are made before they are asked for; chosen, not measured
_LOOK_SECONDS = 0.05  # between two looks whether the thread has ended; chosen, not measured
_COLLECT = 100_000  # new objects between two garbage collections, for frames have no cycles; chosen, not measured

Kept = tuple[StoredPage, Frame | None]


class Makers:
    """The processes that make frames of many pages. They start now, and are given the analyst later. To be ended."""

    def __init__(self) -> None:
        self._makers = [_Maker() for _ in range(min(os.cpu_count() or 1, MOST))]

    def __len__(self) -> int:
        return len(self._makers)

    def begin(self, analyst: Analyst) -> "SimpleQueue[_Maker]":
        """Give them the analyst. Gives those that are free."""
        given = pickle.dumps(analyst, pickle.HIGHEST_PROTOCOL)
        free: SimpleQueue[_Maker] = SimpleQueue()
        for maker in self._makers:
            maker.begin(given)
            free.put(maker)
        return free

    def end(self) -> None:
        """End the processes, whatever they do."""
        for maker in self._makers:
            maker.end()
        self._makers = []


def frames(
    pages: Iterable[StoredPage], analyst: Analyst, begun: Makers | None = None
) -> Generator[list[Kept], None, None]:
    """Lists of up to `TOGETHER` pages, each page with its frame; None instead of a frame if no text was stored, or if
    the page is gone since.

    A frame lacks what the record has already: what copies are known by, and texts of links (`Analyst.recorded`).
    `begun`: processes that have been started for this; they are ended in any case.
    Raises StoreError if the record was written by a version that is too old.
    """
    analyst = replace(analyst, recorded=True)
    every = iter(pages)
    first = list(islice(every, MANY))
    parts = _parts(chain(first, every))
    if len(first) < MANY or not analyst.matcher.travels:
        if begun is not None:
            begun.end()
        yield from (list(zip(part, _frames(part, analyst), strict=True)) for part in parts)
        return
    makers = begun or Makers()
    free = makers.begin(analyst)

    def make(part: list[StoredPage]) -> list[Kept]:
        maker = free.get()
        try:
            return list(zip(part, maker.make(part), strict=True))
        finally:
            free.put(maker)

    threads = ThreadPoolExecutor(len(makers), "frames")
    waiting: deque[Future[list[Kept]]] = deque()
    try:
        for part in parts:
            waiting.append(threads.submit(make, part))
            if len(waiting) > _AHEAD * len(makers):
                yield _slim(waiting.popleft().result())
        while waiting:
            yield _slim(waiting.popleft().result())
    finally:
        for future in waiting:
            future.cancel()
        makers.end()
        threads.shutdown()


class FramesAhead:
    """What `frames` gives, made from now on, while the caller does other things. To be closed."""

    def __init__(self, pages: Iterable[StoredPage], analyst: Analyst, begun: Makers | None = None) -> None:
        """Begin. `pages` is read by a thread. `begun`: see `frames`."""
        self._made: Queue[list[Kept] | BaseException | None] = Queue(_READY)
        self._is_closed = False
        self._thread = threading.Thread(
            target=self._make, args=(pages, analyst, begun), name="frames ahead", daemon=True
        )
        self._thread.start()

    def __iter__(self) -> Iterator[list[Kept]]:
        """The lists in their order; once. Raises what reading the pages raises."""
        while (part := self._made.get()) is not None:
            if isinstance(part, BaseException):
                raise part
            yield part

    def close(self) -> None:
        """End what is under way."""
        self._is_closed = True
        while self._thread.is_alive():
            with contextlib.suppress(Empty):
                self._made.get(timeout=_LOOK_SECONDS)  # so that the thread does not wait for room

    def _make(self, pages: Iterable[StoredPage], analyst: Analyst, begun: Makers | None) -> None:
        end: BaseException | None = None
        try:
            with contextlib.closing(frames(pages, analyst, begun)) as made:
                for part in made:
                    self._made.put(part)
                    if self._is_closed:
                        return
        except BaseException as error:
            end = error
        self._made.put(end)


def _parts(pages: Iterator[StoredPage]) -> Iterator[list[StoredPage]]:
    while part := list(islice(pages, TOGETHER)):
        yield part


def _frames(part: Iterable[StoredPage], analyst: Analyst) -> list[Frame | None]:
    return [
        None
        if kept.content is None or kept.status != "fetched"
        else analyst.frame(page_of_stored(kept), kept.content, kept.standing and kept.standing.kind)
        for kept in part
    ]


def _slim(found: list[Kept]) -> list[Kept]:
    """The pages without their content if they have a frame, because the frame contains it."""
    return [
        (kept._replace(content=None), replace(frame, content=kept.content or b"")) if frame else (kept, None)
        for kept, frame in found
    ]


class _Maker:
    """A process that makes frames."""

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-c", "from crawler.rejudging.record_frames import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=child_environment(),
            start_new_session=True,  # Ctrl-C in the terminal is for the process that asks
        )

    def begin(self, analyst: bytes) -> None:
        """Give it the analyst, as a pickle."""
        self._give(analyst)

    def make(self, part: list[StoredPage]) -> list[Frame | None]:
        """Have the frames of some pages made, and wait for them. Raises StoreError as `page_of_stored`."""
        self._give(pickle.dumps([kept._replace(mentions=None) for kept in part], pickle.HIGHEST_PROTOCOL))
        assert self._child.stdout is not None
        answer = _message(self._child.stdout)
        if not answer:
            raise RuntimeError(f"a process that makes frames has ended ({self._child.wait()})")
        made: list[Frame | None] | StoreError = pickle.loads(answer)
        if isinstance(made, StoreError):
            raise made
        return made

    def end(self) -> None:
        """End the process, whatever it does."""
        self._child.kill()
        self._child.communicate()

    def _give(self, message: bytes) -> None:
        assert self._child.stdin is not None
        _send(self._child.stdin, message)


def main() -> None:
    """Make frames until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(_COLLECT)
    answers = own_output()
    analyst: Analyst = pickle.loads(_message(sys.stdin.buffer))
    analyst.matcher.load()
    while part := _message(sys.stdin.buffer):
        try:
            made = [frame and replace(frame, content=b"") for frame in _frames(pickle.loads(part), analyst)]
            answer = pickle.dumps(made, pickle.HIGHEST_PROTOCOL)
        except StoreError as error:
            answer = pickle.dumps(error)
        _send(answers, answer)


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(SIZE.pack(len(message)))
    stream.write(message)
    stream.flush()


def _message(stream: IO[bytes]) -> bytes:
    """The next one; b"" at the end."""
    head = stream.read(SIZE.size)
    return stream.read(SIZE.unpack(head)[0]) if len(head) == SIZE.size else b""
