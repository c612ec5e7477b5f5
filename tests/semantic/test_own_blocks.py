"""Which blocks of a page are its own text."""

import random
from dataclasses import replace

import pytest

from semantic.page import PARAGRAPH, Page
from semantic.parsing.own_block_weights import TABLES
from semantic.parsing.own_blocks import BIT, NOWHERE, OWN, Row, features, inner, own_blocks, said_by
from semantic.parsing.page_reader import MAX_TEXT, bounded, pack, read_page, unpack

URL = "http://tea.example/green"
WORDS = "The leaves of green tea are heated soon after they are picked, so that they do not turn brown. "
HAN = "绿茶的叶子采下来以后很快就要杀青，这样它们就不会变成褐色。"


def page_with(text: str) -> str:
    menu = "".join(f'<li><a href="/{n}">Menu {n}</a></li>' for n in range(9))
    paragraphs = "".join(f"<p>{text * 3}</p>" for _ in range(6))
    return (
        f"<title>Green tea - Tea</title><body><nav class=menu><ul>{menu}</ul></nav>"
        f"<main><article><h1>Green tea</h1>{paragraphs}</article></main>"
        '<div class="cookie-consent"><p>We use cookies.<button>Accept</button></div>'
        "<footer><p>Copyright 2026 Tea</footer>"
    )


def read(html: str) -> Page:
    return read_page(html.encode(), URL, {})


@pytest.mark.parametrize("text", [WORDS, HAN])
def test_own_text_is_told_from_menu_notice_and_footer(text: str) -> None:
    own = own_blocks(read(page_with(text)))
    assert [block for block in own if len(block) > 40] == [(text * 3).strip()] * 6
    assert not {block for block in own if block.startswith(("Menu", "We use", "Copyright"))}


def test_each_block_has_a_score() -> None:
    page = read(page_with(WORDS))
    assert len(page.blocks) == len(page.text.split(PARAGRAPH)) == 19
    assert read("").blocks == b""


@pytest.mark.parametrize("html", ["<rt>a</rt>b<p>c", "<rt>a</rt><p>b", "<p><ruby>绿<rt>lǜ</rt></ruby>", "<rt>a"])
def test_ruby_texts_are_in_blocks(html: str) -> None:
    page = read(html)
    assert len(page.blocks) == len(page.text.split(PARAGRAPH))


def test_scores_come_back_from_the_record() -> None:
    page = replace(read(page_with(WORDS)), blocks=bytes(range(0, 200, 10)))
    assert unpack(pack(page), URL).blocks == page.blocks


def test_a_shortened_page_keeps_the_scores_of_its_blocks() -> None:
    page = bounded(read("<p>one</p>" + f"<p>{'word ' * (MAX_TEXT // 10)}</p>" * 3))
    assert len(page.text) == MAX_TEXT
    assert len(page.blocks) == len(page.text.split(PARAGRAPH)) == 3


def test_what_a_host_repeats_counts_less() -> None:
    page = Page(URL, "", PARAGRAPH.join("abc"), (), (), blocks=bytes([OWN, OWN + 100, OWN - 100]))
    assert own_blocks(page) == ["a", "b"]
    assert own_blocks(page, [True, True, True]) == ["b"]
    assert own_blocks(page, [False, False, False]) == ["a", "b"]


def test_all_is_own_where_scores_are_not_known() -> None:
    assert own_blocks(Page(URL, "", PARAGRAPH.join("abc"), (), ())) == ["a", "b", "c"]


def test_marks_hold_for_all_that_an_element_contains() -> None:
    outer = inner(NOWHERE, "div", {"class": "Site-Footer"}.get)
    place = inner(inner(outer, "ul", {"role": "navigation"}.get), "li", {}.get)
    assert place.marks == BIT["said_foot"] | BIT["nav"] | BIT["li"]
    assert said_by("post-comments") == BIT["comment"]
    assert said_by("x" * 500) == 0


def test_a_block_has_only_the_marks_of_all_its_texts() -> None:
    row = Row(inner(NOWHERE, "p", {}.get))
    row.take("Press", BIT["p"], in_link=False)
    row.take("绿茶！", BIT["p"] | BIT["button"], in_link=True)
    assert (row.marks, row.size, row.linked) == (BIT["p"], 14, 9)


def test_blocks_with_the_same_elements_around_are_seen_together() -> None:
    body, menu = (inner(NOWHERE, tag, {}.get) for tag in ("div", "nav"))
    rows = [Row(inner(outer, "p", {}.get)) for outer in (body, menu, body)]
    for row in rows:
        row.take("word " * 10, row.marks, in_link=row is rows[1])
    names = list(TABLES)
    first, linked, last = (dict(zip(names, known, strict=True)) for known in features(rows))
    assert [(one["group_count"], one["group_share"], one["links"]) for one in (first, linked, last)] == [
        (2, 6, 0),  # two blocks, which are nearly all of the page's text outside of links
        (1, 0, 7),
        (2, 6, 0),
    ]


PLEASE = "<p>Please enable JavaScript to see the discussion."


def test_a_page_shown_by_a_script_is_read_from_noscript() -> None:
    page = read(f"<title>t</title>{PLEASE}<noscript><div class=post><a href=/a>Tea</a><p>{WORDS * 9}</div></noscript>")
    assert page.text.endswith(PARAGRAPH.join(["discussion.", "Tea", (WORDS * 9).strip()]))
    assert [link.anchor for link in page.links] == ["Tea"]


@pytest.mark.parametrize(
    "html", [f"<p>{WORDS * 9}<noscript><p>{WORDS * 9}</noscript>", f"{PLEASE}<noscript>{WORDS * 3}</noscript>"]
)
def test_noscript_is_not_read_elsewhere(html: str) -> None:
    assert len(read(html).text.split(PARAGRAPH)) == 1


def test_many_blocks_with_paths_of_their_own_are_scored() -> None:
    chance = random.Random(1)
    html = "".join(f"<div class={'x' * chance.randrange(99)}>" + "<p>a" * 20 for _ in range(2000))
    assert len(read(html).blocks) == 40_000
