"""PageRank and genetic factor of paper A by hand."""

from array import array
from itertools import pairwise

import pytest
from stored_memory import stored

from semantic.learning.genetic_factor import SEED_VAL, inherited_val, two_key_priority
from semantic.learning.known_web import KnownWeb
from semantic.learning.pagerank import RankedWeb, pagerank


def web(links: dict[str, list[str]]) -> KnownWeb:
    known = KnownWeb()
    for page, targets in links.items():
        known.add(page, targets)
    return known


def ranks(known: KnownWeb) -> dict[str, float]:
    return dict(zip(known.addresses, pagerank(known), strict=True))


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        # a = 0.15 + 0.85 c, b = 0.15 + 0.85 a/2, c = 0.15 + 0.85 (a/2 + b)
        ({"a": ["b", "c"], "b": ["c"], "c": ["a"]}, {"a": 1.163369, "b": 0.644432, "c": 1.192199}),
        # s and t have 0.15 and give half of 0.85 of it to each; what is only linked to hands nothing on
        ({"s": ["x", "y"], "t": ["y", "z"]}, {"s": 0.15, "t": 0.15, "x": 0.21375, "y": 0.2775, "z": 0.21375}),
        # a link counts once, and none to the page itself
        ({"s": ["x", "s", "x"]}, {"s": 0.15, "x": 0.2775}),
        ({}, {}),
    ],
)
def test_pagerank_satisfies_the_formula(links, expected):
    assert ranks(web(links)) == pytest.approx(expected, abs=1e-5)


def test_links_to_a_redirected_address_count_for_its_target():
    """Both links of s lead to y, over x and w: 0.15 + 0.85 · 0.15."""
    known = web({"s": ["x", "y"]})
    known.end("x", "w")
    known.end("w", "y")
    assert ranks(known)["y"] == pytest.approx(0.2775)


def test_addresses_that_lead_to_each_other_end_somewhere():
    known = web({"s": ["x"]})
    for one, other in (("x", "y"), ("y", "z"), ("z", "x")):
        known.end(one, other)
    assert sum(ranks(known).values()) == pytest.approx(4 * 0.15 + 0.85 * 0.15)


def test_meanwhile_a_target_gets_what_a_new_page_hands_on():
    """s: 0.85 · 0.15 / 2 to x and y each; x then has 0.21375 and hands 0.85 of it to y."""
    ranked = RankedWeb()
    ranked.add("s", ["x", "y"])
    assert list(ranked.ranks) == pytest.approx([0.15, 0.21375, 0.21375])
    ranked.add("x", ["y"])
    assert list(ranked.ranks) == pytest.approx([0.15, 0.21375, 0.21375 * 1.85])
    assert ranked.mean == pytest.approx(sum(ranked.ranks) / 3)
    assert not ranked.compute()


def test_computed_anew_after_fifty_pages_and_then_a_tenth_more():
    ranked = RankedWeb()
    due = []
    for number in range(600):
        ranked.add(f"p{number}", [f"p{number + 1}"])
        if ranked.compute():
            due.append(number + 1)
    assert due == [50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550]
    assert ranked.ranks[2] == pytest.approx(0.15 * (1 + 0.85 + 0.85**2))
    assert ranked.mean == pytest.approx(sum(ranked.ranks) / 601)


def test_numbers_and_addresses_come_back_from_their_text():
    known = web({"s": ["x", "y"]})
    known.end("x", "w")
    again = KnownWeb()
    again.restore(stored(known))
    assert (again.addresses, again.number("y"), again.number("new")) == (["s", "x", "y", "w", "new"], 2, 4)
    assert (again.links, again.moved) == (array("i", [2, -2, -1, -1, -1]), array("i", [0, 3, 2, 3, 4]))
    empty = KnownWeb()
    empty.restore(stored(KnownWeb()))
    assert empty.addresses == []


def test_val_is_inherited_whole_or_by_the_factor():
    assert inherited_val(SEED_VAL, 0.2) == 100
    assert inherited_val(SEED_VAL, 0.15) == 100
    assert inherited_val(SEED_VAL, 0.1) == 50
    assert inherited_val(50, 0.3) == 50
    assert inherited_val(50, 0.1, r=0.8) == pytest.approx(40)


@pytest.mark.parametrize("r", [0.5, 0.8])
def test_one_number_has_the_order_of_the_two_keys(r):
    pairs = [(SEED_VAL * r**n, relevance) for n in (0, 1, 2, 30) for relevance in (9.0, 1.2, 1.0, 0.3, 0.0)]
    assert pairs == sorted(pairs, reverse=True)
    numbers = [two_key_priority(inherited, relevance, r) for inherited, relevance in pairs]
    assert all(before > after for before, after in pairwise(numbers))
