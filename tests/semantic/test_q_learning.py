"""Algorithm 3 of paper J on its own example, figure 2."""

import pytest

from semantic.learning.q_learning import q_values
from semantic.records import LinkGraph

FIGURE_2 = "1-2 2-3 1-4 4-5 5-6 4-7 1-7 7-9 1-8 8-9 9-10"


def graph(links: str, results: str) -> LinkGraph:
    pairs = tuple((pair.split("-")[0], pair.split("-")[1]) for pair in links.split())
    pages = tuple(dict.fromkeys(page for pair in pairs for page in pair))
    return LinkGraph(pages, pairs, frozenset(results.split()), frozenset({pages[0]}))


def test_figure_2():
    q = q_values(graph(FIGURE_2, "3 6 10"), rd=100, gamma=0.9)
    assert [q[page] for page in "1245789"] == pytest.approx([90, 100, 90, 100, 90, 90, 100])
    assert [q[page] for page in ("3", "6", "10")] == [100, 100, 100]


@pytest.mark.parametrize(
    ("links", "results", "given", "expected"),
    [
        ("a-b b-c c-d", "d", {}, {"a": 0.81, "b": 0.9, "c": 1, "d": 1}),
        # b is worth 1 by its own result, not more by the way a-b-r-a; z leads nowhere
        ("a-b b-r r-a b-a a-z", "r", {}, {"a": 0.9, "b": 1, "r": 1, "z": 0}),
        # taken in the order a, b, c, a value moves one link up a sweep
        ("a-b b-c c-d", "d", {"k": 2}, {"a": 0, "b": 0.9, "c": 1, "d": 1}),
    ],
)
def test_q_of_chains_circles_and_few_sweeps(links, results, given, expected):
    assert q_values(graph(links, results), **given) == pytest.approx(expected)
