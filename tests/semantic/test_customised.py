"""Paper C from seeds alone: seeds (4, 0) and (0, 2) over the words ice, snow, as in test_centroid."""

import json
from math import sqrt

import pytest
from miniature import page, shares

from ontology.lexicon import Lexicon
from ontology.topic import Topic
from semantic.counting import ConceptCounts
from semantic.judges.centre import CentreJudge
from semantic.page import Position
from semantic.samples import Samples
from semantic.strategies import build_understanding
from semantic.words import WordReader

NOTHING = ConceptCounts((), 0, 0)
HERE = "http://example.org/"
SEEDS = (HERE + "ice", HERE + "snow")


def judge(threshold=0.3, like=0.3):
    samples = Samples(None, SEEDS, None)
    return samples, CentreJudge(samples, WordReader(), threshold, like)


def text(words, url=HERE):
    return page((Position.OTHER, words), url=url)


def seeded(like=0.3):
    _, made = judge(like=like)
    made.judge(text("ice ice ice ice", SEEDS[0]), NOTHING)
    made.judge(text("snow snow", SEEDS[1]), NOTHING)
    return made


def test_seeds_make_the_centre_as_they_come():
    """The first is the centre; after the second M = (2, 1), to which it has cosine 1 / sqrt(5)."""
    _, made = judge()
    assert made.judge(text("ice ice ice ice", SEEDS[0]), NOTHING).score == pytest.approx(1)
    assert made.judge(text("snow snow", SEEDS[1]), NOTHING).score == pytest.approx(1 / sqrt(5))


def test_a_page_like_a_seed_moves_the_centre_and_is_compared_with_it_then():
    """(3, 1) is like the first seed: the sum (4, 2) becomes (7, 3); cosine (21 + 3) / sqrt(10 · 58)."""
    relevance = seeded().judge(text("ice ice ice snow"), NOTHING)
    assert relevance.score == pytest.approx(24 / sqrt(10 * 58))
    assert relevance.on_topic
    assert shares(relevance.reasons) == pytest.approx(relevance.score)


def test_a_page_like_no_seed_moves_nothing():
    """(1, 1) has cosine 0.707 with both seeds; with M (4 + 2) / sqrt(2 · 20)."""
    made = seeded(like=0.71)
    for _ in range(2):
        assert made.judge(text("ice snow"), NOTHING).score == pytest.approx(6 / sqrt(40))


def test_a_seed_behind_a_redirect_is_a_seed():
    samples, made = judge()
    samples.forget(SEEDS[0], HERE + "moved")
    assert made.judge(text("ice", HERE), NOTHING).score == 0  # nothing is known yet
    assert made.judge(text("ice", HERE + "moved"), NOTHING).score == pytest.approx(1)


def test_a_hub_is_compared_by_its_anchors():
    hub = page((Position.ANCHOR, "ice ice ice"), (Position.OTHER, "car"))
    relevance = seeded().judge(hub, NOTHING)
    assert [reason.detail for reason in relevance.reasons] == ["ice"]
    assert "hub" in relevance.reasons[0].what


def test_without_an_ontology_links_take_their_pages_cosine_and_a_resume_changes_nothing():
    body = b"<p>green tea leaves</p><a href='/more'>more</a>"
    nothing = (Topic(None, "seeds", {}, {}), Lexicon((), {}))
    going, stopped = (build_understanding("customised", *nothing, None, {}, seeds=[HERE]) for _ in range(2))
    first = going.understand(body, HERE, {})
    assert first.relevance.score == pytest.approx(1)
    assert [priority.score for _, priority in first.links] == [first.relevance.score]
    stopped.restore(going.remember())
    again = [each.understand(b"<p>tea</p><a href='/x'>x</a>", HERE + "more", {}) for each in (going, stopped)]
    assert again[0] == again[1]
    assert 0 < again[0].relevance.score < 1


def test_the_centre_comes_back_through_json():
    made = seeded()
    made.judge(text("ice ice ice snow"), NOTHING)
    _, resumed = judge()
    resumed.restore(json.loads(json.dumps(made.remember())))
    assert resumed.judge(text("snow"), NOTHING) == made.judge(text("snow"), NOTHING)
