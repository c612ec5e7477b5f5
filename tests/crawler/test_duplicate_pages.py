"""The same content under other addresses."""

import re
from collections.abc import Callable

import pytest
from crawl_fakes import NEW, FakeStore, FakeUnderstanding, FakeWeb, Run, html, run, start

from crawler.dedup.duplicate_pages import COPIED
from crawler.engine.actions import Limits
from crawler.engine.session import Session
from crawler.traps.trap_detection import Traps
from semantic.reasons import Reason, because
from semantic.records import JudgedRecord, QueuedRecord, VisitRecord

FAST = Limits(max_pages=1000, delay=0.0, connections=1)
LONG = " ".join(str(n * n) for n in range(400))  # of its own, long enough for near-copies
NEAR = LONG.replace(" 10000 ", " 10001 ")


def test_an_exact_copy_of_any_host_is_stored_once_unexpanded() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://b/2": 0.8}),
        html("http://a/1", {"http://a/x": 0.5}, text=LONG, relevance=1.0),
        html("http://b/2", {"http://b/x": 0.5}, text=LONG, relevance=1.0),
        html("http://a/x"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://a/1", "http://b/2", "http://a/x"]
    copy = store.pages["http://b/2"]
    assert (copy.status, copy.order, copy.copy_of, copy.on_topic) == ("fetched", None, "http://a/1", False)
    assert (copy.content, copy.links, copy.mentions, copy.fingerprint) == (None, (), (), None)
    assert copy.reasons[0] == COPIED
    assert (store.counters.pages, store.counters.on_topic, store.counters.copies) == (3, 1, 1)


def test_a_near_copy_shows_nothing_new() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.7}),
        html("http://a/1", {"http://a/x": 0.5}, text=LONG),
        html("http://a/2", {"http://a/x": 0.5, "http://a/": 0.5}, text=NEAR),
        html("http://a/3", {"http://a/y": 0.5}, text=NEAR + " 7"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert "http://a/y" in crawl.pages
    assert [store.pages[f"http://a/{n}"].copy_of for n in (1, 2, 3)] == [None, "http://a/1", None]
    assert [store.pages[f"http://a/{n}"].order for n in (1, 2, 3)] == [2, None, 3]


def test_few_words_make_a_copy_with_equal_title_and_links() -> None:
    web = FakeWeb(
        html("http://a/", {f"http://a/{n}": 1 - n / 10 for n in range(1, 5)}, text="loading"),
        html("http://a/1", {"http://a/x": 0.5}, text="loading", title="a"),
        html("http://a/2", {"http://a/y": 0.5}, text="loading", title="a"),
        html("http://a/3", {"http://a/y": 0.5}, text="loading", title="a"),
        html("http://a/4", {"http://a/y": 0.5}, text="loading", title="b"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert {"http://a/x", "http://a/y"} <= set(crawl.pages)
    assert [store.pages[f"http://a/{n}"].copy_of for n in range(1, 5)] == [None, None, "http://a/2", None]
    assert store.counters.pages == 4


def test_a_crawl_that_goes_on_knows_the_texts_of_before() -> None:
    def web() -> FakeWeb:
        return FakeWeb(
            html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.7, "http://a/4": 0.6}),
            html("http://a/1", text=LONG),
            html("http://a/2", {"http://a/x": 0.5}, text=LONG),
            html("http://a/3", text=NEAR),
            html("http://a/4", text="short", title="a"),
            html("http://a/5", text="short", title="a"),
        )

    _, whole = run(web(), "http://a/", "http://a/5", limits=FAST)
    store = _in_steps(web, "http://a/", "http://a/5")
    assert store.pages == whole.pages
    assert [page.order is None for page in store.pages.values()].count(True) == 3


def _turned(first: dict[str, object], second: dict[str, object], urls: tuple[str, str]) -> tuple[str, FakeStore]:
    """Two pages with one text, one after the other: which is the page then."""
    web = FakeWeb(
        html("http://a/", {urls[0]: 0.9, urls[1]: 0.8}),
        html(urls[0], {"http://a/x": 0.5}, text=LONG, **first),
        html(urls[1], {"http://a/x": 0.5, "http://a/y": 0.4}, text=LONG, **second),
        html("http://a/x"),
        html("http://a/y"),
    )
    _, store = run(web, "http://a/", limits=FAST)
    (page,) = [url for url in urls if store.pages[url].copy_of is None]
    (copy,) = [url for url in urls if url != page]
    assert store.pages[copy].copy_of == page
    assert (store.pages[page].order, store.pages[copy].order) == (2, None)
    assert (store.counters.pages, store.counters.copies) == (4 if page == urls[1] else 3, 1)
    return page, store


ARTICLE, TAG = "http://a/2019/05/green-tea/", "http://a/tag/tea/"


def test_an_article_after_its_tag_list_is_the_page() -> None:
    page, store = _turned({"relevance": 1.0}, {"relevance": 0.9}, (TAG, ARTICLE))
    assert page == ARTICLE
    assert (store.pages[page].on_topic, store.pages[page].relevance, store.counters.on_topic) == (True, 0.9, 1)
    copy = store.pages[TAG]
    assert (copy.on_topic, copy.stale, copy.content, copy.fingerprint) == (False, True, None, None)
    assert copy.reasons == (COPIED, because("view", view=Reason("a list by tag")))
    assert store.pages["http://a/y"].parent == ARTICLE  # its links are the page's, and those not known yet are queued

    assert _turned({"relevance": 1.0}, {"relevance": 0.1}, (TAG, ARTICLE))[1].counters.on_topic == 0
    assert _turned({"relevance": 0.1}, {"relevance": 1.0}, (TAG, ARTICLE))[1].counters.on_topic == 1


DATED, PLAIN, ONE, OTHER = "http://a/2006/02/21/tea/index.html", "http://a/tea/", "http://a/1", "http://a/2"
NEWS = ("http://a/news", "http://a/tea")
HEADING = {"headings": [["http://a/tea", "Green  Tea"]], "title": "A blog"}


@pytest.mark.parametrize(
    ("first", "second", "urls", "page"),
    [
        ({"canonical": PLAIN}, {}, (DATED, PLAIN), PLAIN),
        ({}, {"canonical": PLAIN}, (PLAIN, DATED), PLAIN),
        ({"canonical": TAG}, {}, (ARTICLE, TAG), TAG),
        ({}, {"canonical": TAG}, (TAG, ARTICLE), TAG),
        ({"canonical": "http://a/elsewhere"}, {}, (DATED, PLAIN), DATED),
        ({"noindex": True, "relevance": 1.0}, {"relevance": 1.0}, (ONE, OTHER), OTHER),
        ({}, {"noindex": True}, (ONE, OTHER), ONE),
        ({}, {"noindex": True}, (TAG, ARTICLE), TAG),
        (HEADING, {"title": "Green tea – A blog"}, NEWS, NEWS[1]),
        (HEADING, {"title": "Other – A blog"}, NEWS, NEWS[0]),
        ({}, {}, (TAG, "http://a/category/tea/"), TAG),
        ({}, {}, (ARTICLE, "http://a/tea"), ARTICLE),
        ({}, {}, (ARTICLE, TAG), ARTICLE),
    ],
)
def test_of_two_pages_with_one_text_the_better_counts(
    first: dict[str, object], second: dict[str, object], urls: tuple[str, str], page: str
) -> None:
    assert _turned(first, second, urls)[0] == page


def test_a_list_that_became_a_copy_pays_as_one() -> None:
    traps = Traps([VisitRecord(TAG, on_topic=True)])
    assert re.findall(r"\d+", str(traps.why("a/tag/**"))) == ["1", "0", "1"]  # pages, with nothing new, on topic
    traps.take_back(TAG, ARTICLE)
    assert re.findall(r"\d+", str(traps.why("a/tag/**"))) == ["1", "1", "1"]


def test_a_page_that_became_a_copy_is_withdrawn_everywhere() -> None:
    """It was judged again just before, and at the end it would be judged once more. The article is off topic."""
    anew = JudgedRecord(TAG, 1.0, True, (Reason("other evidence"),))
    understanding, traps = FakeUnderstanding(), Traps()
    understanding.news, understanding.settled = [anew], [anew]
    queued = [QueuedRecord(TAG, 0.9, 1), QueuedRecord(ARTICLE, 0.8, 1)]
    session = Session(understanding, FAST, NEW, queued, (), traps=traps)
    Run(session, FakeWeb(html(TAG, text=LONG, relevance=1.0), html(ARTICLE, text=LONG))).steps()
    assert not session.settle()
    batch = session.take_batch()
    assert [(copy.url, copy.copy_of) for copy in batch.copies] == [(TAG, ARTICLE)]
    assert (batch.judged, batch.counters.on_topic, understanding.withdrawn) == ((), 0, [TAG])
    assert re.findall(r"\d+", str(traps.why("a/tag/**"))) == ["1", "1", "0"]  # pages, with nothing new, on topic


def test_a_near_copy_as_successor_is_known_by_its_text() -> None:
    """NEAR takes the place of LONG; then LONG is a text of its own where it shows something new."""
    urls = (TAG, ARTICLE, "http://a/3", "http://a/4")

    def web() -> FakeWeb:
        return FakeWeb(
            html("http://a/", {url: 0.9 - n / 10 for n, url in enumerate(urls)}),
            html(TAG, text=LONG),
            html(ARTICLE, text=NEAR),
            html("http://a/3", {"http://a/x": 0.5}, text=NEAR),
            html("http://a/4", {"http://a/y": 0.5}, text=LONG),
        )

    _, whole = run(web(), "http://a/", limits=FAST)
    assert [whole.pages[url].copy_of for url in urls] == [ARTICLE, None, ARTICLE, None]
    assert _in_steps(web, "http://a/").pages == whole.pages


def test_a_killed_crawl_changes_places_as_one_that_was_not() -> None:
    urls = (TAG, "http://a/category/tea/", ARTICLE, "http://a/print/tea", "http://a/5")

    def web() -> FakeWeb:
        pages = [html(url, {f"http://a/x{n}": 0.1}, text=LONG, relevance=1.0) for n, url in enumerate(urls)]
        return FakeWeb(html("http://a/", {url: 0.9 - n / 10 for n, url in enumerate(urls)}), *pages)

    _, whole = run(web(), "http://a/", limits=FAST)
    store = _in_steps(web, "http://a/")
    assert store.pages == whole.pages
    assert [whole.pages[url].copy_of for url in urls] == [ARTICLE, ARTICLE, None, ARTICLE, ARTICLE]
    assert (store.counters.pages, store.counters.copies, store.counters.on_topic) == (2, 4, 1)


def _in_steps(web: Callable[[], FakeWeb], *seeds: str) -> FakeStore:
    """A crawl in many runs, each of which takes one answer and what the store holds."""
    store = FakeStore(*seeds)
    for answers in (2, *[1] * 10, 100):
        session = start(store, FAST)
        Run(session, web(), store=store).steps(answers)
        store.save(session.take_batch())
    return store
