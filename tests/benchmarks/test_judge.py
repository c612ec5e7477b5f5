"""The measures of the judge, with sums done by hand."""

import pytest

from benchmarks.judge import average_precision, f1, report


def test_average_precision_by_hand():
    scores = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.1}
    assert average_precision(scores, {"a", "c"}) == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert average_precision(scores, set()) == 0


def test_f1_counts_what_was_fetched():
    assert f1({"a": 0.6, "b": 0.6, "c": 0.1}, {"a", "c", "never fetched"}) == pytest.approx(2 * 1 / (2 + 2))


def test_labels_of_addresses_have_a_mean_of_their_own():
    told = report(
        {"uci/a": {"pages": 10, "AP": 0.5}, "uci/b": {"pages": 12, "AP": 1.0}, "zhblogs/c": {"pages": 8, "AP": 0.0}}, 10
    )
    assert "| **mean, labels of content** (1) | 8 | 0.000 |" in told
    assert "| **mean, labels of address** (2) | 11 | 0.750 |" in told
