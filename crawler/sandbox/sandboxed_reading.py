"""Reads pages in a separate process, beside the crawl, and stops it if one page takes too long.

A source that wraps another source: when the session gets an answer, its page was read already. `read` returns its frame
(`semantic.frame`), or the page if there is no analyst. Reading and analysing are the largest part of the work on a
page, and a hostile page can make them slow or large. So they have limits on time and memory. If a process exceeds them
or dies, it is replaced: its current page counts as not readable, and the crawl goes on.

The event loop talks to the process (`crawler.sandbox.reading_process`) directly, because a thread in between would
compete with the crawl's own thread. The process is sent only a little more than it is working on, so that large pages
are not stored twice.
"""

import asyncio
import contextlib
import fcntl
import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping
from dataclasses import replace

from crawler.ports import Conditions, Fetched, Outcome, PageRenderer, Source
from crawler.sandbox.reading_process import SIZE, Packed, Question
from ontology.child_process import child_environment
from ontology.file_failures import is_short_of_files
from semantic.analyst import Analyst
from semantic.frame import Frame
from semantic.page import Page, page_of
from semantic.parsing.document_types import is_read_as_page
from semantic.parsing.page_reader import bounded, read_page
from semantic.reasons import PageError, Reason, because

# Processor time for one page, so that other load on the machine does not decide whether a page is readable. Chosen, not
# measured; usual pages take milliseconds.
READ_SECONDS = 10.0
WAIT_SECONDS = 60.0  # for an answer of the process, by the clock; chosen, not measured
FILES_SECONDS = 1.0  # between two tries to start a process; chosen, not measured
_BUFFER = 2**20  # bytes of answers buffered by the event loop; chosen, not measured
# Bytes of pages sent ahead to the process, the current one included: some twenty pages, so that it has work while the
# crawl learns from ten others.
_AHEAD = 2**20
# Bytes of bodies that wait to be read. With more, no request is begun: an archive answers at once, so that an import
# would hold 64 bodies of 10 MB. Chosen, not measured.
_WAITING = 2 * 10**7
_PIPE = 2**20  # bytes that the system holds in each direction: as many as it gives to any user (pipe(7))

Read = Frame | Page | PageError
# an answer of the reading process as it was sent (`Packed`, pickled), or why there is none
Unopened = bytes | PageError


