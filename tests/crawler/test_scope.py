"""Which addresses a crawl may fetch, and what a crawl that goes on with another scope makes of those that it knows."""

from dataclasses import replace

import pytest
from crawl_fakes import FakeUnderstanding, FakeWeb, Run, html, moved
from records_at_hand import CRAWL
from store_snapshots import snapshot, totals

from crawler.engine.actions import Limits
from crawler.engine.session import Session
from crawler.frontier.scope import EVERYWHERE, Scope, fits, never_fits, scope_of
from crawler.rejudging.requeueing import rescoped
from graphdb.record.sqlite_store import SqliteStore, open_record
from semantic.records import Batch, QueuedRecord

FAST = Limits(max_pages=1000, delay=0.0, connections=1)
HERE = "http://www.tea.example.co.uk/"


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("tea.example/green/*", "https://tea.example/green/"),
        ("https://tea.example/*", "https://tea.example/a"),
        ("/login*", "http://a.example/login?next=/"),
        ("*.pdf", "http://a.example/x.pdf"),
        ("*/tag/*/page/*", "http://a.example/tag/tea/page/2"),
        ("a.example/?q=[x]*", "http://a.example/?q=[x]&p=1"),
        ("茶.example/绿茶*", "http://xn--cl1a.example/%E7%BB%BF%E8%8C%B6/1"),
        ("A.Example/X", "http://a.example/X"),
        ("*Green*", "http://tea.example/wiki/Green_tea"),
        ("*Green*", "http://green.example/"),
        ("*.PDF?v=[1]", "http://a.example/x.pdf?v=[1]"),
        ("*绿*", "http://tea.example/%E7%BB%BF%E8%8C%B6"),
        ("a.example/?u=http://B.example/*", "http://a.example/?u=http://B.example/C"),
    ],
)
def test_a_pattern_fits_what_it_spells(pattern, url):
    assert fits(pattern, url)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("tea.example/green", "http://tea.example/green/1"),
        ("https://tea.example/*", "http://tea.example/a"),
        ("/login*", "http://a.example/x/login"),
        ("*.pdf", "http://a.example/x.pdf?v=1"),
        ("a.example/x?y", "http://a.example/xzy"),
        ("a.example/X", "http://a.example/x"),
        ("*/Green*", "http://tea.example/green"),
    ],
)
def test_a_pattern_fits_nothing_else(pattern, url):
    assert not fits(pattern, url)


def test_a_pattern_that_fits_no_address_is_known():
    patterns = ("tea.example", "login", "", "*", "/", "a.example/")
    assert [never_fits(pattern) for pattern in patterns] == [True] * 3 + [False] * 3


def given(*, include=(), exclude=(), host=False, domain=False, seeds=(HERE,)) -> Scope:
    return scope_of(seeds, include, exclude, stay_on_host=host, stay_on_domain=domain)


def test_hosts_and_registered_domains_are_those_of_seeds():
    host, domain = given(host=True), given(domain=True)
    urls = ("http://tea.example.co.uk/a", "http://shop.example.co.uk/", "http://other.co.uk/")
    assert [host.why_outside(url) for url in urls] == ["", "--stay-on-host", "--stay-on-host"]
    assert [domain.why_outside(url) for url in urls] == ["", "", "--stay-on-domain"]
    assert given() is EVERYWHERE


def test_excluding_wins_and_a_seed_always_counts():
    scope = given(include=("*/tea/*", "*/cha/*"), exclude=("*/print",))
    urls = ("http://a/tea/1", "http://a/cha/1", "http://a/tea/print", "http://a/cars", HERE)
    assert [scope.why_outside(url) for url in urls] == ["", "", "--exclude */print", "--include", ""]


# --- in a crawl

PAGES = (
    html("http://a.example/", {"http://a.example/1": 0.5, "http://b.example/1": 0.9, "http://a.example/go": 0.4}),
    html("http://a.example/1", {"http://b.example/1": 0.8, "http://b.example/2": 0.7}),
    moved("http://a.example/go", "http://b.example/3"),
    *(html(f"http://b.example/{number}") for number in (1, 2, 3)),
)
SEEDS = ("http://a.example/",)
ON_HOST = given(host=True, seeds=SEEDS)


def crawl(store: SqliteStore, scope: Scope, most: int = 1000) -> tuple[Run, Session]:
    resumed = store.open_crawl(CRAWL, [], [QueuedRecord(SEEDS[0], 10.0, 0)])
    limits = replace(FAST, scope=scope, max_pages=most)
    session = Session(FakeUnderstanding(), limits, resumed, store.queued(), store.known())
    run = Run(session, FakeWeb(*PAGES), store=None).steps()
    store.save(session.take_batch())
    return run, session


def move(store: SqliteStore, scope: Scope) -> tuple[set[str], set[str]]:
    found = rescoped(store, scope)
    store.save(Batch(counters=totals(store), outside=found.reasons, revived=found.back, scope=scope.text))
    return set(found.left), {record.url for record in found.back}


def test_links_and_redirects_out_of_scope_are_counted_not_fetched():
    store = open_record(":memory:")
    run, session = crawl(store, ON_HOST)
    assert {url for url in run.pages if "//b" in url} == set()
    assert session.progress(0.0).outside == {"--stay-on-host": 3}
    assert session.progress(0.0).queued == 0
    page = snapshot(store)["pages"]["http://b.example/3"]
    assert (page["status"], page["outside"], "depth" in page) == ("refused", "--stay-on-host", False)


def test_what_was_out_of_scope_returns_with_its_best_link():
    store = open_record(":memory:")
    crawl(store, ON_HOST)
    assert move(store, EVERYWHERE) == (set(), {f"http://b.example/{number}" for number in (1, 2, 3)})
    waiting = {record.url: record for record in store.queued()}
    assert (waiting["http://b.example/1"].priority, waiting["http://b.example/1"].parent) == (0.9, SEEDS[0])
    assert (waiting["http://b.example/3"].depth, waiting["http://b.example/3"].redirects) == (1, 1)
    run, _ = crawl(store, EVERYWHERE)
    assert set(run.pages) == {f"http://b.example/{number}" for number in (1, 2, 3)}


def test_what_waits_and_is_out_now_waits_no_more():
    store = open_record(":memory:")
    crawl(store, EVERYWHERE, most=1)
    assert move(store, ON_HOST) == ({"http://b.example/1"}, set())
    assert {record.url for record in store.queued()} == {"http://a.example/1", "http://a.example/go"}
    assert move(store, given(exclude=("*.example/1",), seeds=SEEDS)) == ({"http://a.example/1"}, set())
    assert {record.why for record in store.outside()} == {"--exclude *.example/1"}
    assert move(store, EVERYWHERE)[1] == {"http://a.example/1", "http://b.example/1"}


def test_what_was_fetched_and_is_out_now_stays():
    store = open_record(":memory:")
    crawl(store, EVERYWHERE)
    assert move(store, ON_HOST) == (set(), set())
    assert snapshot(store)["pages"]["http://b.example/1"]["status"] == "fetched"


def test_a_link_that_waited_when_scope_changed_is_left_out():
    """As by a file of settings that changes while the crawl runs."""
    store = open_record(":memory:")
    crawl(store, EVERYWHERE, most=1)
    run, session = crawl(store, ON_HOST)
    assert set(run.pages) == {"http://a.example/1", "http://a.example/go"}
    assert session.progress(0.0).outside["--stay-on-host"] == 3
