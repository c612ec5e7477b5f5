"""The asyncio loop around the session: starts, saves, stops; with fakes on both sides."""

import asyncio
import threading
import time
from dataclasses import replace

import pytest
from crawl_fakes import FakeStore, FakeUnderstanding, FakeWeb, html, run, start

from crawler.engine import admission
from crawler.engine.actions import MANY, Limits
from crawler.engine.crawl_records import Progress
from crawler.engine.driver import AT_ONCE, CHANGED, crawl
from crawler.ports import Conditions, Outcome
from ontology.errors import StoreError
from semantic.records import Batch, LinkGraph

FAST = Limits(max_pages=10_000, delay=0.0, connections=8, per_host=8)


def web(pages: int, links: int = 3) -> FakeWeb:
    of = [{f"http://a/{(n * links + k) % pages}": 0.5 for k in range(1, links + 1)} for n in range(pages)]
    return FakeWeb(*[html(f"http://a/{n}", found) for n, found in enumerate(of)])


class SlowWeb(FakeWeb):
    """Answers after a pause, as another web does; `open` counts what is under way."""

    open = most = 0

    def __init__(self, *answers: Outcome, like: FakeWeb | None = None) -> None:
        super().__init__(*answers)
        self.answers |= like.answers if like else {}

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            await asyncio.sleep(30 if "slow" in url else 0.001)
        finally:
            self.open -= 1
        return self.answer(url)


class SlowStore(FakeStore):
    """Takes its time, and notes that it is never called twice at once nor from the loop's thread."""

    def __init__(self, *seeds: str, seconds: float = 0.0) -> None:
        super().__init__(*seeds)
        self.seconds = seconds
        self.busy = threading.Lock()
        self.threads: set[int] = set()

    def save(self, batch: Batch) -> None:
        assert self.busy.acquire(blocking=False)
        self.threads.add(threading.get_ident())
        time.sleep(self.seconds)
        super().save(batch)
        self.busy.release()


def ignore(progress: Progress) -> None:
    pass


