"""Listings and articles: the share by hand, what counts as an entry, and the demonstration web."""

from collections import Counter

import pytest

from examples.pages import answer
from examples.sites import read_marks, read_sites
from semantic.parsing.page_kind import kind_of
from semantic.parsing.page_reader import pack, read_page, unpack

LONG = "Snow fell all night, and nobody in the village had seen the like of it for years. "


def kind(body: str, url: str = "http://a.example/x") -> str | None:
    return kind_of(read_page(f"<html><body>{body}</body></html>".encode(), url, {}))


def posts(markup: str, text: str = LONG) -> str:
    return "".join(markup.format(url=f"/{number}", text=text) for number in range(5))


def test_a_page_of_links_is_a_listing_unlike_text():
    links = "".join(f'<p><a href="/{number}">about the snow of year {number}</a></p>' for number in range(9))
    assert kind(links) == "listing"
    assert kind(f"<h1>Snow</h1><p>{LONG * 3}</p>") == "article"
    assert kind("") == "article"


def test_a_page_is_a_listing_from_a_third_on():
    """100 in the link, t and a blank outside: 100 / (100 + t + 1 + 50) is one third where t is 149."""
    link = f'<a href="/y">{"y" * 100}</a>'
    assert [kind(f"<p>{'x' * size} {link}</p>") for size in (149, 150)] == ["listing", "article"]


@pytest.mark.parametrize(
    "markup",
    [
        '<h2><a href="{url}">snow</a></h2><p>{text}</p>',
        '<article id="p{url}"><header><h3 class="t"><a href="{url}">snow</a></h3></header><p>{text}</p></article>',
        '<li><a href="{url}">snow</a> {text}</li>',
        '<div class="entry"><a href="{url}">snow</a><p>{text}</p></div>',
    ],
)
def test_excerpts_below_entries_make_a_listing(markup):
    assert kind(posts(markup)) == "listing"


@pytest.mark.parametrize(
    "markup",
    [
        "<h2>snow</h2><p>{text}</p>",
        '<p>There is <a href="{url}">snow</a> here. {text}</p>',
        '<p><a href="{url}">snow</a> {text}</p>',
        '<h1><a href="/">Our village</a></h1><p>{text}</p>',
    ],
)
def test_text_that_is_no_excerpt_makes_an_article(markup):
    assert kind(posts(markup)) == "article"


def test_the_text_behind_a_menu_is_no_excerpt():
    menu = "".join(f'<li><a href="/{number}">part {number}</a></li>' for number in range(6))
    assert kind(f"<ul>{menu}</ul><p>{LONG * 3}</p>") == "article"


def test_a_single_excerpt_counts_below_a_heading_only():
    assert kind(f'<h2><a href="/y">snow</a></h2><p>{LONG}</p>') == "listing"
    assert kind(f'<div><a href="/y">snow</a> {LONG}</div>') == "article"


def test_whole_texts_below_headings_are_no_excerpts():
    assert kind(posts('<h2><a href="{url}">snow</a></h2><p>{text}</p>', LONG * 20)) == "article"


def test_a_kept_page_has_the_kind_it_had():
    for body in (posts('<li><a href="{url}">snow</a> {text}</li>'), LONG):
        page = read_page(body.encode(), "http://a.example/x", {})
        assert kind_of(unpack(pack(page), page.url)) == kind_of(page)


def test_a_feed_and_a_sitemap_have_no_kind():
    feed = (
        b'<rss version="2.0"><channel><item><title>Snow</title><link>http://a.example/1</link></item></channel></rss>'
    )
    sitemap = b"<urlset><url><loc>http://a.example/1</loc></url></urlset>"
    assert [kind_of(read_page(body, "http://a.example/f", {})) for body in (feed, sitemap)] == [None, None]


def test_the_demonstration_webs_listings_are_told():
    told: Counter[tuple[str, str | None]] = Counter()
    sites = read_sites()
    for url, mark in read_marks().items():
        found = answer(sites, url)
        if found.status == 200:
            headers = {name.lower(): value for name, value in found.headers}
            told[mark.kind, kind_of(read_page(found.body, url, headers))] += 1
    assert told["list", "listing"] >= 0.95 * (told["list", "listing"] + told["list", "article"])
    assert told["detail", "article"] >= 0.95 * (told["detail", "listing"] + told["detail", "article"])
