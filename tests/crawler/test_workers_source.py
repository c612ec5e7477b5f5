"""Requests divided over workers: which one gets an address, and what happens where one dies."""

import asyncio
import pickle
import re
from collections import Counter
from dataclasses import replace

import pytest
from frames_at_hand import ANALYST, NO_TABLE

from cli.crawling.crawl import noted
from crawler.cluster import workers_source
from crawler.cluster.ray_actors import STATES, SUMS, TAGS
from crawler.cluster.worker import Worker
from crawler.cluster.workers_source import DEATHS, MORE, WorkerAway, WorkersSource
from crawler.engine.crawl_records import Progress
from crawler.ports import Conditions, Failed, Fetched, Outcome, Refused
from ontology.errors import CrawlBroken, SettingsError
from semantic.languages.page_meaning import PageMeaning
from semantic.languages.sentence_encoder import UniversalSentenceEncoder

HTML = {"content-type": "text/html; charset=utf-8"}
URLS = [f"http://host{number}.org/" for number in range(20)]


class Web:
    """Answers every address with a page of its own."""

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        return Fetched(url, 200, HTML, f"<p>{url}".encode())

    async def close(self) -> None:
        pass


class Board:
    """Takes figures as Ray's metrics do. `sums`: also by the tags."""

    def __init__(self) -> None:
        self.sums: Counter[tuple[str, ...]] = Counter()
        self.states: dict[str, list[float]] = {name: [] for name in STATES}

    def count(self, name: str, by: float = 1.0, **tags: str) -> None:
        assert name in SUMS
        assert set(tags) == set(TAGS.get(name, ()))
        self.sums[name, *tags.values()] += by

    def show(self, name: str, value: float) -> None:
        self.states[name].append(value)


class Fakes:
    """Workers in this process, with their `boards`. `dead`: those that do not answer. `asked`: who was asked for which
    address.
    """

    def __init__(self, size: int, dead: set[int] | None = None) -> None:
        self.size = size
        self.dead = dead or set()
        self.asked: list[tuple[int, str]] = []
        self.prepared: Counter[int] = Counter()
        self.gate = asyncio.Event()
        self.gate.set()
        self.room, self.refusal = 0, ""
        self.boards = [Board() for _ in range(size)]
        self._workers = [Worker(Web, lambda board=board: board) for board in self.boards]

    async def ask(self, number: int, method: str, *args):
        if method == "fetch":
            self.asked.append((number, args[1]))
        self.prepared[number] += method == "prepare"
        await self.gate.wait()
        if number in self.dead:
            raise WorkerAway("dead")
        return await getattr(self._workers[number], method)(*pickle.loads(pickle.dumps(args)))

    async def grow(self) -> None:
        if self.refusal:
            raise SettingsError(self.refusal)
        self._workers += [Worker(Web, Board) for _ in range(self.room)]
        self.size, self.room = len(self._workers), 0

    def begin_again(self, number: int) -> None:
        self._workers[number] = Worker(Web, Board)
        self.dead.discard(number)

    async def close(self) -> None:
        for worker in self._workers:
            await worker.close()


def with_workers(fakes, work, told=None):
    async def run():
        source = WorkersSource(fakes, (told if told is not None else []).append)
        try:
            return await work(source)
        finally:
            await source.close()

    return asyncio.run(run())


def test_pages_come_read_and_their_bodies_stay_away():
    """The body of a robots.txt comes. A worker is given its analyst again where it forgot it, and when it changes."""
    fakes = Fakes(1)

    async def work(source):
        outcome = await source.fetch(URLS[0])
        page = source.read(b"", URLS[0], HTML)
        fakes.begin_again(0)
        rules = await source.fetch(URLS[0], robots=True)
        await source.rest()
        await source.fetch(URLS[1])
        return outcome, page, rules

    outcome, page, rules = with_workers(fakes, work)
    assert (outcome.status, outcome.body, page.text) == (200, b"", URLS[0])
    assert rules.body == f"<p>{URLS[0]}".encode()
    assert fakes.prepared == {0: 3}


def test_a_domain_stays_with_its_worker():
    fakes = Fakes(3)
    several = ["http://a.one.org/", "http://b.one.org/", "https://one.org/x"]

    async def work(source):
        for url in several + URLS:
            await source.fetch(url)

    with_workers(fakes, work)
    of = {url: number for number, url in fakes.asked}
    assert len({of[url] for url in several}) == 1
    assert set(of.values()) == {0, 1, 2}


def test_a_busy_worker_leaves_its_domain_to_others():
    fakes = Fakes(2)

    async def work(source):
        await source.fetch("http://one.org/")
        fakes.gate.clear()
        fetches = [asyncio.create_task(source.fetch(f"http://one.org/{n}")) for n in range(3 * MORE)]
        await asyncio.sleep(0)
        fakes.gate.set()
        await asyncio.gather(*fetches)

    with_workers(fakes, work)
    by_worker = Counter(number for number, _ in fakes.asked)
    assert min(by_worker.values()) >= MORE


