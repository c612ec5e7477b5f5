"""What the link graph says of waiting links: sums done by hand."""

import math

import numpy as np
import pytest

from semantic.strategies.fused.link_learner import COMMON, GAMMA, S, Vertices, layers, values


def test_q_reaches_back_over_links():
    """0 -> 1 -> 2, and 2 is worth 0.8: formulas 17 and 18 with the worth of a page as its reward."""
    edges = np.array([[0, 1], [1, 2]])
    q = values(edges, np.array([0.1, 0.0, 0.8]))
    assert q.tolist() == pytest.approx([max(0.1, GAMMA * GAMMA * 0.8), GAMMA * 0.8, 0.8])


def test_q_of_a_cycle_is_finite():
    q = values(np.array([[0, 1], [1, 0]]), np.array([0.0, 0.6]))
    assert q.tolist() == pytest.approx([GAMMA * 0.6, 0.6])


def test_no_links_leave_the_worth():
    y = np.array([0.2, 0.7])
    assert values(np.zeros((0, 2), np.int64), y).tolist() == y.tolist()


def test_layers_count_links_to_the_nearest_result():
    """3 -> 2 -> 1 -> 0 (a result): layers 0, 1, 2, and what is farther is far."""
    edges = np.array([[1, 0], [2, 1], [3, 2], [3, 3]])
    assert layers(edges, [0], 5).tolist() == [0, 1, 2, 3, 3]


def words(*rows: list[int]) -> np.ndarray:
    return np.array([[*row, *[0] * (4 - len(row))] for row in rows], np.int32)


def learned() -> Vertices:
    """Twenty pages: words 1 and 2 lead to row 7, which is worth 1; the others have a word of their own each."""
    vertices = Vertices()
    tokens = words([1, 2], *[[100 + i] for i in range(19)])
    rows = np.array([7, *range(20, 39)], np.int32)
    q = np.array([1.0, *[0.0] * 19])
    vertices.learn(rows, tokens, q, np.full(20, 3, np.int32))
    return vertices


def test_a_link_with_a_vertex_s_words_has_its_q():
    """Likeness 1 to one vertex of Q 1, 0 to all others: (1 + S m)/(1 + S), m = 1/20."""
    found, nearest = learned().evidence(words([1, 2]))
    assert found[0] == pytest.approx((1 + S * 0.05) / (1 + S), rel=1e-5)
    assert nearest[0] == 7


def test_likeness_is_the_share_of_known_words():
    """One of two equally rare words: likeness 1/2."""
    found, nearest = learned().evidence(words([1, 999]))
    assert found[0] == pytest.approx((0.25 + S * 0.05) / (0.25 + S), rel=1e-5)
    assert nearest[0] == 7


def test_a_link_like_nothing_has_the_mean():
    found, _ = learned().evidence(words([999], []))
    assert found.tolist() == pytest.approx([0.05, 0.05])


def test_common_words_tell_nothing_apart():
    vertices = Vertices()
    n = 20
    often = int(COMMON * n) + 1
    tokens = words(*[[5, 100 + i] if i < often else [100 + i] for i in range(n)])
    q = np.array([1.0] * often + [0.0] * (n - often))
    vertices.learn(np.arange(n, dtype=np.int32), tokens, q, np.full(n, 3, np.int32))
    found, _ = vertices.evidence(words([5]))
    assert found[0] == pytest.approx(q.mean())


def test_words_typical_of_a_layer():
    """Five of ten pages are layer 1 and all have word 9; no other page has: log(5.5/6) - log(5.5/11)."""
    vertices = Vertices()
    tokens = words(*[[9]] * 5, *[[50]] * 5)
    layer = np.array([1] * 5 + [3] * 5, np.int32)
    vertices.learn(np.arange(10, dtype=np.int32), tokens, np.zeros(10), layer)
    of_links = vertices.layers(words([9], [50], [9, 50], []))
    typical = math.log(5.5 / 6) - math.log(5.5 / 11)
    other = math.log(0.5 / 6) - math.log(5.5 / 11)
    assert of_links[:, 0].tolist() == pytest.approx([typical, other, (typical + other) / 2, 0.0], rel=1e-5)
    assert of_links[:, 1].tolist() == [0.0] * 4  # a layer of no pages says nothing
