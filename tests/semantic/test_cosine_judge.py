"""Paper O by hand.

The page: title "F-22", anchor "missile", body "fighter and fighter", body "missile".
  fighter: tf 3 (the hyponym counts), s = 1.5 + 1 + 1 = 3.5     missile: tf 2, s = 2 + 1 = 3
  f = tf / 3                w_fighter = 3.5 * 1 * 1 = 3.5        w_missile = 3 * 2/3 * 0.5 = 1
  sim = (3.5 * 1 + 1 * 0.5) / (sqrt(3.5² + 1²) * sqrt(1² + 0.5²)) = 4 / sqrt(13.25 * 1.25)
"""

from dataclasses import replace
from math import sqrt

import pytest
from miniature import FIGHTER, LEXICON, MISSILE, TOPIC, page, shares

from ontology.errors import SettingsError
from semantic.page import Position
from semantic.strategies.ontology_based.cosine_judge import CosineJudge, weights_from
from semantic.strategies.strategy_table import build_understanding
from semantic.terms.term_matching import Matcher, build_word_table, count_concepts
from semantic.understanding import Examples, Marks

TABLE = build_word_table(LEXICON, TOPIC)
MATCHER = Matcher(LEXICON)
PAGE = page(
    (Position.TITLE, "F-22"),
    (Position.ANCHOR, "missile"),
    (Position.OTHER, "fighter and fighter"),
    (Position.OTHER, "missile"),
)


def test_formula_1_and_its_reasons():
    relevance = CosineJudge(TOPIC, TABLE).judge(PAGE, count_concepts(PAGE, MATCHER))
    assert relevance.score == pytest.approx(4 / sqrt(13.25 * 1.25))
    assert relevance.on_topic
    assert [(dict(reason.values)["name"], reason.share) for reason in relevance.reasons] == [
        ("fighter", pytest.approx(3.5 / sqrt(13.25 * 1.25))),
        ("missile", pytest.approx(0.5 / sqrt(13.25 * 1.25))),
    ]


def test_a_root_the_expert_did_not_weigh_is_no_feature():
    root = "http://example.org/mini#Arms"
    topic = replace(TOPIC, weights={**TOPIC.weights, root: 1.0}, implied=root)
    above = tuple(
        replace(word, senses=tuple(replace(s, features=(*s.features, (root, 9))) for s in word.senses))
        for word in LEXICON.words
    )
    lexicon = replace(LEXICON, words=above)
    counts = count_concepts(PAGE, Matcher(lexicon))
    relevance = CosineJudge(topic, build_word_table(lexicon, topic)).judge(PAGE, counts)
    assert relevance.score == pytest.approx(4 / sqrt(13.25 * 1.25))


def test_weights_come_from_sample_pages():
    """PAGE: (3.5, 2) / sqrt(16.25); a page of missiles alone: (0, 1). The larger sum, that of missile, becomes 1."""
    samples = [count_concepts(one, MATCHER) for one in (PAGE, page((Position.OTHER, "missile")))]
    length = sqrt(3.5**2 + 2**2)
    weights = weights_from(samples, TOPIC, TABLE).weights
    assert weights == pytest.approx({FIGHTER: 3.5 / length / (2 / length + 1), MISSILE: 1.0})


def test_samples_without_a_word_of_the_topic_are_refused():
    with pytest.raises(SettingsError, match="no good page that is a file has a word of the topic"):
        weights_from([count_concepts(page((Position.OTHER, "none")), MATCHER)], TOPIC, TABLE)


def test_marked_files_give_the_weights_of_paper_O():
    missiles = page((Position.OTHER, "missile"))
    fighters = page((Position.OTHER, "fighter and missile"))
    examples = Examples(pages=((missiles, Marks(True)), (fighters, Marks(False))))
    built = build_understanding("ontology-links", TOPIC, LEXICON, examples=examples)
    frames = map(built.analyst.frame, (missiles, page((Position.OTHER, "fighter"))))
    found = [read.relevance.score for read in built.understand_frames(list(frames))]
    assert found == [pytest.approx(1.0), 0.0]  # R is (0, 1), the bad page counts not


def test_theta_decides():
    only_missile = page((Position.OTHER, "导弹"))
    relevance = CosineJudge(TOPIC, TABLE, theta=0.5).judge(only_missile, count_concepts(only_missile, MATCHER))
    assert relevance.score == pytest.approx(0.5 / sqrt(1.25))
    assert not relevance.on_topic
    assert shares(relevance.reasons) == pytest.approx(relevance.score)
