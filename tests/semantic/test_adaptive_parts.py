"""PageRank and genetic factor of paper A by hand."""

from itertools import pairwise

import pytest

from semantic.learning.genetic import SEED_VAL, inherited_val, two_key_priority
from semantic.learning.pagerank import pagerank


def test_three_pages_that_link_to_each_other_satisfy_the_formula():
    """a = 0.15 + 0.85 c, b = 0.15 + 0.85 a/2, c = 0.15 + 0.85 (a/2 + b): solved, a = 1.1633, b = 0.6444, c = 1.1922."""
    rank = pagerank({"a": ["b", "c"], "b": ["c"], "c": ["a"]})
    assert rank == pytest.approx({"a": 1.163369, "b": 0.644432, "c": 1.192199}, abs=1e-5)


def test_pages_that_are_only_linked_to_hand_nothing_on():
    """s has 0.15 and gives half of 0.85 · 0.15 to each: 0.21375; y has the half of t, too."""
    rank = pagerank({"s": ["x", "y"], "t": ["y", "z"]})
    assert rank == pytest.approx({"s": 0.15, "t": 0.15, "x": 0.21375, "y": 0.2775, "z": 0.21375})


def test_nothing_is_known():
    assert pagerank({}) == {}


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
