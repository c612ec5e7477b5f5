"""Orders measured: a web of six pages that can be walked by hand, and the judge of ../shared on the same."""

import sys

import pytest

from crawler.simulation.order_measures import (
    area,
    breadth_first,
    found_after,
    ill_ordered,
    link_graph,
    names_linked,
    oracle,
)

A, B, C, D, E, F = (f"w.example/{name}" for name in "abcdef")
LINKS = {A: [B, C], B: [D], C: [E], D: [F], E: [], F: [A]}
PAGES = {
    "w.example/": b'<base href="http://w.example/x/"><a href="one.html">1</a>'
    b"<A class=y HREF='/two?q=1&amp;r=2'>2</A>",
    "w.example/x/one.html": b'<a href="#top">.</a><a href="mailto:a@b">.</a><a href="JavaScript:go()">.</a>'
    b'<a href=/old>moved</a><a href="https://w.example:443/x/one.html">self</a><a href="http://[">broken</a>',
    "w.example/two?q=1&r=2": b'<a href="/%E4%BA%8C">han</a> <a href="/x/one.html#part">1</a><a href="/gone">gone</a>',
    "w.example/二": b'<a href="/ring">ring</a>',
}
MOVED = {"w.example/old": "/", "w.example/ring": "http://w.example/ring"}


@pytest.fixture(scope="module")
def harvest(shared):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(shared / "measure"))
        import harvest

        yield harvest
    sys.modules.pop("harvest")


def graph():
    return link_graph({name: names_linked(body, name) for name, body in PAGES.items()}, MOVED)


def test_links_are_those_of_the_bytes_with_redirects_followed():
    assert graph() == {
        "w.example/": ["w.example/x/one.html", "w.example/two?q=1&r=2"],
        "w.example/x/one.html": ["w.example/"],
        "w.example/two?q=1&r=2": ["w.example/二", "w.example/x/one.html"],
        "w.example/二": [],
    }


def test_breadth_first_takes_what_was_found_first():
    assert breadth_first(LINKS, [A, "w.example/none"]) == [A, B, C, D, E, F]


def test_the_oracle_goes_the_shortest_way_to_the_next_target():
    assert oracle(LINKS, {F, E}, [A], 10) == [A, C, E, B, D, F]
    assert oracle(LINKS, {F}, [A], 10) == [A, B, D, F]
    assert oracle(LINKS, {F}, [A], 2) == [A, B]
    assert oracle(LINKS, set(), [A], 10) == []


def test_area_is_the_mean_share_found():
    assert found_after([False, True, True], 4) == [0, 1, 2, 2]
    assert found_after([True, True], 1) == [1]
    assert found_after([], 2) == [0, 0]
    assert area([0, 1, 2, 2], 2) == pytest.approx(5 / 8)
    assert area([0, 0], 0) == 0


def test_pairs_the_wrong_way_round():
    """One of three pairs is wrong; a tie counts half; pages of the same worth are no pair."""
    assert ill_ordered([3, 2, 1], [0.9, 0.5, 0.1]) == 0
    assert ill_ordered([3, 1, 2], [0.9, 0.5, 0.1]) == pytest.approx(1 / 3)
    assert ill_ordered([1, 1], [0.9, 0.5]) == 0.5
    assert ill_ordered([1, 2], [0.5, 0.5]) is None


def test_the_judge_of_shared_sees_the_same_links(harvest):
    pages = {name: (200, "text/html", body, None) for name, body in PAGES.items()}
    pages |= {name: (301, "", b"", location) for name, location in MOVED.items()}
    assert graph() == harvest.link_graph(pages)
