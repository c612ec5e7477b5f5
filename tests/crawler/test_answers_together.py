"""Answers that come together: every address ends once, and nothing is queued that has just ended."""

import asyncio
from collections.abc import Sequence

import pytest
from crawl_fakes import STAMP, FakeStore, FakeUnderstanding, FakeWeb, Run, failed, html, moved, robots, run, start

from crawler.engine import admission
from crawler.engine.actions import Fetch, Limits
from crawler.engine.driver import AT_ONCE, crawl
from crawler.ports import Fetched, Outcome
from semantic.reasons import PageError, Reason
from semantic.records import JudgedRecord
from semantic.understanding import Answer, Understood

EIGHT = Limits(max_pages=1000, delay=0.0, connections=8, per_host=8)
SAME = "all the same words " * 50


@pytest.fixture(autouse=True)
def begin_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All connections are open from the first request on."""
    monkeypatch.setattr(admission, "BEGINNING", 1)


class Counting(FakeUnderstanding):
    """Notes the addresses of each batch, and when it is asked what is said anew."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []
        self.heard: list[list[str]] = []

    def understand(self, answers: Sequence[Answer]) -> list[Understood | PageError]:
        self.batches.append([url for _, url, _ in answers])
        return super().understand(answers)

    def miss(self, urls: Sequence[str]) -> None:
        self.heard.append(list(urls))
        super().miss(urls)


def received(*outcomes: Outcome, limits: Limits = EIGHT) -> tuple[FakeStore, Counting, list[str]]:
    """What is saved of seeds whose answers come together, and what is then started."""
    store, understanding = FakeStore(*(outcome.url for outcome in outcomes)), Counting()
    session = start(store, limits, understanding=understanding)
    first = session.next_action(0.0)
    assert isinstance(first, Fetch)
    session.receive([(first, robots("http://a", ""))], 0.0, STAMP)
    answers = {outcome.url: outcome for outcome in outcomes}
    fetches = [session.next_action(0.0) for _ in outcomes]
    session.receive([(fetch, answers[fetch.url]) for fetch in fetches if isinstance(fetch, Fetch)], 0.0, STAMP)
    store.save(session.take_batch())
    started = []
    while isinstance(action := session.next_action(0.0), Fetch):
        started.append(action.url)
    return store, understanding, started


def test_every_address_of_a_batch_ends_in_its_own_way() -> None:
    store, understanding, started = received(
        html("http://a/0", {"http://a/new": 0.9}),
        Fetched("http://a/1", 404, {}, b""),
        moved("http://a/2", "http://a/elsewhere"),
        Fetched("http://a/3", 200, {"content-type": "text/html"}, b"no page"),
        Fetched("http://a/4", 200, {"content-type": "image/png"}, b""),
        html("http://a/5"),
        limits=Limits(max_pages=1000, delay=0.0, connections=6, per_host=6),
    )
    pages = [store.pages[f"http://a/{n}"] for n in range(6)]
    assert [page.status for page in pages] == ["fetched", "failed", "redirected", "failed", "failed", "fetched"]
    assert [page.reasons[0].kind for page in pages if page.status == "failed"] == ["http", "no page", "not HTML"]
    assert [page.order for page in pages if page.status == "fetched"] == [1, 2]
    assert (store.counters.pages, store.counters.errors) == (2, 3)
    assert understanding.batches == [["http://a/0", "http://a/3", "http://a/5"]]
    assert understanding.heard == [["http://a/1", "http://a/4"], ["http://a/3"]]
    assert sorted(started) == ["http://a/elsewhere", "http://a/new"]


def test_no_address_is_queued_that_has_just_ended() -> None:
    every = {f"http://a/{n}": 0.9 for n in range(4)} | {"http://a/new": 0.5}
    store, _, started = received(
        html("http://a/0", every),
        html("http://a/1", every),
        failed("http://a/2", "tls"),
        moved("http://a/3", "http://a/0"),
    )
    assert store.pages.keys() == {f"http://a/{n}" for n in range(4)}
    assert [found.url for page in store.pages.values() for found in page.queued] == ["http://a/new"]
    assert (list(store.queue), started) == (["http://a/new"], ["http://a/new"])


