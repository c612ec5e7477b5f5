"""The measures of the judge, with sums done by hand."""

import pytest

from benchmarks.judge import Figures, average_precision, f1, report


def test_average_precision_by_hand():
    scores = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.1}
    assert average_precision(scores, {"a", "c"}) == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert average_precision(scores, set()) == 0


def test_f1_counts_what_was_fetched():
    assert f1({"a": 0.6, "b": 0.6, "c": 0.1}, {"a", "c", "never fetched"}) == pytest.approx(2 * 1 / (2 + 2))


def test_labels_of_addresses_have_a_mean_of_their_own():
    marks = {10: 0.1, 20: 0.2, 40: 0.3}
    found = [Figures(task, 10, 2, 0.5, 0.4, marks, marks, marks, marks) for task in ("uci/a", "zhblogs/b")]
    told = report(found, 10)
    assert "**mean, labels of content** (1)" in told
    assert "**mean, labels of address** (1)" in told
