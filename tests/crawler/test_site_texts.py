"""Pages of one site that say the same, whatever their template adds."""

from calendar import month_name
from collections.abc import Callable
from dataclasses import replace

import pytest
from crawl_fakes import FakeWeb, html, run

from crawler.dedup.duplicate_pages import SAYS_NO_MORE, Copies
from crawler.engine.actions import Limits
from crawler.traps.trap_detection import CREDIT, GAIN, STALE
from semantic.page import PARAGRAPH, Page
from semantic.parsing.fingerprint import Fingerprint, page_fingerprint
from semantic.parsing.repeated_blocks import parts_of
from semantic.records import FingerprintRecord, PageRecord, WantedRecord

FAST = Limits(max_pages=1000, delay=0.0, connections=1)
TEMPLATE = PARAGRAPH.join(("Tea of the hills", "Home", "Shop", "About tea", "We sell green tea from small gardens."))
WORDS = [
    *[
        "amber",
        "brook",
        "cedar",
        "dusk",
        "ember",
        "fern",
        "grove",
        "heath",
        "iris",
        "jade",
        "kelp",
        "larch",
        "moss",
        "north",
        "oak",
        "pine",
    ]
]


def fingerprint_of(page: Page) -> Fingerprint:
    return page_fingerprint(page, parts_of(page))


def own(number: int, size: int = 40) -> str:
    """A text that no other number has."""
    return " ".join(f"{WORDS[number % 16]}{WORDS[(number // 16 + at) % 16]}{number}x" for at in range(size))


def results(pages: dict[str, dict[str, object]], template: str = TEMPLATE) -> tuple[list[str], int]:
    """The addresses on topic of a site with twenty articles and these pages (what `html` takes), and its copies."""
    site = {f"http://a/art/{n}": {"text": f"{template}{PARAGRAPH}{own(n)}"} for n in range(20)} | pages
    links = {url: 0.9 - place / 1000 for place, url in enumerate(site)}
    answers = [html(url, **{"title": "Tea", "relevance": 1.0, "links": {}, **about}) for url, about in site.items()]  # type: ignore[arg-type]
    crawl, store = run(FakeWeb(html("http://a/", links), *answers), "http://a/", limits=FAST)
    assert set(crawl.pages) == {"http://a/", *site}
    on_topic = [url for url in pages if store.pages[url].on_topic]
    return on_topic, store.counters.copies


def in_template(made: Callable[[int], tuple[str, str]]) -> dict[str, dict[str, object]]:
    """Twelve pages with the site's template. `made`: path and own text of each."""
    said = map(made, range(12))
    return {f"http://a{path}": {"text": f"{TEMPLATE}{PARAGRAPH}{text}"} for path, text in said}


ERRORS: dict[str, Callable[[int], tuple[str, str]]] = {
    "address": lambda n: (f"/old/green-tea-{n}.html", f"Not found{PARAGRAPH}Sorry, /old/green-tea-{n}.html is gone."),
    "words": lambda n: (f"/old/green-tea-{n}.html", f"Nothing was found for green tea {n}"),
    "number": lambda n: (f"/item/{1000 + 7 * n}", f"Item {1000 + 7 * n} does not exist"),
    "Chinese": lambda n: (f"/old/{n}.html", f"页面不存在{PARAGRAPH}您访问的页面 /old/{n}.html 不存在或已删除"),
    "time": lambda n: (f"/x/{WORDS[n]}", f"Error a81f03{n:02d} at 12:{30 + n}, made in 0.02{n:02d} seconds: none"),
}


@pytest.mark.parametrize("kind", ERRORS)
def test_error_pages_of_a_site_are_one_page(kind: str) -> None:
    """The one is a result only where its words do not make it an error page (`semantic.parsing.error_pages`)."""
    pages = in_template(ERRORS[kind])
    on_topic, copies = results(pages)
    assert on_topic == ([next(iter(pages))] if kind not in ("words", "Chinese") else [])
    assert copies == 11


SHORT: dict[str, Callable[[int], tuple[str, str]]] = {
    "photographs": lambda n: (f"/photo/{n}", f"{WORDS[n]} over the lake{PARAGRAPH}Photo by Anna. All rights reserved."),
    "goods by name": lambda n: (f"/p/{WORDS[n]}-tea", f"{WORDS[n]} tea{PARAGRAPH}{WORDS[n]} tea, 50 g, in the basket"),
    "goods by lot": lambda n: (f"/lot/{n}", f"Oolong {n}, lot {7919 * n}."),
    "stubs": lambda n: (f"/wiki/{WORDS[n]}", f"{WORDS[n]}{PARAGRAPH}This article is a stub; help by adding to it."),
}


@pytest.mark.parametrize("kind", SHORT)
def test_short_pages_of_their_own_stay_results(kind: str) -> None:
    pages = in_template(SHORT[kind])
    assert results(pages) == (list(pages), 0)


