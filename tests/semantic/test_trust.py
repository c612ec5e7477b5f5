"""How much of what was learned is believed, with sums done by hand."""

from math import nan

import numpy as np
import pytest
from miniature import LEXICON, TOPIC

from semantic.fusion.features import NAMES, PRIOR
from semantic.fusion.learner import Learner, Weights
from semantic.fusion.trust import Trust
from semantic.wordtable import build_word_table


def after(said: list[tuple[float, float]], worth: list[float]) -> Trust:
    trust = Trust()
    for prior, learned in said:
        trust.hear(prior, learned)
    trust.compare(np.array(worth))
    return trust


def test_without_a_comparison_the_learner_takes_over_with_the_pages():
    assert [Trust().share(n) for n in (0, 100, 300)] == [0, 0.5, 0.75]


def test_the_share_is_what_would_have_foretold_the_last_pages_best():
    """d = +-0.2, e = +-0.1, both centred: g = 0.02 n / 0.04 n = 0.5; of 4 pages beside 100 that say 300/400."""
    trust = after([(0.5, 0.7), (0.5, 0.3)] * 2, [9.0, 0.6, 0.4, 0.6, 0.4])  # 9.0: a page from before any was heard of
    assert trust.share(300) == pytest.approx((4 * 0.5 + 75) / 104)


def test_a_level_that_is_wrong_for_all_pages_says_nothing_of_their_order():
    assert after([(0.9, 0.2), (0.8, 0.3)] * 50, [0.9, 0.8] * 50).share(100) == pytest.approx(50 / 200)
    assert after([(0.9, 0.2), (0.8, 0.1)] * 50, [0.1, 0.0] * 50).share(100) == 0.5  # they say the same


def test_what_is_worse_than_the_prior_is_no_more_believed_after_200_pages():
    says, is_so = [(0.6, 0.1), (0.1, 0.6)] * 100, [0.6, 0.1] * 100
    assert after(says, is_so).share(10_000) == pytest.approx(99.0099 / 300, abs=1e-4)
    assert after([(0.6, 0.1), (0.1, 0.6)] * 100, [0.9, -0.2] * 100).share(10_000) == 0  # g < 0
    assert after(says[:100] + [(0.6, 0.9), (0.1, 0.0)] * 100, is_so[:100] + [0.9, 0.0] * 100).share(10_000) > 0.99


def test_pages_of_which_nothing_was_said_are_left_out():
    assert after([(nan, nan), (0.5, nan)], [1.0, 0.0]).share(100) == 0.5
    with_seed = after([(nan, nan), (0.5, 0.7), (0.5, 0.3)], [1.0, 0.6, 0.4])
    assert with_seed.share(300) == pytest.approx((2 * 0.5 + 75) / 102)


def test_the_learner_goes_back_to_the_prior_where_it_was_better():
    """What the evidence says turns round: what was learned is wrong for the next 200 pages, and the prior is right."""
    learner, rng = Learner(Weights()), np.random.default_rng(1)
    x = np.zeros((600, len(NAMES)))
    x[:, PRIOR], x[:, NAMES.index("host")] = rng.random((2, 600))
    y = np.where(np.arange(600) < 300, x[:, NAMES.index("host")], x[:, PRIOR])
    tokens, nothing = np.zeros((600, 48), np.int32), np.zeros(600)
    trusted = []
    for n in range(600):
        learner.follow(0.5, x[n], n + 1)
        if n + 1 in (100, 300, 500):
            learner.fit(tokens[: n + 1], x[: n + 1], y[: n + 1], nothing[: n + 1], n + 1)
            trusted.append(learner.trust)
    assert trusted[1] > 0.9
    assert trusted[2] < 0.4
    again = Learner(Weights())
    again.restore(learner.remember())
    for one in (learner, again):
        one.follow(0.5, x[0], 601)
        one.fit(tokens, x, y, nothing, 601)
    assert again.trust == learner.trust


def test_words_are_told_with_their_concept_and_its_generation():
    table = build_word_table(LEXICON, TOPIC)
    assert table.meanings == (
        "fighter", "fighter jet (fighter)", "F-22 (1 below fighter)", "missile", "导弹 (missile)",
        "catalogue (layer 1)", "portal (layer 2)",
    )  # fmt: skip
    assert table.told([2, 2, 5, 0]) == "F-22 (1 below fighter), catalogue (layer 1), fighter"
