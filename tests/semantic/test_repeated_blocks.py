"""A page's own text: by the scores of its blocks, and without what its host repeats."""

from semantic.page import PARAGRAPH, Page, Position, Span
from semantic.parsing.repeated_blocks import (
    by_position,
    in_own_parts,
    own_alone,
    own_on_host,
    own_parts,
    own_text,
    packed_parts,
    parts_of,
    place_in,
)


def said(title: str, *blocks: str, scores: tuple[int, ...] = ()) -> Page:
    """A page with a title and blocks below it."""
    text = PARAGRAPH.join((title, *blocks))
    spans = (Span(0, len(title), Position.TITLE),)
    return Page("http://example.org/", title, text, spans, (), blocks=bytes((128, *scores)) if scores else b"")


def packed(page: Page) -> bytes:
    return packed_parts(page, parts_of(page))


def test_title_is_cut_where_sites_put_their_name():
    page = said("Green tea - Leaves | Example", "body")
    assert [page.text[start:end] for start, end, _ in parts_of(page)] == ["Green tea", "Leaves", "Example", "body"]


def test_the_way_to_a_page_is_cut_into_steps():
    page = said("Tea", "Home > Tea › Green")
    assert [page.text[start:end] for start, end, _ in parts_of(page)] == ["Tea", "Home", "Tea", "Green"]


def test_blocks_with_a_low_score_are_not_own():
    page = said("Tea", "menu", "leaves", scores=(127, 128))
    assert own_text(page, own_parts(page, None)) == "leaves"
    assert own_alone(packed(page)) == bytes([1, 0, 1])


def test_what_stands_on_three_pages_is_repeated():
    pages = [packed(said(f"{n} - Example", "menu", f"leaf {n}")) for n in range(3)]
    assert list(own_on_host(pages)) == [bytes([1, 0, 0, 1])] * 3
    assert list(own_on_host(pages[:2])) == [bytes([1, 1, 1, 1])] * 2


def test_a_large_host_repeats_on_more_pages():
    pages = [packed(said(str(n), "quoted" if n < 3 else f"leaf {n}")) for n in range(61)]
    assert next(own_on_host(pages)) == bytes([1, 1])


def test_a_block_that_stands_twice_on_a_page_counts_once():
    pages = [packed(said(str(n), *(["twice"] * 3 if not n else [f"leaf {n}"]))) for n in range(3)]
    assert next(own_on_host(pages)) == bytes([1, 1, 1, 1])


def test_places_in_own_parts_are_counted_by_position():
    places = [place_in(0, Position.TITLE), place_in(2, Position.OTHER), place_in(2, Position.ANCHOR)]
    assert by_position(in_own_parts(places, bytes([1, 0, 1]))) == {"title": 1, "other": 1, "anchor": 1}
    assert by_position(in_own_parts(places, bytes([1, 0, 0]))) == {"title": 1}
