"""Pages too large to be judged in time are judged by their beginning; all others are left as they are."""

import pytest
from frames_at_hand import understand

from crawler.engine.crawl_records import ending
from crawler.frontier.priority_queue import Entry
from crawler.ports import Fetched
from examples.sites import ONTOLOGY
from ontology.lexicon.lexicon import build_lexicon
from ontology.loading.ontology_reader import read_ontology
from ontology.topic import build_topic
from semantic.page import Link, Page
from semantic.parsing.page_reader import (
    FEW_LINKS,
    MAX_LINKS_TEXT,
    MAX_NODES,
    MAX_SPANS,
    MAX_TEXT,
    MAX_TITLE,
    bounded,
    pack,
    read_page,
)
from semantic.strategies.strategy_table import build_understanding

URL = "http://a.example/"
HTML = {"content-type": "text/html; charset=utf-8"}
LARGEST = 5_000_000  # bytes that the network source lets through
JUDGED = {  # a page's HTML, all of it what judging is slowest with
    "topic words": "tea " * (LARGEST // 4),
    "topic words in Chinese": "绿茶" * (LARGEST // 6),
    "one character": "茶" * (LARGEST // 3),
    "links with many words": "".join(f"<a href=/{n}>{'green tea ' * 50}</a>" for n in range(9000))[:LARGEST],
    "links with long addresses": "".join(f"<a href=/{'tea-' * 450}{n}>a</a>" for n in range(2700)),
    "short links under a long base": f"<base href=/{'tea-' * 450}/>"
    + "".join(f"<a href={n}>a</a>" for n in range(10_000)),
    "images of one link": "<a href=x>" + "<img alt='tea '>" * 300_000,
    "one link around all": "<a href=x title=y>" + "tea " * 1_000_000,
    "a title of 5 MB": "<title>" + "tea " * (LARGEST // 4),
    "a directive without end": f"<meta name=robots content={'a' * 4_000_000}>",
    "directives with blanks": f"<meta name=robots content='{('a' + ' ' * 999) * 4000}'>",
    "a title of a link": f'<a href=x title="{"tea " * 1_000_000}">x',
}


def read(html: str) -> Page:
    return read_page(html.encode()[:LARGEST], URL, HTML)


def test_a_page_within_the_bounds_is_the_page_itself():
    page = read("<title>t</title>" + "<p>words <a href=/a title=t>and a link</a> more" * 4000)
    assert bounded(page) is page


def test_cut_text_keeps_later_links_at_its_end():
    page = read("<h1>x</h1><a href=/one>one</a>" + "word " * 100_000 + "<a href=/two>two</a>")
    cut = bounded(page)
    assert cut.text == page.text[:MAX_TEXT]
    assert (cut.spans[0], cut.spans[-1].end) == (page.spans[0], MAX_TEXT)
    assert cut.links[0] == page.links[0]
    assert (cut.links[1].anchor, cut.links[1].start, cut.links[1].end) == ("two", MAX_TEXT, MAX_TEXT)
    pack(cut)


def test_titles_and_anchors_are_cut():
    link = bounded(read(f'<a href=/one title="{"t" * 5000}">{"a" * 5000}</a>')).links[0]
    assert (link.anchor, link.title, link.end - link.start) == ("a" * MAX_TITLE, "t" * MAX_TITLE, MAX_TITLE)


def test_links_are_left_out_from_the_first_too_many():
    page = read(JUDGED["short links under a long base"])
    cut = bounded(page)
    assert cut.links == page.links[: len(cut.links)]
    assert 400 < len(cut.links) <= MAX_LINKS_TEXT / 1800


judged: list[Page] = []  # what the understanding has read


@pytest.fixture(scope="module")
def understanding():
    def read_bounded(*answer) -> Page:
        judged.append(bounded(read_page(*answer)))
        return judged[-1]

    made = read_ontology(ONTOLOGY)
    topic = build_topic(made)
    return build_understanding("fused", topic, build_lexicon(made, topic, None), read=read_bounded)


@pytest.mark.slow
@pytest.mark.parametrize("name", JUDGED)
def test_of_the_largest_pages_a_bounded_part_is_judged(understanding, name):
    body = JUDGED[name].encode()[:LARGEST]
    read = understand(understanding, body, URL, HTML)
    page = judged[-1]
    assert len(page.text) <= MAX_TEXT
    assert len(page.title) <= MAX_TITLE
    assert len(page.spans) <= MAX_SPANS + 1
    assert len(page.nodes) <= 3 * MAX_NODES
    assert all(len(text) <= MAX_TITLE for link in page.links for text in (link.anchor, link.title))
    assert len(page.links) <= FEW_LINKS or sum(map(link_text, page.links)) <= MAX_LINKS_TEXT
    end = ending(Entry(1.0, 1, 0, URL, "", 0), Fetched(URL, 200, HTML, body), "2026-01-01T00:00:00+00:00", read)
    assert end.record.status == "fetched"
    assert len(end.record.title or "") <= MAX_TITLE


def link_text(link: Link) -> int:
    """Characters of all that a link is judged by."""
    texts = (link.url, link.anchor, link.title, link.before, link.after, link.dom_path, *link.rel)
    return sum(map(len, texts))
