"""Feeds and sitemaps: fetched where a page is on topic, no pages themselves."""

import gzip
from dataclasses import replace

import pytest
from crawl_fakes import HTML, FakeStore, FakeWeb, Run, html, moved, robots, run, start

from benchmarks.pdf_files import line, pdf
from crawler.engine.actions import Limits
from crawler.engine.session import Session
from crawler.ports import Fetched, Outcome
from crawler.traps.trap_detection import CREDIT, STALE
from examples.sites import ONTOLOGY
from ontology.lexicon.lexicon import build_lexicon
from ontology.loading.ontology_reader import read_ontology
from ontology.topic import build_topic
from semantic.reasons import Reason
from semantic.strategies.strategy_table import build_understanding

FAST = Limits(max_pages=1000, delay=0.0, connections=1)


def source(url: str, kind: str, *links: str) -> object:
    """A feed or sitemap with these links."""
    return html(url, {link: 0.5 for link in links}, source=kind)


def test_a_page_on_topic_names_its_feed_and_sitemaps() -> None:
    web = FakeWeb(
        robots("http://a", "Sitemap: http://a/s.xml\n"),
        html("http://a/", {"http://a/1": 0.9}, relevance=1.0, feed="http://a/f.xml"),
        html("http://a/1", relevance=1.0, feed="http://a/f.xml"),
        source("http://a/s.xml", "sitemap", "http://a/2"),
        source("http://a/f.xml", "feed", "http://a/3", "http://b/4"),
        *(html(url, relevance=1.0) for url in ("http://a/2", "http://a/3", "http://b/4")),
    )
    crawl, store = run(web, "http://a/", limits=replace(FAST, max_pages=5))  # which sources do not use up
    assert crawl.pages == [f"http://{name}" for name in ("a/", "a/s.xml", "a/f.xml", "a/1", "a/2", "a/3", "b/4")]
    for url, kind in (("http://a/s.xml", "sitemap"), ("http://a/f.xml", "feed")):
        held = store.pages[url]
        assert (held.status, held.order, held.on_topic, held.relevance) == ("fetched", None, False, None)
        assert (held.parent, held.priority, held.reasons) == ("http://a/", 1.0, (Reason(kind),))
    assert [store.pages[f"http://a/{n}"].parent for n in "23"] == ["http://a/s.xml", "http://a/f.xml"]
    assert (store.counters.pages, store.counters.on_topic) == (5, 5)


def test_neither_is_asked_for_where_no_page_is_on_topic() -> None:
    """Nor is a sitemap guessed at, and a page that is not to be followed names no feed."""
    web = FakeWeb(
        robots("http://a", "User-agent: *\nDisallow: /no\nSitemap: http://a/s.xml\n"),
        html("http://a/", {"http://b/": 0.9}, relevance=0.1, feed="http://a/f.xml"),
        html("http://b/", relevance=1.0, feed="http://b/f.xml", nofollow=True),
    )
    crawl, _ = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://b/"]


LED = {  # the robots.txt of a site, and the answers to the addresses of a crawl in its order
    "a sitemap speaks for its host and the naming one": (
        robots("http://a", "Sitemap: http://cdn/a.xml\n"),
        html("http://a/", relevance=1.0),
        source("http://cdn/a.xml", "sitemap", "http://a/1", "http://cdn/2", "http://b/3"),
        *map(html, ("http://a/1", "http://cdn/2")),
    ),
    "a sitemap speaks for all hosts of its domain": (
        robots("http://www.a.org", "Sitemap: http://a.org/index.xml\n"),
        html("http://www.a.org/", relevance=1.0),
        source("http://a.org/index.xml", "sitemap index", "http://files.a.org/s.xml", "http://b.org/s.xml"),
        source("http://files.a.org/s.xml", "sitemap", "http://www.a.org/1"),
        html("http://www.a.org/1"),
    ),
    "an index has its own priority": (
        robots("http://a", "Sitemap: http://a/index.xml\n"),
        html("http://a/", {"http://a/1": 0.9}, relevance=1.0),
        source("http://a/index.xml", "sitemap index", "http://a/s1.xml"),
        source("http://a/s1.xml", "sitemap", "http://a/2"),
        *map(html, ("http://a/1", "http://a/2")),
    ),
    "a feed may have moved to a file": (
        robots("http://a", ""),
        html("http://a/", relevance=1.0, feed="http://a/feed"),
        moved("http://a/feed", "http://a/f.xml"),
        source("http://a/f.xml", "feed", "http://a/1"),
        html("http://a/1"),
    ),
}


@pytest.mark.parametrize("answers", LED.values(), ids=LED)
def test_sources_lead_to_pages_of_their_own(answers: tuple[Outcome, ...]) -> None:
    crawl, store = run(FakeWeb(*answers), answers[1].url, limits=FAST)
    assert crawl.pages == [answer.url for answer in answers[1:]]
    assert not any(link.url.startswith("http://b") for page in store.pages.values() for link in page.links)


