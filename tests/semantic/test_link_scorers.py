"""Link scorers on the miniature topic, each with sums done by hand."""

import re
from math import tanh
from typing import ClassVar

import pytest
from miniature import CATALOGUE, F22, FIGHTER, LEXICON, MISSILE, PORTAL, TOPIC, page, shares

from ontology.lexicon.lexicon import Lexicon, Sense, Word
from semantic.links.fixed_prior import PRIOR_WEIGHTS, FixedPrior
from semantic.links.link_reading import LinkReader
from semantic.links.link_scorer import JudgedPage
from semantic.page import PARAGRAPH, Page, Position
from semantic.reasons import sentence
from semantic.records import Relevance
from semantic.strategies.baselines.breadth_first import BreadthFirst
from semantic.strategies.ontology_based.link_prediction import LinkPrediction, anchor_area
from semantic.strategies.strategy_table import STRATEGIES
from semantic.terms.term_matching import WINDOW, Matcher, build_word_table, count_concepts

TABLE = build_word_table(LEXICON, TOPIC)
MATCHER = Matcher(LEXICON)

FAR = "x" * 70


PREDICTION = STRATEGIES["ontology-links"].parameters


def judged(target: Page, score: float = 0.4, *, on_topic: bool = False) -> JudgedPage:
    return JudgedPage(target, count_concepts(target, MATCHER), Relevance(score, on_topic))


def test_breadth_first_numbers_links_on_and_remembers():
    two = judged(page((Position.ANCHOR, "a"), (Position.ANCHOR, "b")))
    scorer = BreadthFirst()
    assert [p.score for p in scorer.prioritise(two)] == [-1, -2]
    resumed = BreadthFirst()
    resumed.restore(scorer.remember())
    assert [p.score for p in resumed.prioritise(two)] == [-3, -4]


def test_algorithm_3_counts_topic_words_then_layers():
    linked = page(
        (Position.ANCHOR, "fighter"), (Position.OTHER, f"missile {FAR}"),  # 2 topic words: queued
        (Position.ANCHOR, "fighter alone"), (Position.OTHER, FAR),  # 1: discarded
        (Position.ANCHOR, "catalogue catalogue catalogue"), (Position.OTHER, FAR),  # 3 of layer 1: queued
        (Position.ANCHOR, "catalogue catalogue portal"), (Position.OTHER, FAR),  # 2 + 1: discarded
        (Position.ANCHOR, "portal portal portal"),  # 3 of layer 2: queued
    )  # fmt: skip
    scorer = LinkPrediction(TABLE, PREDICTION, lambda url: False)
    priorities = scorer.prioritise(judged(linked, 0.4, on_topic=True))
    assert [p.score if p else None for p in priorities] == [0.4, None, 0.4, None, 0.4]


@pytest.mark.parametrize(
    ("on_topic", "seed", "off_topic", "predicted"),
    [(True, False, 0, True), (False, False, 0, False), (False, True, 0, True), (False, False, 1, True)],
)
def test_links_are_predicted_on_pages_on_topic_and_seeds(on_topic, seed, off_topic, predicted):
    linked = page((Position.ANCHOR, "fighter missile"))
    scorer = LinkPrediction(TABLE, {**PREDICTION, "off_topic": off_topic}, lambda url: seed)
    (priority,) = scorer.prioritise(judged(linked, on_topic=on_topic))
    assert (priority is not None) == predicted


def test_thirty_bytes_are_fifteen_han_characters():
    linked = page((Position.OTHER, "汉" * 40), (Position.ANCHOR, "文"), (Position.OTHER, "x" * 40))
    start, end = anchor_area(linked, linked.links[0], 30)
    assert linked.links[0].start - start == 15  # the paragraph mark takes two bytes, fourteen characters twenty-eight
    assert end - linked.links[0].end == 29  # the paragraph mark two, twenty-eight letters


def test_prior_by_hand():
    linked = page((Position.OTHER, "missile"), (Position.ANCHOR, "fighter jet"), (Position.OTHER, FAR))
    (priority,) = FixedPrior(TABLE, LinkReader(MATCHER), PRIOR_WEIGHTS).prioritise(judged(linked, 0.4))
    assert priority.score == pytest.approx(tanh(1.0) + 0.3 * tanh(0.5) + 0.5 * 0.4)
    assert shares(priority.reasons) == pytest.approx(priority.score)
    assert {reason.kind: ", ".join(map(sentence, reason.evidence)) for reason in priority.reasons} == {
        "anchor": "fighter jet (fighter)", "around the anchor": "missile", "relevance of the linking page": "",
    }  # fmt: skip


def test_prior_reads_address_title_and_layer():
    linked = page((Position.ANCHOR, "portal"))
    link = linked.links[0]
    changed = type(link)(
        "http://example.org/missile/1", "portal", "the fighter", link.start, link.end, "", "", "", frozenset(), 0
    )
    linked = Page(linked.url, "", linked.text, linked.spans, (changed,))
    (priority,) = FixedPrior(TABLE, LinkReader(MATCHER), PRIOR_WEIGHTS).prioritise(judged(linked, 0.0))
    assert priority.score == pytest.approx(tanh(1.0) + 0.3 * tanh(0.5) + 0.1)


def test_link_reader_remembers_texts_without_mixing_them_up():
    reader = LinkReader(MATCHER)
    linked = page((Position.ANCHOR, "a"), (Position.ANCHOR, "missile"))
    first, again = (reader.describe(linked, count_concepts(linked, MATCHER)) for _ in range(2))
    assert first == again
    assert [features.anchor for features in first] == [(), (3,)]


class Apart(Matcher):
    """Notes how many characters stand between the texts that are matched together."""

    gaps: ClassVar[list[int]] = []

    def find(self, text):
        self.gaps += map(len, re.findall(f"{PARAGRAPH}+", text))
        return super().find(text)


def test_what_a_text_says_does_not_depend_on_its_company():
    """Ten characters either side of a hit decide how it is segmented."""
    linked = page((Position.ANCHOR, "a"), (Position.ANCHOR, "b"))
    LinkReader(Apart(LEXICON)).describe(linked, count_concepts(linked, MATCHER))
    assert Apart.gaps
    assert min(Apart.gaps) > 2 * WINDOW


def test_words_are_told_with_concept_generation_and_layer():
    assert tuple(map(sentence, TABLE.meanings)) == (
        "fighter", "fighter jet (fighter)", "F-22 (1 below fighter)", "missile", "导弹",
        "catalogue (layer 1)", "portal (layer 2)",
    )  # fmt: skip
    assert sentence(build_word_table(LEXICON, TOPIC, "en").meanings[4]) == "导弹 (missile)"
    assert [TABLE.caption(MISSILE, spoken) for spoken in ("zh-cn", "en", None)] == ["导弹", "missile", "missile"]
    assert TABLE.describe([2, 2, 5, 0]) == (TABLE.meanings[2], TABLE.meanings[5], "fighter")
    shop = Word("shop", "en", (Sense(CATALOGUE, layer=2), Sense(PORTAL, layer=1), Sense(F22, 1, ((FIGHTER, 1),))))
    both = build_word_table(Lexicon((*LEXICON.words, shop), {}), TOPIC)
    assert sentence(both.meanings[-1]) == "shop (F-22, 1 below fighter, layer 1)"
