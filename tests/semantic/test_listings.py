"""Listings and articles: which forms of entries make a listing, what counts as one, and the demonstration web."""

from collections import Counter

import pytest

from examples.pages import answer
from examples.sites import read_marks, read_sites
from semantic.parsing.page_kind import kind_of
from semantic.parsing.page_reader import pack, read_page, unpack

LONG = "Snow fell all night, and nobody in the village had seen the like of it for years. "


def kind(body: str, url: str = "http://a.example/x", title: str = "") -> str | None:
    return kind_of(read_page(f"<title>{title}</title><body>{body}</body>".encode(), url, {}))


def posts(markup: str, text: str = LONG, count: int = 5) -> str:
    return "".join(markup.format(url=f"/{number}", text=text) for number in range(count))


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
    '<h1><a href="http://a.example/x/">Snow</a></h1><p>{text}</p>',
]
MENU = posts('<li><a href="{url}">part of the long course about snow</a></li>', count=60)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        *((posts(markup), "listing") for markup in ENTRIES),
        *((posts(markup), "article") for markup in NO_ENTRIES),
        (posts(HEADED, LONG * 20), "listing"),  # whole posts
        (posts(HEADED, LONG * 20, 2) + f"<h2>Snow</h2><p>{LONG * 60}</p>", "article"),  # most is below no entry
        (f"<p>{LONG * 20}</p>" + posts(HEADED, LONG, 3), "article"),  # other posts below one
        (HEADED.format(url="/y", text=LONG), "listing"),
        (HEADED.format(url="/y", text=LONG) + f"<h2>Snow</h2><p>{LONG}</p>", "article"),
        (f'<div><a href="/y">snow</a> {LONG}</div>', "article"),  # one counts in a heading only
        (posts('<td><a href="{url}">snow in the village</a></td>'), "listing"),  # links alone
        (posts('<td><a href="{url}">snow in the village</a></td>') + f"<p>{LONG * 5}</p>", "article"),
        ("", "article"),
    ],
)
def test_entries_that_fill_half_make_a_listing(body, expected):
    assert kind(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        f"<ul>{MENU}</ul><h1>Crystals</h1><p>{LONG * 2}</p>",  # above the heading of the page's own
        f"<p>{LONG * 2}</p><nav><ul>{MENU}</ul></nav>",
        f'<p>{LONG * 2}</p><div class="left-menu"><ul>{MENU}</ul></div>',
        f'<h3>Crystals</h3><p>{LONG * 20}</p><div class="x"><ul>{MENU}</ul></div>',  # it has much text
    ],
)
def test_a_lesson_with_a_long_menu_is_an_article(body):
    assert kind(body, title="Crystals - Course about snow") == "article"


def test_contents_inside_the_article_are_its_own():
    assert (
        kind(f"<main><h1>Title 7</h1><nav class='toc'><ul>{MENU}</ul></nav></main>", title="Title 7 | Law") == "listing"
    )


@pytest.mark.parametrize("title", ["Tag: snow", "标签: 雪", "Index of /snow", "Monthly Archives: December | Village"])
def test_a_page_that_calls_itself_one_is_a_listing(title):
    assert kind(f"<p>{LONG * 30}</p>", title=title) == "listing"


@pytest.mark.parametrize("title", ["雪 - 标签 - 村", "Archives | Village", "Snow Archives"])
def test_a_word_in_the_title_makes_few_entries_enough(title):
    body = posts('<li><a href="{url}">snow</a> {text}</li>', "Snow fell.") + f"<p>{LONG * 2}</p>"
    assert (kind(body, title=title), kind(body, title="Snow")) == ("listing", "article")
    assert kind(f"<p>{LONG * 30}</p>", title=title) == "article"


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
    """A person called "list" also what has one or two links and a sentence, and articles that end in links."""
    told: Counter[tuple[str, str | None]] = Counter()
    sites = read_sites()
    for url, mark in read_marks().items():
        found = answer(sites, url)
        if found.status == 200:
            headers = {name.lower(): value for name, value in found.headers}
            told[mark.kind, kind_of(read_page(found.body, url, headers))] += 1
    assert told["detail", "listing"] == told["detail", "error"] == told["list", "error"] == 0
    assert told["list", "listing"] >= 0.7 * (told["list", "listing"] + told["list", "article"])
