"""The default judge: what must hold whatever the constants."""

import json

import pytest
from miniature import LEXICON, TOPIC, page, shares

from semantic.counting import count_concepts
from semantic.judges.mixture import HIGHEST, MixtureJudge
from semantic.judges.scale import Scale
from semantic.matching import Matcher
from semantic.page import Page, Position
from semantic.wordtable import build_word_table

TABLE = build_word_table(LEXICON, TOPIC)
MATCHER = Matcher(LEXICON)
FILLER = "the weather of yesterday was rather fine for the season " * 20
RICH = page(
    (Position.TITLE, "fighter jet and missile"),
    (Position.OTHER, "The F-22 is a fighter jet. A fighter carries a missile; the missile of an F-22 is 导弹. " * 6),
)
LONE = page((Position.OTHER, FILLER + "missile " + FILLER))
NONE = page((Position.TITLE, "weather"), (Position.OTHER, FILLER))


def relevance(judge: MixtureJudge, target: Page):
    return judge.judge(target, count_concepts(target, MATCHER))


def test_rich_page_is_on_topic_lone_mention_is_not_even_as_the_first_page():
    assert relevance(MixtureJudge(TOPIC, TABLE), RICH).on_topic
    assert not relevance(MixtureJudge(TOPIC, TABLE), LONE).on_topic
    assert relevance(MixtureJudge(TOPIC, TABLE), NONE).score == 0


def test_reasons_add_up_and_name_the_words():
    found = relevance(MixtureJudge(TOPIC, TABLE), RICH)
    assert shares(found.reasons) == pytest.approx(found.score)
    assert {reason.what for reason in found.reasons} == {"fighter", "missile"}
    assert "F-22 ×12" in " ".join(reason.detail for reason in found.reasons)


def test_score_is_capped():
    judge = MixtureJudge(TOPIC, TABLE)
    for _ in range(50):
        relevance(judge, NONE)
    found = relevance(judge, page((Position.H1, "fighter jet missile F-22 导弹 " * 50)))
    assert found.score <= HIGHEST
    assert shares(found.reasons) == pytest.approx(found.score)


def test_words_in_anchors_do_not_make_a_page_relevant():
    menu = page(*[(Position.ANCHOR, "fighter missile F-22")] * 30)
    assert relevance(MixtureJudge(TOPIC, TABLE), menu).score == 0


def test_a_language_without_words_halves_the_score():
    text = (Position.OTHER, "la fighter est un avion " * 5)
    spoken = MixtureJudge(TOPIC, TABLE, frozenset({"en", "zh"}))
    foreign = relevance(spoken, page(text, language="fr"))
    native = relevance(MixtureJudge(TOPIC, TABLE, frozenset({"en", "zh"})), page(text, language="en"))
    assert foreign.score < native.score


def test_memory_goes_on_where_it_stopped():
    through, first = MixtureJudge(TOPIC, TABLE), MixtureJudge(TOPIC, TABLE)
    for target in (RICH, LONE, NONE, LONE):
        relevance(through, target)
        relevance(first, target)
    second = MixtureJudge(TOPIC, TABLE)
    second.restore(json.loads(json.dumps(first.remember())))
    assert relevance(second, RICH).score == pytest.approx(relevance(through, RICH).score, rel=1e-4)


def test_scale_is_drawn_towards_its_prior_while_there_is_little():
    scale = Scale(10.0)
    assert scale.value() == 10.0
    scale.add(-1.0)
    assert scale.value() == 10.0
    scale.add(40.0)
    assert scale.value() == pytest.approx((40 + 30 * 10) / 31)