@pytest.fixture(autouse=True)
def begin_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The webs of these tests are smaller than the beginning of a crawl."""
    monkeypatch.setattr(admission, "BEGINNING", 50)


def test_a_finished_crawl_is_saved_whole_in_several_batches() -> None:
    store = SlowStore("http://a/0", seconds=0.01)
    seen: list[Progress] = []
    source = SlowWeb(like=web(200))
    progress = asyncio.run(crawl(start(store, FAST), source, store, seen.append))
    _, whole = run(web(200), "http://a/0", limits=Limits(max_pages=10_000, delay=0.0))
    assert store.pages.keys() == whole.pages.keys()
    assert store.counters.pages == progress.pages == len(whole.pages)
    assert len(store.batches) >= 2
    assert len(store.threads) == 1
    assert threading.get_ident() not in store.threads
    assert progress.stopped == "queue-empty"
    assert seen[-1] == progress
    assert source.most == 8


@pytest.mark.parametrize(("bound", "most", "pages"), [("BACKLOG_LINKS", 100, 10), ("BACKLOG_PAGES", 7, 7)])
def test_the_store_s_backlog_is_bounded(monkeypatch: pytest.MonkeyPatch, bound: str, most: int, pages: int) -> None:
    monkeypatch.setattr(f"crawler.engine.driver.{bound}", most)
    monkeypatch.setattr("crawler.engine.driver.SAVE_PAGES", 2)
    store = SlowStore("http://a/0", seconds=0.05)
    asyncio.run(crawl(start(store, FAST), web(300, 10), store, ignore))
    assert len(store.pages) == 300
    largest = max(len(batch.pages) for batch in store.batches)  # of 10 links each
    assert largest <= pages + AT_ONCE  # those that came together when the bound was not passed yet


def test_few_connections_wait_for_the_link_graph_of_all_saved() -> None:
    class Watched(SlowStore):
        def link_graph(self, most: int = 0) -> LinkGraph:
            assert self.busy.acquire(blocking=False)
            self.threads.add(threading.get_ident())
            self.saved = list(self.pages)
            self.busy.release()
            return LinkGraph(("http://a/3", "http://a/2"), (), frozenset(), frozenset())

    source = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.1}), html("http://a/1", graph=True)
    )
    store = Watched("http://a/", seconds=0.01)
    asyncio.run(crawl(start(store, Limits(max_pages=9, delay=0.0, connections=1)), source, store, ignore))
    assert store.saved == ["http://a/", "http://a/1"]
    assert source.asked[1:] == ["http://a/", "http://a/1", "http://a/3", "http://a/2"]
    assert len(store.threads) == 2  # saving, and reading the graph


def test_many_connections_do_not_wait_for_the_link_graph() -> None:
    late = threading.Event()

    class WaitingStore(FakeStore):
        def link_graph(self, most: int = 0) -> LinkGraph:
            assert late.wait(20)
            return super().link_graph()

    class Web(SlowWeb):
        async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
            if url == "http://a/late":  # is fetched after the graph was asked for, and answered when it has come
                late.set()
                while not understanding.graphs:
                    await asyncio.sleep(0.01)
            return await super().fetch(url, conditions, robots=robots)

    links = {f"http://a/{n}": 0.5 - n / 1000 for n in range(3 * MANY)} | {"http://a/late": 0.1}
    source, store = Web(html("http://a/", links), html("http://a/0", graph=True)), WaitingStore("http://a/")
    understanding = FakeUnderstanding()
    session = start(store, replace(FAST, connections=2 * MANY, per_host=2 * MANY), understanding=understanding)
    asyncio.run(crawl(session, source, store, ignore))
    assert source.asked[-1] == "http://a/late"
    assert understanding.graphs == [store.graph]


@pytest.mark.parametrize("connections", [4, 2 * MANY])
def test_a_stop_does_not_wait_for_the_link_graph(connections: int) -> None:
    end, stop, waited = threading.Event(), threading.Event(), list[bool]()

    class WaitingStore(FakeStore):
        def link_graph(self, most: int = 0) -> LinkGraph:
            stop.set()
            waited.append(end.wait(20))
            raise StoreError("closed")

    links = {f"http://a/{n}": 0.5 - n / 1000 for n in range(3 * MANY)}
    source, store = SlowWeb(html("http://a/", links), html("http://a/0", graph=True)), WaitingStore("http://a/")
    session = start(store, replace(FAST, connections=connections, per_host=connections))
    progress = asyncio.run(crawl(session, source, store, ignore, stop))
    assert progress.stopped == "interrupted"
    assert waited == []
    end.set()


def test_memory_is_cleared_up_between_copies_of_what_was_learned(monkeypatch) -> None:
    cleared: list[int] = []
    monkeypatch.setattr("crawler.engine.driver.COLLECT_PAGES", 100)
    monkeypatch.setattr("crawler.engine.driver.collect", lambda: cleared.append(1))
    store = FakeStore("http://a/0")
    asyncio.run(crawl(start(store, FAST), SlowWeb(like=web(600)), store, ignore))
    assert 4 <= len(cleared) <= 6


def test_a_stop_ends_in_order_and_saves_what_was_received() -> None:
    answers = [html("http://a/0", {f"http://{n}/slow": 0.5 for n in range(20)} | {"http://b/": 0.9}), html("http://b/")]
    source, store, stop = SlowWeb(*answers), FakeStore("http://a/0"), threading.Event()

    async def go() -> Progress:
        asyncio.get_running_loop().call_later(0.5, stop.set)
        return await crawl(start(store, FAST), source, store, ignore, stop)

    progress = asyncio.run(go())
    assert progress.stopped == "interrupted"
    assert [url for url, page in store.pages.items() if page.status == "fetched"] == ["http://a/0", "http://b/"]
    assert len(store.queue) == 20
    assert store.memory == b"2"
    assert (store.batches[-1].pages, store.batches[-1].memory) == ((), b"2")  # pages before what was learned
    assert source.open == 0


def test_cancelling_saves_too() -> None:
    async def cancelled() -> None:
        source = SlowWeb(html("http://a/0", {"http://b/slow": 0.5}))
        task = asyncio.create_task(crawl(start(store, FAST), source, store, ignore))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    store = SlowStore("http://a/0", seconds=0.2)
    asyncio.run(cancelled())
    assert store.pages["http://a/0"].status == "fetched"
    assert list(store.queue) == ["http://b/slow"]


def test_during_a_long_save_nothing_is_fetched_and_figures_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crawler.engine.driver.SAVE_PAGES", 2)
    monkeypatch.setattr("crawler.engine.driver.SLOW_SECONDS", 0.05)
    monkeypatch.setattr("crawler.engine.driver.OBSERVE_SECONDS", 0.05)
    asked: list[int] = []

    class Away(FakeStore):
        def save(self, batch: Batch) -> None:
            if len(self.batches) == 1:
                while len(asked) < 20 or asked[-1] > asked[-5]:
                    time.sleep(0.05)
                assert len(source.asked) < 400
            super().save(batch)

    source, store = SlowWeb(like=web(400)), Away("http://a/0")
    progress = asyncio.run(crawl(start(store, FAST), source, store, lambda _: asked.append(len(source.asked))))
    assert progress.stopped == "queue-empty"
    assert len(store.pages) == 400
    assert len(source.asked) == len(set(source.asked))


def test_a_crawl_asked_to_end_takes_the_answers_under_way() -> None:
    source, store = SlowWeb(like=web(400)), FakeStore("http://a/0")
    progress = asyncio.run(crawl(start(store, FAST), source, store, ignore, between=lambda: len(source.asked) > 100))
    assert progress.stopped == CHANGED
    assert source.most == 8
    assert 100 < progress.requests == len(source.asked) < 400
    assert progress.pages == len([page for page in store.pages.values() if page.status == "fetched"])
    assert set(source.asked) - {"http://a/robots.txt"} == store.pages.keys()


def test_a_bug_is_raised_after_saving() -> None:
    class Broken(FakeWeb):
        async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
            if url == "http://b/":
                raise RuntimeError("a bug")
            return self.answer(url)

    store = FakeStore("http://a/0")
    source = Broken(html("http://a/0", {"http://b/": 0.5}))
    with pytest.raises(RuntimeError, match="a bug"):
        asyncio.run(crawl(start(store, FAST), source, store, ignore))
    assert store.pages["http://a/0"].status == "fetched"


def test_nothing_is_saved_after_a_save_that_failed() -> None:
    class Full(FakeStore):
        calls = 0

        def save(self, batch: Batch) -> None:
            self.calls += 1
            raise StoreError("disk full", "make room")

    store = Full("http://a/0")
    with pytest.raises(StoreError, match="disk full"):
        asyncio.run(crawl(start(store, FAST), web(200), store, ignore))
    assert store.calls == 1
