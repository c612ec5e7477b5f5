"""Formulas 1 and 2 of paper J by hand.

good (2 samples): ice 3, snow 1; bad (1 sample): car 2, ice 1, road 1. V: 4 words; both classes have 4 occurrences.
  P(ice | good) = 4/8, P(car | good) = 1/8;   P(ice | bad) = 2/8, P(car | bad) = 3/8;   P(good) = 2/3, P(bad) = 1/3
"""

import json

import pytest

from semantic.learning.naive_bayes import NaiveBayes, TopicBayes


def trained() -> NaiveBayes:
    model = NaiveBayes(("good", "bad"))
    model.add("good", {"ice": 2})
    model.add("good", {"ice": 1, "snow": 1})
    model.add("bad", {"car": 2, "ice": 1, "road": 1})
    return model


def test_formulas_1_and_2():
    """ice: 2/3 · 4/8 to 1/3 · 2/8 is 4 to 1; ice and car twice: 2/3 · 4/8 · 1/64 to 1/3 · 2/8 · 9/64 is 4 to 9."""
    one, both, unknown = trained().posteriors([{"ice": 1}, {"ice": 1, "car": 2}, {"sea": 5}])
    assert one == pytest.approx({"good": 4 / 5, "bad": 1 / 5})
    assert both == pytest.approx({"good": 4 / 13, "bad": 9 / 13})
    assert unknown == pytest.approx({"good": 2 / 3, "bad": 1 / 3})


def test_a_later_sample_counts_at_once():
    """Now 6 occurrences and 2 samples in bad: P(ice | bad) = 2/10; 1/2 · 4/8 to 1/2 · 2/10 is 5 to 2."""
    model = trained()
    model.posteriors([{"ice": 1}])
    model.add("bad", {"car": 2})
    assert model.posteriors([{"ice": 1}]) == [pytest.approx({"good": 5 / 7, "bad": 2 / 7})]


def test_long_pages_do_not_underflow():
    (posterior,) = trained().posteriors([{"car": 100_000}])
    assert posterior == pytest.approx({"good": 0, "bad": 1})


def test_ready_when_every_class_has_words():
    model = NaiveBayes(("good", "bad"))
    model.add("good", {"ice": 1})
    assert not model.ready
    model.add("bad", {})
    assert not model.ready
    assert trained().ready


def test_no_documents():
    assert NaiveBayes(("good", "bad")).posteriors([]) == []


def test_resumed_through_json():
    resumed = NaiveBayes(("good", "bad"))
    resumed.restore(json.loads(json.dumps(trained().remember())))
    assert resumed.posteriors([{"ice": 1, "car": 2}]) == trained().posteriors([{"ice": 1, "car": 2}])


def test_no_class_gets_far_ahead_but_by_what_the_classifier_gets_wrong():
    """One ahead at most: of three bad ones two are taken; a bad one that looks good is taken nevertheless."""
    model = TopicBayes(least=1, lead=1)
    model.add({"car": 1}, good=False)
    assert not model.ready
    model.add({"ice": 1}, good=True)
    assert model.ready
    for _ in range(2):
        model.add({"car": 1}, good=False)
    assert model.samples == (1, 2)
    model.add({"ice": 5}, good=False)
    model.add({}, good=False)
    assert model.samples == (1, 3)


def test_enough_is_enough():
    model = TopicBayes(least=1, lead=9, most=2)
    for _ in range(5):
        model.add({"ice": 1}, good=True)
    assert model.samples == (2, 0)


def test_the_words_that_say_most():
    """good: ice 3, snow 1; bad: car 2, road 1; V has 4. ice speaks for good by log(4/8 : 1/7), snow by log(2/8 : 1/7)."""
    model = TopicBayes(least=1, lead=9)
    model.add({"ice": 3, "snow": 1}, good=True)
    model.add({"car": 2, "road": 1}, good=False)
    assert model.telling({"snow": 1, "ice": 1, "car": 1, "sea": 1}) == ["ice", "snow"]
    assert model.telling({"snow": 1, "car": 2}) == ["car"]
