"""Formulas 1 and 2 of paper J by hand.

good (2 samples): ice 3, snow 1: 4 occurrences. bad (1 sample): car 2, ice 1, road 1: 4. V: ice, snow, car, road.
  P(ice | good) = 4/8, P(car | good) = 1/8;   P(ice | bad) = 2/8, P(car | bad) = 3/8;   P(good) = 2/3, P(bad) = 1/3
"""

from math import log

import pytest

from semantic.learning.naive_bayes import FEWEST, LEAD, NaiveBayes, TopicBayes


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


def test_the_classifier_knows_with_five_samples_of_each_class():
    model = TopicBayes(marked=False)
    for _ in range(FEWEST):
        assert not model.knows
        model.learn({"ice": 1}, good=True)
        model.learn({"car": 1}, good=False)
    assert model.knows
    assert model.good({"ice": 1}) == pytest.approx(6 / 7)  # 6/7 to 1/7


def test_no_class_gets_ahead_but_by_the_classifier_s_errors():
    """Five good ones and LEAD more bad ones; one more that looks bad is passed over, one that looks good is taken."""
    model = TopicBayes(marked=False)
    for _ in range(FEWEST):
        model.learn({"ice": 1}, good=True)
    for _ in range(FEWEST + LEAD + 3):
        model.learn({"car": 1}, good=False)
    assert model.remember()["bayes"]["samples"] == {"good": FEWEST, "bad": FEWEST + LEAD}
    model.learn({"ice": 3}, good=False)
    model.learn({}, good=True)
    assert model.remember()["bayes"]["samples"] == {"good": FEWEST, "bad": FEWEST + LEAD + 1}


def test_every_page_that_the_user_marked_is_learned():
    model = TopicBayes(marked=True)
    for _ in range(FEWEST):
        model.learn({"ice": 1}, good=True)
    for _ in range(10 * LEAD):
        model.learn({"car": 1}, good=False)
    assert model.remember()["bayes"]["samples"] == {"good": FEWEST, "bad": 10 * LEAD}


def test_the_words_that_speak_for_a_class():
    """Five of good: ice 2, snow 1; of bad: car 2: (1 + 10) / 18 to 1 / 13 for ice, (1 + 5) / 18 to 1 / 13 for snow."""
    model = TopicBayes(marked=False)
    for _ in range(FEWEST):
        model.learn({"ice": 2, "snow": 1}, good=True)
        model.learn({"car": 2}, good=False)
    assert model.evidence({"snow": 1, "ice": 1, "car": 1, "sea": 1}) == ["ice", "snow"]
    assert model.evidence({"snow": 1, "car": 2}) == ["car"]


def test_the_words_typical_of_a_class():
    """For good: ice 4/8 to 2/8, snow 2/8 to 1/8; ice is the commoner one. For bad: car 3/8 to 1/8, road 2/8 to 1/8."""
    model = trained()
    assert model.typical("good", 5) == [(pytest.approx(log(2)), "ice"), (pytest.approx(log(2)), "snow")]
    assert model.typical("bad", 5) == [(pytest.approx(log(3)), "car"), (pytest.approx(log(2)), "road")]
    assert len(model.typical("bad", 1)) == 1
