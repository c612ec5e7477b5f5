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


def test_a_page_is_a_listing_from_a_third_on():
    """100 in the link, t and a blank outside: 100 / (100 + t + 1 + 50) is one third where t is 149."""
    link = f'<a href="/y">{"y" * 100}</a>'
    assert [kind(f"<p>{'x' * size} {link}</p>") for size in (149, 150)] == ["listing", "article"]


HEADED = '<h2><a href="{url}">snow</a></h2><p>{text}</p>'
ENTRIES = [
    HEADED,
    '<article id="p{url}"><header><h3 class="t"><a href="{url}">snow</a></h3></header><p>{text}</p></article>',
    '<li><a href="{url}">snow</a> {text}</li>',
    '<div class="entry"><a href="{url}">snow</a><p>{text}</p></div>',
]
NO_ENTRIES = [
    "<h2>snow</h2><p>{text}</p>",
    '<p>There is <a href="{url}">snow</a> here. {text}</p>',
    '<p><a href="{url}">snow</a> {text}</p>',
    '<h1><a href="/">Our village</a></h1><p>{text}</p>',
]
MENU = "".join(f'<li><a href="/{number}">part {number}</a></li>' for number in range(6))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        *((posts(markup), "listing") for markup in ENTRIES),
        *((posts(markup), "article") for markup in NO_ENTRIES),
        (f"<ul>{MENU}</ul><p>{LONG * 3}</p>", "article"),
        (HEADED.format(url="/y", text=LONG), "listing"),
        (f'<div><a href="/y">snow</a> {LONG}</div>', "article"),  # one counts below a heading only
        (posts(HEADED, LONG * 20), "article"),  # whole texts are no excerpts
        ("", "article"),
    ],
)
def test_excerpts_below_entries_make_a_listing(body, expected):
    assert kind(body) == expected


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
