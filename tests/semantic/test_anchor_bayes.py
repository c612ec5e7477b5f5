"""Naive Bayes of pages and anchors by hand, and formula 10 of paper J."""

from dataclasses import replace
from math import sqrt

import pytest
from miniature import LEXICON, TOPIC, page, shares
from stored_memory import stored

from semantic.learning.naive_bayes import FEWEST
from semantic.links.link_reading import LinkReader
from semantic.links.link_scorer import JudgedPage
from semantic.page import Position
from semantic.reasons import Reason
from semantic.records import Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.strategies.jlse.anchor_bayes import NEGATIVE, AnchorBayes, on_page
from semantic.strategies.jlse.bayes_judge import BayesJudge
from semantic.strategies.ontology_based.cosine_judge import CosineJudge
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import ConceptCounts, Matcher, build_word_table, count_concepts
from semantic.understanding import Examples, Marks, Samples

MATCHER = Matcher(LEXICON)
HERE = "http://example.org/"
NOTHING = ConceptCounts((), 0, 0)
FIGHTER_ALONE = 1 / sqrt(1.25)


class Teacher(Judge):
    """What the ontology says: all in the text's first word; without good or bad it is not sure."""

    def judge(self, page, counts):
        score = {"good": 1.2, "bad": 0.0}.get(page.text.split(" ")[0], 0.4)
        return Relevance(score, score > 0.5, (Reason("anchor", score),) if score else ())


def anchors(examples=None):
    samples = Samples(examples, (), Teacher())
    similarity = CosineJudge(TOPIC, build_word_table(LEXICON, TOPIC)).similarity
    return AnchorBayes(samples, WordReader(), LinkReader(MATCHER), similarity)


def judged(*texts, url=HERE, about="good page", score=1.0):
    """A page that says `about` and links to /0, /1, ... with these anchors."""
    linked = page((Position.OTHER, about), *((Position.ANCHOR, text) for text in texts), url=url)
    return JudgedPage(linked, count_concepts(linked, MATCHER), Relevance(score, score >= 0.5))


def taught(made):
    """FEWEST good pages behind "leaf", as many bad ones behind "wheel".

    P(leaf | good) = (1 + 5) / (1 + 5), P(leaf | bad) = 1 / (1 + 5).
    """
    for number in range(FEWEST):
        for anchor, about in (("leaf", "good"), ("wheel", "bad")):
            made.similarities(judged(anchor))
            made.forget(HERE + "0", f"{HERE}{anchor}{number}")
            made.learn(judged(url=f"{HERE}{anchor}{number}", about=about))
    return made


def test_formula_10():
    """sim 0.6 and 0.8 have length 1: 0.6 · 0.5 and 0.8 · 0.5."""
    places = on_page({"a": 0.6, "b": 0.8}, 0.5)
    assert {url: priority.score for url, priority in places.items()} == pytest.approx({"a": 0.3, "b": 0.4})
    assert shares(places["a"].reasons) == pytest.approx(0.3)
    assert on_page({}, 0.5) == {}
    assert on_page({"a": 0.6, "b": 0.8}, 1e-200)["b"].score == pytest.approx(0.00008)  # P is 0.0001 at least


def test_before_there_are_samples_the_ontology_reads_the_anchor():
    sims = anchors().similarities(judged("fighter", "more"))
    assert sims == pytest.approx({HERE + "0": FIGHTER_ALONE, HERE + "1": NEGATIVE})


def test_anchors_of_good_pages_are_good_and_the_others_negative():
    """leaf: 6/6 to 1/6; leaf wheel: 1 to 1, which is not good; an unknown word: 1/2 each, not good either."""
    sims = taught(anchors()).similarities(judged("leaf", "leaf wheel", "wheel", "unknown"))
    assert list(sims.values()) == pytest.approx([6 / 7, NEGATIVE, NEGATIVE, NEGATIVE])


def test_an_anchor_teaches_when_the_page_behind_it_has_come():
    """The link /0 was followed over a redirect; the anchor is remembered over a resume."""
    made = anchors()
    made.similarities(judged("leaf", ""))
    assert made.remember()["anchors"] == {HERE + "0": "leaf"}
    made.forget(HERE + "0", HERE + "moved")
    resumed = anchors()
    resumed.restore(stored(made))
    resumed.learn(judged(url=HERE + "moved", about="bad"))
    learned = {"samples": {"good": 0, "bad": 1}, "words": {"good": {}, "bad": {"leaf": 1}}}
    assert resumed.remember() == {"bayes": {"bayes": learned}, "anchors": {}}


def test_files_of_examples_teach_by_their_title():
    titled = page((Position.TITLE, "leaf"))
    made = anchors(Examples({}, [(titled, Marks(good=True))]))
    assert made.remember()["bayes"]["bayes"]["samples"]["good"] == 0  # a page without title teaches nothing
    made = anchors(Examples({}, [(replace(titled, title="leaf"), Marks(good=True))]))
    assert made.remember()["bayes"]["bayes"]["samples"]["good"] == 1


def test_pages_are_judged_by_their_words_once_there_are_samples():
    samples = Samples(None, (), Teacher())
    judge = BayesJudge(samples, WordReader())
    for number in range(FEWEST):
        first = judge.judge(page((Position.OTHER, "good leaf")), NOTHING)
        assert (first.score, first.on_topic) == (1.0, True)  # the ontology's 1.2, at most 1
        assert shares(first.reasons) == pytest.approx(first.score)
        judge.judge(page((Position.OTHER, f"bad wheel {number}")), NOTHING)
    now = judge.judge(page((Position.OTHER, "leaf")), NOTHING)
    assert now.score == pytest.approx(6 / 7)  # 5 of 10 words in good, 4 words in V: 6/14 to 1/14
    assert now.reasons[0].evidence == ("leaf",)
    resumed = BayesJudge(samples, WordReader())
    resumed.restore(stored(judge))
    wheel = page((Position.OTHER, "wheel"))
    assert resumed.judge(wheel, NOTHING) == judge.judge(wheel, NOTHING)
    assert not resumed.judge(page((Position.OTHER, "wheel")), NOTHING).on_topic


def test_examples_make_the_judge_know_from_the_first_page():
    files = [(page((Position.OTHER, word)), Marks(good=word == "leaf")) for word in ["leaf", "wheel"] * FEWEST]
    judge = BayesJudge(Samples(Examples({}, files), (), Teacher()), WordReader())
    assert judge.judge(page((Position.OTHER, "leaf")), NOTHING).on_topic
    assert not judge.judge(page((Position.OTHER, "wheel")), NOTHING).on_topic