def test_requests_of_a_dead_worker_go_to_another():
    """Also those of the first, which shows the crawl's figures."""
    fakes, told = Fakes(2, {0}), []

    async def work(source):
        source.note(noted(Progress(pages=1)))
        return await asyncio.gather(*map(source.fetch, URLS))

    outcomes = with_workers(fakes, work, told)
    assert [outcome.url for outcome in outcomes] == URLS
    assert len(told) == 1, "it is said once, not for each request"
    assert fakes.boards[0].states["crawl_pages"] == []


def test_a_worker_that_comes_back_is_prepared_anew(monkeypatch):
    monkeypatch.setattr(workers_source, "AGAIN_SECONDS", 0.01)
    fakes, told = Fakes(2), []

    async def work(source):
        await asyncio.gather(*map(source.fetch, URLS))
        fakes.dead.add(0)
        await asyncio.gather(*map(source.fetch, URLS))
        fakes.begin_again(0)
        while len(told) < 2:
            await asyncio.sleep(0.01)
        fakes.asked.clear()
        await asyncio.gather(*map(source.fetch, URLS))

    with_workers(fakes, work, told)
    assert {number for number, _ in fakes.asked} == {0, 1}
    assert fakes.prepared[0] == 2


def test_without_any_worker_the_crawl_ends(monkeypatch):
    monkeypatch.setattr(workers_source, "AWAY_SECONDS", 0.05)
    with pytest.raises(CrawlBroken):
        with_workers(Fakes(2, {0, 1}), lambda source: source.fetch(URLS[0]))


def test_an_address_that_kills_its_workers_fails(monkeypatch):
    monkeypatch.setattr(workers_source, "AGAIN_SECONDS", 0.001)
    fakes = Fakes(2)
    ask = fakes.ask

    async def deadly(number, method, *args):
        answer = await ask(number, method, *args)
        if method == "fetch":
            raise WorkerAway("killed by the page")
        return answer

    fakes.ask = deadly
    outcome = with_workers(fakes, lambda source: source.fetch(URLS[0]))
    assert (type(outcome), len(fakes.asked)) == (Failed, DEATHS)


def test_workers_that_join_get_requests_and_refusals_are_told_once(monkeypatch):
    monkeypatch.setattr(workers_source, "JOIN_SECONDS", 0.01)
    fakes, told = Fakes(1), []

    async def work(source):
        await source.fetch(URLS[0])
        fakes.refusal = "another version"
        await asyncio.sleep(0.1)
        fakes.refusal, fakes.room = "", 2
        while source.workers < 3:
            await asyncio.sleep(0.01)
        await asyncio.gather(*map(source.fetch, URLS))

    with_workers(fakes, work, told)
    assert {number for number, _ in fakes.asked} == {0, 1, 2}
    refused, joined = told
    assert refused.endswith(": another version")
    assert re.findall(r"\d+", joined) == ["2", "3"]


def test_the_first_worker_shows_the_crawl_s_figures(monkeypatch):
    monkeypatch.setattr(workers_source, "SHOW_SECONDS", 1000.0)
    fakes = Fakes(2)

    async def work(source):
        await asyncio.gather(*map(source.fetch, URLS))
        for pages in (20, 21):  # the second at once after the first
            source.note(noted(Progress(pages=pages, queued=5)))
            await asyncio.sleep(0.01)

    with_workers(fakes, work)
    first, second = (board.states for board in fakes.boards)
    assert [first["crawl_pages"], first["crawl_waiting_links"]] == [[20], [5]]
    assert second["crawl_pages"] == []
    assert set(noted(Progress())) | {"requests_under_way"} == set(STATES)


ANSWERS = {
    "http://a.org/": Fetched("http://a.org/", 200, HTML, b"<p>tea</p>", 2.0),
    "http://a.org/robots.txt": Fetched("http://a.org/robots.txt", 404, {}, b"none", 1.0),
    "http://b.org/": Failed("http://b.org/", "timeout", seconds=30.0),
    "http://c.org/": Refused("http://c.org/", "private"),
}


class Recorded(Web):
    """Answers as recorded in `ANSWERS`."""

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        return ANSWERS[url]


def test_a_worker_without_the_crawls_encoder_says_so(monkeypatch):
    monkeypatch.setattr("crawler.cluster.worker.find_encoder", lambda: None)
    meaning = PageMeaning({}, {}, Counter(), UniversalSentenceEncoder())
    analyst = replace(ANALYST, table=replace(NO_TABLE, features=()), meaning=meaning)
    worker = Worker(Recorded, Board)
    with pytest.raises(SettingsError, match="by meaning"):
        asyncio.run(worker.prepare(1, pickle.dumps(analyst)))


def test_a_worker_counts_its_answers_their_bytes_and_seconds():
    board = Board()

    async def work():
        worker = Worker(Recorded, lambda: board)
        await worker.prepare(1, pickle.dumps(None))
        for url in ANSWERS:
            await worker.fetch(1, url, (), url.endswith("robots.txt"))
        await worker.close()

    asyncio.run(work())
    assert board.sums.pop(("reading_seconds",)) >= 0
    assert board.sums == {
        ("answers", "page", "2xx"): 1,
        ("answers", "other", "4xx"): 1,
        ("answers", "failed", "timeout"): 1,
        ("answers", "refused", ""): 1,
        ("received_bytes",): 14,
        ("request_seconds",): 33.0,
    }
    assert board.states["requests_under_way"] == [0, *[1, 0] * 4]