@pytest.mark.parametrize("kind", ["feed", "sitemap index"])
def test_sources_leading_only_to_sources_are_a_trap_when_resumed(kind: str) -> None:
    class Endless(FakeWeb):
        def answer(self, url: str) -> Outcome:
            if "/s" not in url:
                return super().answer(url)
            self.asked.append(url)
            return source(url, kind, f"http://a/s{int(url[10:]) + 1}")

    home = html("http://a/", {"http://a/1": 0.1}, relevance=1.0, feed="http://a/s1")
    web, store = Endless(home, html("http://a/1")), FakeStore("http://a/")
    for most in (40, 1000):
        crawl = Run(start(store, FAST), web, store=store).steps(most)
        store.save(crawl.session.take_batch())
    assert crawl.ended == "queue-empty"
    assert store.pages["http://a/1"].order is not None
    assert len(web.asked) <= 4 + CREDIT // STALE
    assert crawl.session.progress(crawl.now).cut == (1, 1)


def test_a_sitemap_that_moved_is_followed_and_obeys_robots_txt() -> None:
    web = FakeWeb(
        robots("http://a", "User-agent: *\nDisallow: /no\nSitemap: http://a/s.xml\nSitemap: http://a/no.xml\n"),
        html("http://a/", relevance=1.0),
        moved("http://a/s.xml", "http://a/t.xml"),
        source("http://a/t.xml", "sitemap", "http://a/1"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://a/s.xml", "http://a/t.xml", "http://a/1"]
    forbidden = store.pages["http://a/no.xml"]
    assert (forbidden.status, forbidden.reasons) == ("refused", (Reason("robots.txt"),))


def test_a_robots_txt_is_neither_sitemap_nor_feed() -> None:
    web = FakeWeb(
        robots("http://a", "Sitemap: http://a/robots.txt\nSitemap: http://a/i.xml\nSitemap: http://a/s.xml\n"),
        html("http://a/", relevance=1.0, feed="http://b/robots.txt"),
        source("http://a/i.xml", "sitemap index", "http://a/robots.txt"),
        moved("http://a/s.xml", "http://a/robots.txt"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://a/i.xml", "http://a/s.xml"]
    assert store.pages["http://a/s.xml"].status == "failed"
    assert web.asked.count("http://a/robots.txt") == 1


def test_a_crawl_that_was_stopped_anywhere_asks_for_each_once() -> None:
    def web() -> FakeWeb:
        return FakeWeb(
            robots("http://a", "Sitemap: http://a/index.xml\n"),
            html("http://a/", {"http://a/1": 0.9}, relevance=1.0, feed="http://a/f.xml"),
            html("http://a/1", relevance=1.0, feed="http://a/f.xml"),
            source("http://a/index.xml", "sitemap index", "http://a/s.xml"),
            source("http://a/s.xml", "sitemap", "http://a/2"),
            source("http://a/f.xml", "feed", "http://a/3"),
        )

    _, whole = run(web(), "http://a/", limits=FAST)
    for answers in range(1, 9):
        store = FakeStore("http://a/")
        for most in (answers, 100):
            crawl = Run(start(store, FAST), web(), store=store).steps(most)
            store.save(crawl.session.take_batch())
        assert store.pages == whole.pages


@pytest.mark.parametrize("named", ["http://[", "mailto:a@b", "", "ftp://a/s.xml"])
def test_what_is_no_address_is_no_sitemap(named: str) -> None:
    web = FakeWeb(robots("http://a", f"Sitemap: {named}\n"), html("http://a/", relevance=1.0))
    crawl, _ = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/"]


def test_a_real_strategy_reads_pdf_pages_and_links_of_sources() -> None:
    home = '<link rel=alternate type=application/rss+xml href=/feed><p>green tea, black tea<a href="/tea.pdf">tea</a>'
    feed = "<rss version='2.0'><channel><item><title>Oolong tea</title><link>/7</link><description>How tea is made"
    entries = "<urlset>" + "".join(f"<url><loc>/{name}</loc></url>" for name in ("green-tea", "cars", "8"))
    web = FakeWeb(
        robots("http://a", "Sitemap: http://a/s.xml.gz\n"),
        Fetched("http://a/", 200, HTML, home.encode()),
        Fetched("http://a/tea.pdf", 200, {"content-type": "application/pdf"}, pdf(line("Black tea is a tea", 12, 700))),
        Fetched("http://a/feed", 200, {"content-type": "application/rss+xml"}, feed.encode()),
        Fetched("http://a/s.xml.gz", 200, {"content-type": "application/gzip"}, gzip.compress(entries.encode())),
        *(Fetched(f"http://a/{name}", 200, HTML, b"<p>green tea") for name in ("7", "green-tea")),
    )
    ontology = read_ontology(ONTOLOGY)
    topic = build_topic(ontology)
    understanding = build_understanding("fused", topic, build_lexicon(ontology, topic, None), threshold=0.05)
    store = FakeStore("http://a/")
    session = Session(understanding, FAST, store.resumed(), store.queued(), store.known())
    crawl = Run(session, web, store=store).steps()
    store.save(session.take_batch())
    assert store.pages["http://a/"].on_topic
    assert sorted(crawl.pages) == [f"http://a/{name}" for name in ("", "7", "feed", "green-tea", "s.xml.gz", "tea.pdf")]
    paper = store.pages["http://a/tea.pdf"]
    assert (paper.on_topic, paper.title) == (True, "Black tea is a tea")
    assert paper.order is not None
    (entry,) = store.pages["http://a/feed"].links
    assert (entry.anchor, entry.context) == ("Oolong tea", "Oolong tea How tea is made")
    assert [link.url for link in store.pages["http://a/s.xml.gz"].links] == ["http://a/green-tea"]