class ReadingSource:
    """`source`, with its pages already read. An understanding reads pages with `read`. To be closed like any source.

    `seconds`: of processor time for a page. `wait`: seconds to wait for its answer. `analyst`: may be set before the
    first fetch, and after `rest`. `workers`: the number of processes that fetch, each with `Limits.connections`.
    `received`: bytes of bodies so far.
    """

    analyst: Analyst | None = None
    workers = 1
    received = 0

    def __init__(self, source: Source, seconds: float = READ_SECONDS, wait: float = WAIT_SECONDS) -> None:
        self._source = source
        self._renderer = source if isinstance(source, PageRenderer) else None
        self._seconds = seconds
        self._wait = wait
        self._reader: ChildReader | None = None
        self._pages: dict[str, Unopened] = {}
        self._waiting = 0  # bytes of bodies that are being read
        self._is_read = asyncio.Event()  # one of them

    def begin(self) -> None:
        """Start the process, which takes a second, before there is a page. `close` ends it, or the end of this one."""
        if self._reader is None:
            self._reader = ChildReader(self.analyst, self._seconds, self._wait)

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Answer as the source does, and read the page if there is one; a robots.txt is not a page.

        Of all other answers the body is dropped: nobody asks for it any more.
        """
        while not robots and self._waiting > _WAITING:
            self._is_read.clear()
            await self._is_read.wait()
        outcome = await self._source.fetch(url, conditions, robots=robots)
        if not isinstance(outcome, Fetched):
            return outcome
        size = len(outcome.body)
        self.received += size
        if robots:
            return outcome
        remark = outcome.remark
        if is_read_as_page(outcome.status, outcome.headers, url):
            self._waiting += size
            try:
                self._pages[url] = await self._read(outcome)
                if self._renderer is not None and remark is None:
                    self._pages[url], remark = await self._rendered(self._renderer, outcome, self._pages[url])
            finally:
                self._waiting -= size
                self._is_read.set()
        return replace(outcome, body=b"", remark=remark)

    def read(self, body: bytes, url: str, headers: Mapping[str, str]) -> Page | Frame:
        """The page of an answer, or its frame; may be called once for an answer. Raises PageError if it is not
        readable.
        """
        unopened = self._pages.pop(url, None)
        page = bounded(read_page(body, url, headers)) if unopened is None else _opened(unopened)
        if isinstance(page, PageError):
            raise page
        return page

    def taken(self, url: str) -> Unopened | None:
        """What `read` would give for an answer, to be read by another process; None if the answer is not a page."""
        return self._pages.pop(url, None)

    def note(self, figures: Mapping[str, float]) -> None:
        """Take the crawl's figures of this moment, by name. Only workers show them to others than the crawl's user."""

    async def rest(self) -> None:
        """End the process while no fetch is under way; the next fetch starts another."""
        reader, self._reader = self._reader, None
        if reader is not None:
            await reader.close()

    async def close(self) -> None:
        """End the process and close the source."""
        await self.rest()
        await self._source.close()

    async def _read(self, outcome: Fetched) -> Unopened:
        self.begin()
        assert self._reader is not None
        return await self._reader.read(outcome.body, outcome.url, dict(outcome.headers))

    async def _rendered(
        self, renderer: PageRenderer, outcome: Fetched, unopened: Unopened
    ) -> tuple[Unopened, Reason | None]:
        """The page that its scripts make, where it needs them and says more then, else as it is; and what was done."""
        words = _bare(unopened)
        if words is None:
            return unopened, None
        made = await renderer.rendered(outcome)
        if isinstance(made, Reason):
            return unopened, because("not rendered", made)
        more = await self._read(made)
        after = _bare(more)
        if isinstance(more, PageError) or (after is not None and after <= words):
            return unopened, because("not rendered", because("render no more"))
        await renderer.take(made)
        return more, because("rendered", words=words)


def _bare(unopened: Unopened) -> int | None:
    """How many words a page has without its scripts, if it needs them."""
    read = _opened(unopened)
    return None if isinstance(read, PageError) else read.bare


def _opened(unopened: Unopened) -> Read:
    if isinstance(unopened, PageError):
        return unopened
    answer: Packed = pickle.loads(unopened)
    if isinstance(answer, PageError):
        return answer
    frame, made = answer
    page = page_of(made) if made else None
    if frame is None:
        assert page is not None, "without an analyst the page itself is given"
        return page
    return frame if page is None else replace(frame, page=page)


class ChildReader:
    """Sends pages to a child process and receives its answers, in order. The first child starts at once, which needs no
    event loop.
    """

    def __init__(self, analyst: Analyst | None, seconds: float, wait: float) -> None:
        self._analyst = pickle.dumps(analyst, pickle.HIGHEST_PROTOCOL)
        self._seconds = seconds
        self._wait = wait
        self._begun = _begun(seconds)
        self._child: subprocess.Popen[bytes] | None = None
        self._questions: asyncio.WriteTransport  # of the child, as the next two
        self._answers: asyncio.StreamReader
        self._answers_end: asyncio.ReadTransport
        self._is_new = True
        self._asked: deque[tuple[Question, asyncio.Future[Unopened]]] = deque()
        self._sent: deque[int] = deque()  # sizes (bytes) of those, from the first on, that were sent to the child
        self._news = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    async def read(self, *question: *Question) -> Unopened:
        """Read a page as `read_page` does. Returns a PageError if reading was stopped."""
        if self._work is None:
            self._work = asyncio.create_task(self._answer_all())
        if self._work.done():
            await self._work  # raises what ended it
        answer: asyncio.Future[Unopened] = asyncio.get_running_loop().create_future()
        self._asked.append((question, answer))
        self._send()
        self._news.set()
        return await answer

    async def close(self) -> None:
        """End the child."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        if self._begun is not None:
            self._begun.end()
        await self._end()

    async def _answer_all(self) -> None:
        while True:
            await self._news.wait()
            while self._asked:
                if self._child is None:
                    await self._start()
                answer = await self._next()
                _, waiting = self._asked.popleft()
                if self._sent:
                    self._sent.popleft()
                self._send()
                if not waiting.done():  # else the fetch was cancelled
                    waiting.set_result(answer)
            self._news.clear()

    async def _start(self) -> None:
        """Start a child, and send it the pages that have no answer yet."""
        self._is_new = True
        while (begun := self._begun or _begun(self._seconds)) is None:
            await asyncio.sleep(FILES_SECONDS)
        self._begun = begun
        loop = asyncio.get_running_loop()
        self._answers = asyncio.StreamReader(_BUFFER)
        protocol = asyncio.StreamReaderProtocol(self._answers)
        self._answers_end, _ = await loop.connect_read_pipe(lambda: protocol, begun.answers)
        self._questions, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, begun.questions)
        self._child, self._begun = begun.process, None
        self._questions.write(SIZE.pack(len(self._analyst)))
        self._questions.write(self._analyst)
        self._send()

    def _send(self) -> None:
        """Send the child as many pages as fit into `_AHEAD`, at least one."""
        while self._child is not None and len(self._sent) < len(self._asked) and sum(self._sent) < _AHEAD:
            packed = pickle.dumps(self._asked[len(self._sent)][0], pickle.HIGHEST_PROTOCOL)
            self._questions.write(SIZE.pack(len(packed)))
            self._questions.write(packed)
            self._sent.append(len(packed))

    async def _next(self) -> Unopened:
        """The child's next answer. If none comes, the child is ended and a PageError is returned."""
        wait = WAIT_SECONDS
        try:
            if self._is_new:
                async with asyncio.timeout(wait):
                    await self._receive()
                self._is_new = False
            wait = self._wait
            # `asyncio.wait_for` of Python 3.11 loses a cancellation that comes with the answer, and `close` would wait
            # for ever
            async with asyncio.timeout(wait):
                return await self._receive()
        except TimeoutError:
            problem = because("reading silent", seconds=wait)
        except (asyncio.IncompleteReadError, OSError):
            problem = await self._why_it_died()
        await self._end()
        return PageError(problem)

    async def _why_it_died(self) -> Reason:
        assert self._child is not None
        if await asyncio.to_thread(self._child.wait) == -signal.SIGPROF:
            return because("reading slow", seconds=self._seconds)
        return because("reading broke off")

    async def _receive(self) -> bytes:
        (size,) = SIZE.unpack(await self._answers.readexactly(SIZE.size))
        return await self._answers.readexactly(size)

    async def _end(self) -> None:
        child, self._child = self._child, None
        self._sent.clear()
        if child is None:
            return
        if not self._questions.is_closing():  # abort() fails where the child has closed its end
            self._questions.abort()
        self._answers_end.close()
        child.kill()
        await asyncio.to_thread(child.wait)


