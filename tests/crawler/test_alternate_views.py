"""Which of two addresses shows the other once more, and which page presents the other by its title."""

import pytest

from crawler.dedup.duplicate_pages import view_of
from semantic.parsing.fingerprint import presented, presented_as
from semantic.parsing.page_reader import read_page

VIEWS = {
    "/tag/tea/": "a list by tag",
    "/blog/Tags/tea/index.html": "a list by tag",
    "/%E6%A0%87%E7%AD%BE/%E8%8C%B6/": "a list by tag",
    "/category/drinks/tea": "a list by category",
    "/?cat=7": "a list by category",
    "/author/me/": "a list by author",
    "/2019/": "a list by month",
    "/2019/05/": "a list by month",
    "/blog/2019/5/12/": "a list by month",
    "/?m=201905": "a list by month",
    "/tea/page/2/": "a further page of a list",
    "/2004/02/page/2.html": "a further page of a list",
    "/list?sort=a&page=3": "a further page of a list",
    "/print/tea": "a print view",
    "/tea?print=1": "a print view",
    "/tea/amp/": "a mobile view",
    "/tea/?replytocom=12": "a view of one comment",
    "/w/index.php?title=Tea&oldid=7": "an old version",
    "/search?q=tea": "a search",
}
PAGES = (
    "/",
    "/2019/05/12/green-tea/",
    "/2019/13/",
    "/2019/05/page/1/",
    "/archives/1234",
    "/topic/17",
    "/tea?page=1",
    "/tea?p=12",
    "/tagged-tea",
    "/page/about",
    "/printers",
    "/tea?tag=",
)


@pytest.mark.parametrize("path", [*VIEWS, *PAGES])
def test_views_are_known_by_the_names_that_programs_give(path: str) -> None:
    assert view_of(f"http://a.example{path}") == VIEWS.get(path, "")


def _read(url: str, html: str):
    return read_page(html.encode(), url, {"content-type": "text/html; charset=utf-8"})


def test_a_list_presents_what_its_heading_links_to_by_title() -> None:
    tag = _read(
        "http://a/tag/tea/",
        "<title>Tea | Blog</title><h1><a href='/'>A blog with a name of many words</a></h1>"
        "<a href='/x'>a very long link in no heading at all</a>"
        "<h2 class=t><a href='/green/'>Green <i>tea</i></a></h2><h3><a href='/b'>News</a></h3>",
    )
    article = _read("http://a/green/", "<title>green  TEA – Blog</title><p>text")
    by_heading = _read("http://a/green/", "<title>Blog</title><h1>Green tea</h1><p>text")
    assert presented(tag) in presented_as(article)
    assert presented(tag) in presented_as(by_heading)
    assert presented(tag) not in presented_as(_read("http://a/green/", "<title>Black tea – Blog</title>"))
    assert presented(tag) not in presented_as(_read("http://a/other/", "<title>Green tea – Blog</title>"))
    assert presented(article) is None


def test_a_chinese_title_is_found_in_its_parts() -> None:
    listing = _read("http://a/标签/茶", "<h2><a href='/p/1'>龙井茶</a></h2>")
    assert presented(listing) in presented_as(_read("http://a/p/1", "<title>龙井茶_某某博客</title>"))
