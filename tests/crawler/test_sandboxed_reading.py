"""Pages read in a process of their own: the same pages, and a process that hangs or dies costs one page."""

import asyncio
import errno
import os
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict

import numpy as np
import pytest
from hostile_web import reading_processes

from crawler.ports import Conditions, Fetched, Outcome
from crawler.sandbox import sandboxed_reading
from crawler.sandbox.sandboxed_reading import ReadingSource
from ontology.lexicon.lexicon import Lexicon, Sense, Word
from ontology.topic import Topic
from semantic.analyst import Analyst
from semantic.frame import Frame
from semantic.parsing.page_reader import read_page
from semantic.reasons import PageError
from semantic.strategies.strategy_table import build_understanding

ISOLATED = True

HTML = {"content-type": "text/html; charset=utf-8"}
BODIES = {
    "http://a.org/one": (HTML, "<title>冰晶</title><p>ice <a href=/two>two</a>".encode()),
    "http://a.org/two": (HTML, b"<p>snow"),
    "http://a.org/data": ({"content-type": "application/json"}, b"{}"),
    "http://a.org/robots.txt": ({"content-type": "text/html"}, b"<p>no robots"),
    "http://a.org/binary": (HTML, b"\x00" * 100),
    "http://a.org/large": (HTML, b"<p>ice <a href=/x>x</a>" * 150_000),
}


class Recorded:
    """Answers from BODIES."""

    closed = False

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        headers, body = BODIES[url]
        return Fetched(url, 200, headers, body)

    async def close(self) -> None:
        self.closed = True


Work = Callable[[ReadingSource], Awaitable[None]]


def with_source(work: Work, seconds: float = 60, wait: float = 60, analyst: Analyst | None = None) -> None:
    async def run() -> None:
        source = ReadingSource(Recorded(), seconds, wait)
        source.analyst = analyst
        try:
            await work(source)
        finally:
            await source.close()

    asyncio.run(run())


def taken(source: ReadingSource, url: str) -> object:
    headers, body = BODIES[url]
    return source.read(body, url, headers)