def _begun(seconds: float) -> "_Child | None":
    """A new child; None while this process has too many files open for its pipes."""
    try:
        return _Child(seconds)
    except OSError as error:
        if not is_short_of_files(error):
            raise
        return None


class _Child:
    """A reading process that has been started, and this process's ends of the pipes to it and from it."""

    def __init__(self, seconds: float) -> None:
        child_reads, questions = _large_pipe()
        try:
            answers, child_writes = _large_pipe()
        except OSError:
            os.close(child_reads)
            os.close(questions)
            raise
        self.questions, self.answers = os.fdopen(questions, "wb", 0), os.fdopen(answers, "rb", 0)
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", "from crawler.sandbox.reading_process import main; main()", str(seconds)],
                stdin=child_reads,
                stdout=child_writes,
                env=child_environment(),
                start_new_session=True,  # Ctrl-C in the terminal must reach the crawl only
            )
        finally:
            os.close(child_reads)
            os.close(child_writes)

    def end(self) -> None:
        """End it unused."""
        self.questions.close()
        self.answers.close()
        self.process.kill()
        self.process.wait()


def _large_pipe() -> tuple[int, int]:
    """A pipe, its reading and its writing end, that holds `_PIPE` bytes where the system allows it."""
    reads, writes = os.pipe()
    if hasattr(fcntl, "F_SETPIPE_SZ"):  # Linux only
        with contextlib.suppress(OSError):  # this user's pipes hold too much already
            fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, _PIPE)
    return reads, writes
