"""How much of what was learned is believed, with sums done by hand."""

from math import nan

import numpy as np
import pytest
from stored_memory import stored

from semantic.strategies.fused.crawl_evidence import NAMES, PRIOR
from semantic.strategies.fused.link_learner import Learner, Trust, Weights


def after(said: list[tuple[float, float]], worth: list[float]) -> Trust:
    trust = Trust()
    for prior, learned in said:
        trust.hear(prior, learned)
    trust.compare(np.array(worth))
    return trust


def test_without_a_comparison_the_learner_takes_over_with_the_pages():
    assert [Trust().share(n) for n in (0, 100, 300)] == [0, 0.5, 0.75]


# Prior and what was learned, each high and low with each, twice: sums of squares 8 * 0.1^2 and 8 * 0.2^2.
SAID = [(p, x) for p in (0.4, 0.6) for x in (0.3, 0.7)] * 2


def worth(b: float, g: float, chance: float = 0.0) -> list[float]:
    """c + b prior + g learned, and what neither foretells: more the first time, less the second."""
    return [0.1 + b * p + g * x + (chance if i < 4 else -chance) for i, (p, x) in enumerate(SAID)]


def test_it_loses_trust_where_it_foretold_less_than_half():
    for g, kept in [(1.2, 1.0), (0.5, 1.0), (0.25, 0.5), (0.0, 0.0), (-0.5, 0.0)]:
        for b in (0.0, 2.0):  # whatever the prior foretold
            assert after(SAID, [9.0, *worth(b, g)]).share(300) == pytest.approx(0.75 * kept, abs=1e-6), (g, b)
    # 9.0: a page from before any was heard of


def test_what_may_be_chance_costs_nothing():
    """s = sqrt(8 * 0.1^2 / (5 * 8 * 0.2^2)), and two of it more than 1/2; with a tenth of that chance they are less."""
    error = (0.1**2 / (5 * 0.2**2)) ** 0.5
    assert after(SAID, worth(1.0, 0.1, 0.1)).share(300) == pytest.approx(0.75 * min(1, 2 * (0.1 + 2 * error)))
    assert after(SAID, worth(1.0, 0.1, 0.01)).share(300) == pytest.approx(0.75 * 2 * (0.1 + 0.2 * error))
    assert after(SAID[:3], [0.9, 0.1, 0.5]).share(300) == 0.75  # three pages say nothing


def test_where_what_was_learned_is_the_prior_nothing_is_lost():
    assert after([(0.9, 0.2), (0.8, 0.1)] * 50, [0.1, 0.0] * 50).share(100) == 0.5
    assert after([(0.5, 0.2), (0.5, 0.2)] * 50, [0.1, 0.0] * 50).share(100) == 0.5


def test_where_the_prior_is_flat_learning_stands_alone():
    said = [(0.5, 0.3), (0.5, 0.7)] * 50
    assert after(said, [0.4, 0.6] * 50).share(100) == 0.5
    assert after(said, [0.55, 0.45] * 50).share(100) == 0


def test_the_last_200_pages_count():
    wrong, right = worth(1.0, -1.0), worth(0.0, 1.0)
    assert after(SAID * 60, right * 35 + wrong * 25).share(900) == pytest.approx(0, abs=1e-6)
    assert after(SAID * 60, wrong * 35 + right * 25).share(900) == 0.9


def test_pages_of_which_nothing_was_said_are_left_out():
    assert after([(nan, nan), (0.5, nan)], [1.0, 0.0]).share(100) == 0.5
    assert after([(nan, nan), *SAID, (0.5, nan)], [1.0, *worth(1.0, 0.25), 7.0]).share(300) == pytest.approx(0.375)


def test_the_learner_goes_back_to_the_prior_where_it_fails():
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
    assert trusted[1] == 0.75
    assert trusted[2] < 0.1
    again = Learner(Weights())
    again.restore(stored(learner))
    for one in (learner, again):  # with what was found, and then with what was said
        one.follow(0.5, x[0], 601)
        trusted.append(one.trust)
    for one in (learner, again):
        one.fit(tokens, x, y, nothing, 601)
        trusted.append(one.trust)
    assert trusted[3] == trusted[4] < 0.1
    assert trusted[5] == trusted[6] > 0