def test_too_many_open_files_delay_the_process_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the second of its pipes cannot be opened; the first is closed again."""
    left, pipe = [1, 0, 3, *[100] * 20], os.pipe  # pipes that may be opened, in one try after another

    def limited() -> tuple[int, int]:
        left[0] -= 1
        if left[0] < 0:
            del left[0]
            raise OSError(errno.EMFILE, "too many open files")
        return pipe()

    async def work(source: ReadingSource) -> None:
        before = len(os.listdir("/dev/fd"))
        monkeypatch.setattr(sandboxed_reading, "FILES_SECONDS", 0)
        monkeypatch.setattr(os, "pipe", limited)
        source.begin()
        assert len(os.listdir("/dev/fd")) == before
        await source.fetch("http://a.org/one")
        assert taken(source, "http://a.org/one") == read_page(BODIES["http://a.org/one"][1], "http://a.org/one", HTML)

    with_source(work)


def child() -> int:
    (found,) = reading_processes()
    return found


def test_pages_are_those_that_the_reader_itself_gives():
    async def work(source: ReadingSource) -> None:
        await asyncio.gather(*map(source.fetch, BODIES.keys() - {"http://a.org/large"}))
        for url in ("http://a.org/one", "http://a.org/two"):
            headers, body = BODIES[url]
            assert taken(source, url) == read_page(body, url, headers)
        with pytest.raises(PageError, match="is not text"):
            taken(source, "http://a.org/binary")
        assert not any(map(source.taken, BODIES)), "what is no page was read, or a page was kept"

    with_source(work)


def test_large_bodies_are_asked_for_a_few_at_a_time():
    asked: list[str] = []

    class Large(Recorded):
        async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
            asked.append(url)
            return Fetched(url, 200, HTML, b"<p>snow" + b" " * 9_000_000)

    async def run() -> None:
        source = ReadingSource(Large())
        tasks = [asyncio.create_task(source.fetch(f"http://a.org/{number}")) for number in range(8)]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        begun = len(asked)
        answers = await asyncio.gather(*tasks)
        await source.close()
        assert begun < 5
        assert len(asked) == 8
        assert {len(answer.body) for answer in answers} == {0}

    asyncio.run(run())


@pytest.mark.parametrize("strategy", ["", "fused"])
def test_after_a_page_that_takes_too_long_comes_the_next(strategy: str) -> None:
    """Also where an analyst takes part of the time."""

    async def work(source: ReadingSource) -> None:
        await asyncio.gather(*map(source.fetch, ("http://a.org/large", "http://a.org/one")))
        with pytest.raises(PageError, match=r"more than 0\.1 seconds of processor time"):
            taken(source, "http://a.org/large")
        assert taken(source, "http://a.org/one").title == "冰晶"

    analyst = build_understanding(strategy, TOPIC, LEXICON).analyst if strategy else None
    with_source(work, seconds=0.1, analyst=analyst)


def test_a_process_that_hangs_or_dies_costs_one_page():
    async def work(source: ReadingSource) -> None:
        await source.fetch("http://a.org/one", robots=True)  # as a robots.txt that has moved to a page
        assert (source.taken("http://a.org/one"), reading_processes()) == (None, [])
        await source.fetch("http://a.org/one")
        os.kill(child(), signal.SIGSTOP)
        await source.fetch("http://a.org/two")
        with pytest.raises(PageError, match="no answer"):
            taken(source, "http://a.org/two")
        await source.fetch("http://a.org/one")
        os.kill(child(), signal.SIGSTOP)
        asked = [asyncio.create_task(source.fetch(url)) for url in ("http://a.org/two", "http://a.org/one")]
        await asyncio.sleep(0.1)
        os.kill(child(), signal.SIGKILL)
        await asyncio.gather(*asked)
        with pytest.raises(PageError, match="broke off"):
            taken(source, "http://a.org/two")
        assert taken(source, "http://a.org/one").title == "冰晶"

    with_source(work, wait=2)


def test_the_process_ends_with_the_source():
    web = Recorded()

    async def run() -> int:
        source = ReadingSource(web)
        await source.fetch("http://a.org/one")
        reading = child()
        await source.close()
        return reading

    reading = asyncio.run(run())
    assert web.closed
    with pytest.raises(ProcessLookupError):
        os.kill(reading, 0)


def test_closing_ends_reading_while_an_answer_comes(monkeypatch) -> None:
    """The cancellation comes between the answer and its reader; `asyncio.wait_for` of Python 3.11 lost it."""
    received, closing = asyncio.StreamReader.readexactly, list[asyncio.Task[None]]()
    source = ReadingSource(Recorded())

    async def received_and_closed(stream: asyncio.StreamReader, size: int) -> bytes:
        answer = await received(stream, size)
        if b"closing begins" in answer:
            closing.append(asyncio.create_task(source.close()))
        return answer

    async def work() -> None:
        await source.fetch("http://a.org/one")
        reading = asyncio.create_task(source.fetch("http://a.org/closing"))
        while not closing:
            await asyncio.sleep(0.01)
        async with asyncio.timeout(60):
            await closing[0]
        reading.cancel()

    monkeypatch.setitem(BODIES, "http://a.org/closing", (HTML, b"<p>closing begins"))
    monkeypatch.setattr(asyncio.StreamReader, "readexactly", received_and_closed)
    asyncio.run(work())
    assert reading_processes() == []


def test_an_answer_not_read_before_is_read_when_asked_for():
    assert ReadingSource(Recorded()).read(b"<p>ice", "http://a.org/", HTML).text == "ice"


def test_a_process_begun_early_reads_the_first_page_or_ends() -> None:
    before = set(reading_processes())
    source = ReadingSource(Recorded())
    source.begin()
    while not (begun := set(reading_processes()) - before):
        time.sleep(0.01)  # a process that has just been started has no command line yet

    async def work() -> None:
        await source.fetch("http://a.org/one")
        assert taken(source, "http://a.org/one").title == "冰晶"
        assert set(reading_processes()) - before == begun
        await source.close()

    asyncio.run(work())
    unused = ReadingSource(Recorded())
    unused.begin()
    asyncio.run(unused.close())
    assert set(reading_processes()) == before


TOPIC = Topic(None, "ice", {"ice": 1.0}, {})
LEXICON = Lexicon((Word("ice", "en", (Sense("ice", 0, (("ice", 0),)),)),), {"ice": (0,)})


@pytest.mark.parametrize(("strategy", "with_page"), [("fused", False), ("ontology", True)])
def test_with_an_analyst_frames_are_made_there(strategy: str, with_page: bool) -> None:
    analyst = build_understanding(strategy, TOPIC, LEXICON).analyst

    async def work(source: ReadingSource) -> None:
        for url in ("http://a.org/one", "http://a.org/two"):
            headers, body = BODIES[url]
            await source.fetch(url)
            frame = taken(source, url)
            assert isinstance(frame, Frame)
            np.testing.assert_equal(asdict(frame), asdict(analyst.frame(read_page(body, url, headers))))
            assert (frame.page is not None) == with_page
        await source.fetch("http://a.org/binary")
        with pytest.raises(PageError, match="is not text"):
            taken(source, "http://a.org/binary")

    with_source(work, analyst=analyst)
