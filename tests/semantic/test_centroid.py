"""Paper C by hand. Seeds (4, 0) and (0, 2) over the words ice, snow: M = (2, 1)."""

from math import sqrt

import pytest
from miniature import page

from semantic.learning.centroid import Centroid, cosine, kind_of, own_text
from semantic.page import PARAGRAPH, Page, Position, Span

SEEDS = {"a": {"ice": 4.0}, "b": {"snow": 2.0}}


def test_the_mean_of_the_seeds():
    centroid = Centroid(SEEDS, 0.7)
    assert centroid.centre() == {"ice": 2, "snow": 1}
    assert centroid.similarity({"ice": 1}) == pytest.approx(2 / sqrt(5))


def test_a_page_is_compared_over_the_seeds_features_alone():
    """(2, 1) and four words more of other things: 1 over ice and snow; over all words 5 / sqrt(5 · 25) = 0.45."""
    page = {"ice": 2, "snow": 1, "car": 2, "road": 4}
    assert cosine(page, {"ice": 2, "snow": 1}) == pytest.approx(0.447, abs=0.001)
    assert Centroid(SEEDS, 0.7).similarity(page) == pytest.approx(1)


def test_the_most_frequent_words_of_all_seeds_are_the_features():
    """tea 1 + 2, pot 2, cup 1, ice 1: of three features the third is cup, first by the word."""
    centroid = Centroid({"a": {"tea": 1, "pot": 2, "ice": 1}, "b": {"tea": 2, "cup": 1}}, 0.7, features=3)
    assert centroid.centre() == pytest.approx({"tea": 1.5, "pot": 1, "cup": 0.5})


def test_a_late_seed_changes_features_and_keeps_their_drift():
    """(3, 1) moved the centre; with 8 tea of a new seed ice and tea are the two features: (4 + 3, 8) / (3 + 1)."""
    centroid = Centroid(SEEDS, 0.7, features=2)
    assert centroid.update({"ice": 3, "snow": 1})
    centroid.add_seed("c", {"tea": 8})
    assert centroid.centre() == pytest.approx({"ice": 7 / 4, "tea": 2})


def test_the_centre_drifts_by_pages_like_some_seed():
    """(3, 1) has cosine 3 / sqrt(10) = 0.95 with the first seed: M' = (2 · 2 + 3, 2 · 1 + 1) / 3 = (7/3, 1)."""
    centroid = Centroid(SEEDS, 0.7)
    assert centroid.update({"ice": 3, "snow": 1})
    assert centroid.centre() == pytest.approx({"ice": 7 / 3, "snow": 1})
    assert centroid.update({"snow": 5})  # M'' = (7/3 · 3, 1 · 3 + 5) / 4
    assert centroid.centre() == pytest.approx({"ice": 7 / 4, "snow": 2})


def test_a_page_like_the_centre_but_no_seed_moves_nothing():
    """(1, 1) has cosine 1 / sqrt(2) = 0.707 with both seeds, 0.95 with the centre."""
    centroid = Centroid(SEEDS, 0.71)
    assert centroid.similarity({"ice": 1, "snow": 1}) == pytest.approx(3 / sqrt(10))
    assert not centroid.update({"ice": 1, "snow": 1})
    assert centroid.centre() == {"ice": 2, "snow": 1}


def test_a_vector_without_words_is_like_nothing():
    assert cosine({}, {"ice": 1}) == 0
    assert Centroid({}, 0.5).similarity({"ice": 1}) == 0


def test_hub_and_topic_pages():
    """7 of 10 characters in anchors: a hub; 6 of 10: not more than 0.6, a topic page."""
    hub = page((Position.ANCHOR, "ice"), (Position.OTHER, "sea"), (Position.ANCHOR, "snow"))
    assert (kind_of(hub), own_text(hub)) == ("hub", f"ice{PARAGRAPH}snow")
    topic = page((Position.TITLE, "sea"), (Position.ANCHOR, "glacie"), (Position.OTHER, "x"))
    assert (kind_of(topic), own_text(topic)) == ("topic", f"sea{PARAGRAPH}x")


def test_a_word_in_two_spans_stays_one():
    spans = (Span(0, 3, Position.OTHER), Span(3, 6, Position.STRONG), Span(7, 8, Position.ANCHOR))
    assert own_text(Page("http://example.org/", "", "glacie a", spans, ())) == "glacie"


def test_a_page_without_text():
    assert (kind_of(page()), own_text(page())) == ("topic", "")
