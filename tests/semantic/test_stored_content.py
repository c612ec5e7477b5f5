"""A page as the record keeps it comes back as it was read."""

import json
import zlib
from dataclasses import replace

import pytest

from semantic.page import Link, Page, Position, Span
from semantic.parsing.page_reader import pack, read_page, unpack

URL = "http://h.example/page"
PAGES = {
    "plain": "<title>绿茶 \U0001f375</title><h1>Tea</h1><p>green <b>tea</b>, 红茶</p>",
    "links": (
        '<html lang=zh><link rel=canonical href=/own><ul class=menu><li><a href="/a" rel="nofollow me">one</a>'
        '<li><a href="/b" title="to b">two</a></ul><p>before <a href="/c"><img alt="a pot"></a> after</p>'
        '<a href="/a">again</a><map><area href="/d" alt="a map"></map>'
    ),
    "nothing": "",
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_comes_back(name):
    page = read_page(PAGES[name].encode(), URL, {})
    assert unpack(pack(page, nodes=True), URL) == page


def test_the_tree_is_kept_where_it_is_asked_for():
    page = read_page(PAGES["links"].encode(), URL, {})
    kept = unpack(pack(page), URL)
    assert (kept.nodes, {link.node for link in kept.links}) == ((), {-1})
    assert replace(kept, nodes=page.nodes, links=page.links) == page


def test_links_that_must_not_be_followed_are_not_kept():
    page = read_page(b"<meta name=robots content=nofollow><a href=/a>one</a>", URL, {})
    assert page.links
    assert unpack(pack(page, nodes=True), URL) == replace(page, links=())


def test_what_earlier_versions_packed_is_still_read():
    links = (
        Link("http://h.example/a", "one", "", 0, 3, "", " two", "body/a", frozenset({"me", "nofollow"}), 0),
        Link("http://h.example/b", "a pot", "to b", 3, 3, "one", " two", "body/a", frozenset(), 1),
    )
    spans = (Span(0, 3, Position.ANCHOR), Span(3, 7, Position.OTHER))
    packed = {
        "text": "one two", "spans": [[0, 3, "anchor"], [3, 7, "other"]], "title": "T",
        "urls": [link.url for link in links], "starts": [0, 3], "ends": [3, 3], "paths": [0, 0],
        "tags": ["body/a"], "alts": {"1": "a pot"}, "titles": {"1": "to b"}, "rels": {"0": ["me", "nofollow"]},
    }  # fmt: skip
    assert unpack(zlib.compress(json.dumps(packed).encode()), URL) == Page(URL, "T", "one two", spans, links)
