"""Of a long queue only a part is in memory, and the crawl goes on as if all of it were."""

import random

import pytest
from crawl_fakes import FakeUnderstanding, FakeWeb, Run, failed, html
from records_at_hand import CRAWL

from crawler.engine.actions import Limits
from crawler.engine.session import Session
from crawler.engine.steering import Steering
from graphdb.record.sqlite_store import SqliteStore, open_record
from semantic.records import Batch, QueuedRecord

ONE_BY_ONE = Limits(max_pages=1000, delay=0.0, connections=1)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 20 links are held, 4 of one host."""
    for name, number in {"NEAR": 10, "MOST": 20, "PER_HOST": 4, "APART": 0}.items():
        monkeypatch.setattr(f"crawler.frontier.queue_tail.{name}", number)


def begun(store: SqliteStore, limits: Limits = ONE_BY_ONE, steering: Steering | None = None) -> Session:
    resumed = store.open_crawl(CRAWL, [], [QueuedRecord("http://h0/0", 10.0, 0, found=1)])
    known = store.known()
    return Session(FakeUnderstanding(), limits, resumed, store.queued(), known, store=store, steering=steering)


def waiting(store: SqliteStore) -> dict[str, QueuedRecord]:
    return {record.url: record for record in store.waiting()}


def web(chance: random.Random) -> FakeWeb:
    urls = [f"http://h{n and chance.randrange(12)}/{n}" for n in range(300)]
    return FakeWeb(*(html(url, {chance.choice(urls): round(chance.random(), 2) for _ in range(8)}) for url in urls))


def crawled(limits: Limits, seed: int) -> tuple[Run, SqliteStore]:
    store = open_record(":memory:")
    crawl = Run(begun(store, limits), web(random.Random(seed)), store=store).steps()
    store.save(crawl.session.take_batch())
    return crawl, store


@pytest.mark.parametrize("seed", range(5))
def test_pages_come_in_the_order_of_the_whole_queue(seed: int, request: pytest.FixtureRequest) -> None:
    whole, _ = crawled(ONE_BY_ONE, seed)
    request.getfixturevalue("short")
    part, store = crawled(ONE_BY_ONE, seed)
    assert part.pages == whole.pages
    assert (part.ended, waiting(store)) == ("queue-empty", {})


@pytest.mark.parametrize("seed", range(5))
def test_several_hosts_are_asked_as_fast_as_ever(seed: int, request: pytest.FixtureRequest) -> None:
    limits = Limits(max_pages=1000, delay=1.0, connections=8, patience=0.9)
    whole, _ = crawled(limits, seed)
    request.getfixturevalue("short")
    part, _ = crawled(limits, seed)
    assert set(part.pages) == set(whole.pages)
    assert part.now < 1.1 * whole.now


def seeded(links: int, *, hosts: int = 50) -> tuple[SqliteStore, dict[str, float]]:
    """A record in which so many links wait."""
    store = open_record(":memory:")
    found = {f"http://h{n % hosts}/{n}": 1 - n / 1000 for n in range(1, links + 1)}
    crawl = Run(begun(store), FakeWeb(html("http://h0/0", found)), store=store).steps(2)
    store.save(crawl.session.take_batch())
    return store, found


@pytest.mark.usefixtures("short")
def test_the_number_waiting_counts_links_laid_aside() -> None:
    store, found = seeded(100)
    session = begun(store)
    assert (session.progress(0.0).queued, session.laid_aside) == (100, 90)
    crawl = Run(session, FakeWeb(*map(html, found)), store=store)
    for _ in range(8):
        crawl.steps(10)
        store.save(session.take_batch())
        robots = sum(entry.url.endswith("#") for entry in session.frontier.entries())
        assert session.progress(crawl.now).queued - robots == len(waiting(store))


@pytest.mark.usefixtures("short")
def test_a_link_laid_aside_and_found_again_keeps_its_place() -> None:
    store, found = seeded(100)
    last, first = list(found)[-1], next(iter(found))
    crawl = Run(begun(store), FakeWeb(html(first, {last: 0.9995}), html(last)), store=store).steps(4)
    assert crawl.pages == [first, last]
    before = waiting(store)[last]
    (page,) = [page for page in crawl.session.take_batch().pages if page.url == last]
    assert (page.depth, page.parent, page.priority) == (1, "http://h0/0", 0.9995)
    assert (before.depth, before.parent) == (1, "http://h0/0")


@pytest.mark.usefixtures("short")
def test_what_is_revised_while_laid_aside_has_its_turn() -> None:
    store, found = seeded(100)
    last, first = list(found)[-1], next(iter(found))
    crawl = Run(begun(store), FakeWeb(html(first, revise={last: 0.9995}), html(last)), store=store).steps(4)
    assert crawl.pages == [first, last]


@pytest.mark.usefixtures("short")
def test_a_host_put_first_comes_first_from_the_record_too() -> None:
    store, found = seeded(100)
    steering = Steering()
    crawl = Run(begun(store, steering=steering), FakeWeb(*map(html, found)), store=store).steps(2)
    steering.raise_host("h40")
    crawl.steps(4)
    assert {url for url in crawl.pages[1:] if "//h40/" in url} == {"http://h40/40", "http://h40/90"}
    assert all(url.startswith("http://h40/") for url in crawl.pages[1:3])


@pytest.mark.usefixtures("short")
def test_links_of_a_banned_host_take_no_place() -> None:
    store, found = seeded(100, hosts=2)
    steering = Steering(banned={"h0"})
    crawl = Run(begun(store, steering=steering), FakeWeb(*map(html, found)), store=store).steps()
    assert crawl.ended == "queue-empty"
    assert {url.split("/")[2] for url in crawl.pages} == {"h1"}
    assert crawl.session.progress(crawl.now).queued == 50
    steering.clear_host("h0")
    assert begun(store, steering=steering).laid_aside > 0


@pytest.mark.usefixtures("short")
def test_a_crawl_whose_hosts_are_out_of_reach_ends() -> None:
    store, _ = seeded(100, hosts=3)
    dead = [failed(f"http://h{n}/robots.txt", "timeout") for n in range(3)]
    crawl = Run(begun(store), FakeWeb(*dead), store=store).steps()
    assert crawl.ended == "unreachable"
    assert crawl.session.progress(crawl.now).queued == 100


def test_a_host_with_many_links_leaves_room_for_others() -> None:
    store, found = seeded(100, hosts=50)
    many = tuple(QueuedRecord(f"http://h0/x{n}", 5.0, 1, found=200 + n) for n in range(100))
    store.save(Batch(revived=many))
    near = store.nearest(20, 4, lambda url, depth: url == next(iter(found)))
    assert [record.url for record in near.links[:4]] == [record.url for record in many[:4]]
    others = [record.url for record in near.links[4:]]
    assert others == [url for url in found if "//h0/" not in url][1 : len(others) + 1]
    assert 20 <= len(near.links) < 40
    assert (near.total, near.end is None, near.beyond["h0"]) == (200, False, (-5.0, 204))
    whole = store.nearest(1000, 4, lambda url, depth: False)
    assert (len(whole.links), whole.end, whole.beyond) == (200, None, {})
    assert len(store.nearest(150, 4, lambda url, depth: False).links) == 150