def test_copies_of_each_other_that_come_together_are_counted() -> None:
    store, understanding, _ = received(*(html(f"http://a/{n}", text=SAME) for n in range(4)))
    assert (store.counters.pages, store.counters.copies) == (1, 3)
    own, *copies = sorted(store.pages.values(), key=lambda page: page.copy_of or "")
    assert {page.copy_of for page in copies} == {own.url}
    assert set(understanding.withdrawn) == {page.url for page in copies}
    assert understanding.heard == [[page.url for page in copies]]


def test_a_better_copy_of_the_same_batch_takes_the_place() -> None:
    """The first names the other as its own address."""
    store, understanding, _ = received(
        html("http://a/0", text=SAME, canonical="http://a/1"), html("http://a/1", text=SAME, canonical="http://a/1")
    )
    assert (store.counters.pages, store.counters.copies) == (1, 1)
    assert store.pages["http://a/0"].copy_of == "http://a/1"
    assert understanding.withdrawn == ["http://a/0"]


def test_news_of_a_page_of_the_same_batch_count() -> None:
    class Second(Counting):
        def understand(self, answers: Sequence[Answer]) -> list[Understood | PageError]:
            anew = JudgedRecord("http://a/0", 0.2, False, (Reason("other evidence"),), ())
            self.news = [anew] if len(answers) > 1 else []
            return super().understand(answers)

    web = FakeWeb(html("http://a/0", relevance=0.9), html("http://a/1", relevance=0.9))
    store = FakeStore("http://a/0", "http://a/1")
    done = Run(start(store, EIGHT, understanding=Second()), web, store=store, at_once=8).steps()
    store.save(done.session.take_batch())
    assert (store.pages["http://a/0"].relevance, store.counters.on_topic) == (0.2, 1)


@pytest.mark.parametrize("at_once", [2, 3, 8])
def test_a_web_is_fetched_whole_however_answers_come(at_once: int) -> None:
    def web() -> FakeWeb:
        return FakeWeb(
            *[html(f"http://a/{n}", {f"http://a/{(3 * n + k) % 90}": 0.5 for k in range(4)}) for n in range(90)]
        )

    (_, one_by_one), (crawl, store) = (run(web(), "http://a/1", limits=EIGHT, at_once=n) for n in (1, at_once))
    assert crawl.ended == "queue-empty"
    assert store.pages.keys() == one_by_one.pages.keys()
    assert {page.order for page in store.pages.values()} == set(range(1, len(store.pages) + 1))
    assert not store.queue


def test_never_more_pages_come_together_than_are_wanted() -> None:
    web = FakeWeb(*[html(f"http://a/{n}", {f"http://a/{k}": 0.5 for k in range(50)}) for n in range(50)])
    _, store = run(web, "http://a/0", limits=Limits(max_pages=11, delay=0.0, connections=8, per_host=8), at_once=8)
    assert store.counters.pages == len(store.pages) == 11


def test_the_driver_receives_answers_that_wait_together() -> None:
    web = FakeWeb(*[html(f"http://a/{n}", {f"http://a/{k}": 0.5 for k in range(100)}) for n in range(100)])
    store, understanding = FakeStore("http://a/0"), Counting()
    many = Limits(max_pages=1000, delay=0.0, connections=4 * AT_ONCE, per_host=4 * AT_ONCE)
    asyncio.run(crawl(start(store, many, understanding=understanding), web, store, lambda _: None))
    assert max(map(len, understanding.batches)) == AT_ONCE
    assert sorted(url for batch in understanding.batches for url in batch) == sorted(store.pages)
    assert store.counters.pages == 100
