"""Which of two addresses shows the other once more, and which page presents the other by its title."""

import pytest

from crawler.dedup.duplicate_pages import view_of
from semantic.parsing.fingerprint import presented, presented_as
from semantic.parsing.page_reader import read_page

VIEWS = {  # what an address shows once more
    "a list by tag": "/tag/tea/ /blog/Tags/tea/index.html /%E6%A0%87%E7%AD%BE/%E8%8C%B6/",
    "a list by category": "/category/drinks/tea /?cat=7",
    "a list by author": "/author/me/",
    "a list by month": "/2019/ /2019/05/ /blog/2019/5/12/ /?m=201905",
    "a further page of a list": "/tea/page/2/ /2004/02/page/2.html /list?sort=a&page=3",
    "a print view": "/print/tea /tea?print=1",
    "a mobile view": "/tea/amp/",
    "a view of one comment": "/tea/?replytocom=12",
    "an old version": "/w/index.php?title=Tea&oldid=7",
    "a search": "/search?q=tea",
}
PAGES = "/ /2019/05/12/green-tea/ /2019/13/ /2019/05/page/1/ /archives/1234 /topic/17 /tea?page=1 /tea?p=12 "
PAGES += "/tagged-tea /page/about /printers /tea?tag="
GIVEN = [(path, view) for view, paths in {**VIEWS, "": PAGES}.items() for path in paths.split()]


@pytest.mark.parametrize(("path", "view"), GIVEN)
def test_views_are_known_by_the_names_that_programs_give(path: str, view: str) -> None:
    assert view_of(f"http://a.example{path}") == view


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