def test_a_thinner_twin_with_a_canonical_is_a_copy() -> None:
    pages: dict[str, dict[str, object]] = {}
    for n in range(10):
        article = f"{PARAGRAPH}Garden {WORDS[n]}{PARAGRAPH}{own(100 + n)}"
        pages[f"http://a/amp/{n}"] = {"text": f"Light{article}", "canonical": f"http://a/tea/{n}"}
        pages[f"http://a/tea/{n}"] = {"text": f"{TEMPLATE}{article}{PARAGRAPH}{own(200 + n, 10)}"}
    assert results(pages) == ([f"http://a/tea/{n}" for n in range(10)], 10)


@pytest.mark.parametrize("named", ["http://a/", "http://a/art/3", "http://a/gone"])
def test_a_canonical_of_another_text_is_not_believed(named: str) -> None:
    pages: dict[str, dict[str, object]] = {
        f"http://a/tea/{n}": {"text": f"{TEMPLATE}{PARAGRAPH}{own(100 + n)}", "canonical": named} for n in range(10)
    }
    assert results(pages) == (list(pages), 0)


def test_a_copy_by_its_own_text_still_leads_on() -> None:
    text = f"The same words for everybody who comes by, whatever they want of us.{PARAGRAPH}{TEMPLATE}"
    again = f"{text}{PARAGRAPH}"
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://a/m/1": 0.8}),
        html("http://a/1", {"http://a/": 0.1}, text=text, relevance=1.0, title="a"),
        html("http://a/m/1", {"http://a/": 0.1, "http://a/new": 0.1}, text=again, relevance=1.0, title="a"),
        html("http://a/new"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    copy = store.pages["http://a/m/1"]
    assert (copy.copy_of, copy.on_topic, [link.url for link in copy.links]) == ("http://a/1", False, ["http://a/new"])
    assert copy.reasons[0] == SAYS_NO_MORE
    assert crawl.pages[-1] == "http://a/new"


def test_pages_that_have_become_one_error_page_are_no_results() -> None:
    urls = [f"http://a/{word}-tea" for word in WORDS[:3]]
    read = [fingerprint_of(Page(url, "", own(n), (), ())) for n, url in enumerate(urls)]
    records = [PageRecord(url=url, status="fetched", order=n, on_topic=True) for n, url in enumerate(urls, 1)]
    copies = Copies([FingerprintRecord(url, str(text), 1, True) for url, text in zip(urls, read, strict=True)])
    left = []
    for record, text in zip(records, read, strict=True):
        now = fingerprint_of(Page(record.url, "", f"Sorry, {record.url} is not here any more", (), ()))
        wanted = WantedRecord(record.url, record.order, 0.0, 1, None, 1.0, True, str(text), None, None)
        left.append(copies.again(replace(record, content=b"page"), now, wanted).content)
    assert left == [b"page", None, None]


CALENDARS: dict[str, Callable[[int, int], tuple[str, str]]] = {
    "numbers": lambda year, month: (f"/events/{year}/{month:02d}/", f"Events {year}-{month:02d}{PARAGRAPH}No events."),
    "names": lambda year, month: (f"/month/{year}/{month}", f"{month_name[month]} {year}{PARAGRAPH}No events."),
    "Chinese": lambda year, month: (f"/rili/{year}-{month}", f"{year}年{month}月茶叶活动日历"),
    "nothing": lambda year, month: (f"/{year}/{month:02d}/", f"{year}-{month:02d}"),
}


@pytest.mark.parametrize("kind", CALENDARS)
def test_an_endless_calendar_on_topic_is_cut(kind: str) -> None:
    months = [CALENDARS[kind](2024 + at // 12, at % 12 + 1) for at in range(300)]
    answers = [html("http://a/", {f"http://a{months[0][0]}": 0.5} | {f"http://a/art/{n}": 0.9 for n in range(9)})]
    answers += [html(f"http://a/art/{n}", text=f"{TEMPLATE}{PARAGRAPH}{own(n)}", relevance=1.0) for n in range(9)]
    for (path, text), (later, _) in zip(months, months[1:] + months[:1], strict=True):
        said = f"{TEMPLATE}{PARAGRAPH}{text}"
        answers.append(html(f"http://a{path}", {f"http://a{later}": 0.5}, text=said, relevance=1.0, title="Tea"))
    crawl, _ = run(FakeWeb(*answers), "http://a/", limits=FAST)
    assert len(crawl.pages) - 10 <= (CREDIT + GAIN) // STALE + 2


def test_an_archive_by_month_stays_open() -> None:
    answers = [html("http://a/", {"http://a/2010/1/": 0.5})]
    for at in range(150):
        here, later = (f"http://a/{2010 + n // 12}/{n % 12 + 1}/" for n in (at, at + 1))
        story = f"{here}{WORDS[at % 16]}"
        text = f"{TEMPLATE}{PARAGRAPH}Archive{PARAGRAPH}{own(at, 3)}"
        answers.append(html(here, {story: 0.9, later: 0.5}, text=text, relevance=1.0, title="Archive"))
        answers.append(html(story, text=f"{TEMPLATE}{PARAGRAPH}{own(at)}", relevance=1.0))
    crawl, _ = run(FakeWeb(*answers), "http://a/", limits=FAST)
    assert len(crawl.pages) >= 301
