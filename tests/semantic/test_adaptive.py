"""Paper A's base vector and threshold by hand."""

from math import log, sqrt

import pytest
from frames_at_hand import understand
from miniature import LEXICON, TOPIC, page, shares

from semantic.learning import base_vector
from semantic.learning.base_vector import BaseVector, Threshold
from semantic.memory.strategy_memory import unpack_memory
from semantic.page import Position
from semantic.records import Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.strategies.adaptive.adaptive_judge import AdaptiveJudge
from semantic.strategies.strategy_table import build_understanding
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import ConceptCounts, build_word_table
from semantic.understanding import Examples, Marks, Samples

RULES = {"S": 2, "T": 4, "alpha": 1.05, "beta": 1.2, "gamma": 0.95, "mu": 0.4}


class Teacher(Judge):
    """A judge that finds everything half on topic."""

    def judge(self, page, counts):
        return Relevance(0.3, False)


def test_before_any_page_the_base_vector_is_the_experts():
    """Weights 1 and 1/2 with class weight (1/2 + b) / 2: 1 · 3/4 and 1/2 · 1/2; a word of the page has its own."""
    vector = BaseVector({"tea": 2.0, "pot": 1.0})
    tea, pot = 0.75, 0.25
    length = sqrt(tea**2 + pot**2)
    assert vector.shares({"tea": 3}) == pytest.approx({"tea": tea / length})
    found = vector.shares({"tea": 1, "pot": 1})
    words = (0.75, 0.5)  # W_ik: idf is 1 as long as nothing is known
    assert sum(found.values()) == pytest.approx((tea * words[0] + pot * words[1]) / length / sqrt(0.75**2 + 0.5**2))
    assert vector.shares({"car": 1}) == {}
    assert vector.shares({}) == {}


def test_a_word_s_class_weight_is_the_topic_s_share():
    """One page good, one bad. leaf: n = 1 of N = 2, topic (1+1)/(1+2), others (0+1)/(1+2): 2/3, halved, times idf."""
    vector = BaseVector({})
    vector.learn({"leaf": 1, "page": 1}, good=True)
    vector.learn({"wheel": 1, "page": 1}, good=False)
    vector.learn({}, good=False)  # a page without words teaches nothing
    vector.extract()
    assert vector.weight("leaf") == pytest.approx(log(3 / 2 + 0.1) * (2 / 3) / 2)
    assert vector.weight("wheel") == pytest.approx(log(3 / 2 + 0.1) * (1 / 3) / 2)
    assert vector.weight("page") == pytest.approx(log(1.1) * (1 / 2) / 2)


def test_the_base_vector_takes_words_of_the_topic_s_pages():
    vector = BaseVector({"tea": 1.0})
    for _ in range(3):
        vector.learn({"leaf": 2, "tea": 1}, good=True)
        vector.learn({"wheel": 2, "tea": 1}, good=False)
    assert not vector.shares({"leaf": 1})
    vector.extract()
    assert vector.shares({"leaf": 1})
    assert not vector.shares({"wheel": 1})


def test_words_and_features_are_bounded(monkeypatch):
    monkeypatch.setattr(base_vector, "KEPT_WORDS", 2)
    monkeypatch.setattr(base_vector, "KEPT_FEATURES", 1)
    vector = BaseVector({})
    for words in ({"a": 1, "b": 1}, {"a": 1, "c": 1}, {"a": 1, "b": 1, "d": 1, "e": 1}):
        vector.learn(words, good=True)
    vector.extract()
    memory = vector.remember()
    assert dict(memory["with"]) == {"a": 3, "b": 2}
    assert len(memory["base"]) == 1


@pytest.mark.parametrize(
    ("kept", "on_topic", "factor"),
    [
        (3, 3, 1.05),  # more than wanted
        (3, 1, 1.2),  # 1 of 3 is less than 0.4
        (1, 1, 0.95),  # less than wanted
        (2, 0, 1.0),  # as wanted
    ],
)
def test_each_rule_at_the_end_of_an_interval(kept, on_topic, factor):
    threshold = Threshold(0.2, RULES)
    ends = [threshold.count(kept=number < kept, on_topic=number < on_topic) for number in range(4)]
    assert ends == [False, False, False, True]
    assert threshold.thd == pytest.approx(0.2 * factor)


def test_the_threshold_stays_where_the_interval_and_the_whole_disagree():
    """1 page in the first interval, 3 in the second: 4 in all, not more than 2 · 2."""
    threshold = Threshold(0.2, RULES)
    for kept in (1, 3):
        for number in range(4):
            threshold.count(kept=number < kept, on_topic=True)
    assert threshold.thd == pytest.approx(0.2 * 0.95)


def test_the_threshold_has_bounds():
    threshold = Threshold(0.02, RULES)
    for _ in range(8):
        threshold.count(kept=False, on_topic=False)
    assert threshold.thd == 0.02


def judge(examples: Examples | None = None) -> AdaptiveJudge:
    samples = Samples(examples, (), Teacher())
    return AdaptiveJudge(build_word_table(LEXICON, TOPIC), samples, WordReader(), {**RULES, "threshold": 0.15})


def test_the_judge_tells_words_whose_shares_add_up():
    about = page((Position.OTHER, "a fighter with missiles, the fighter and its missile"))
    first = judge().judge(about, ConceptCounts((), 0, 0))
    assert first.on_topic
    assert shares(first.reasons) == pytest.approx(first.score)
    assert first.reasons[0].evidence == ("fighter",)


def test_files_of_examples_are_learned_from_before_the_first_page():
    wheels = page((Position.OTHER, "wheels and gears"))
    known = judge(Examples({}, [(wheels, Marks(good=True))]))
    assert known.judge(page((Position.OTHER, "gears")), ConceptCounts((), 0, 0)).score > 0
    assert judge().judge(page((Position.OTHER, "gears")), ConceptCounts((), 0, 0)).score == 0


SEEDS = ("http://h.example/a", "http://h.example/b")


def test_seeds_are_the_first_samples_of_the_topic():
    """Neither has a word of the ontology, which calls both off topic; what is like them is the topic all the same.

    No link of theirs is scored before both are known. A third page is no seed, and a page of the other class.
    """
    made = build_understanding("adaptive", TOPIC, LEXICON, seeds=SEEDS)
    assert understand(made, b"<p>wheels gears</p><a href=/x><img></a>", SEEDS[0]).deferred
    assert (made.rejudged(), made.revise()) == ([], {})
    understand(made, b"<p>axles gears</p><a href=/y><img></a>", SEEDS[1])
    first, second = (news.relevance for news in made.rejudged())
    assert first == pytest.approx(second)
    assert first > 0
    places = made.revise()
    assert [url.rpartition("/")[2] for url in places] == ["x", "y"]
    assert all(priority.reasons[1].share > 0 for priority in places.values())
    assert understand(made, b"<p>wheels</p>", "http://h.example/c").relevance.score > 0
    vector = unpack_memory(made.remember())["judge"]["vector"]
    assert (vector["topic_pages"], vector["pages"], len(vector["fresh"])) == (2, 2, 1)


def test_a_seed_marked_bad_is_no_sample_of_the_topic():
    """Word counts of the topic's pages: none, and one where the seed is not marked."""
    wheels = page((Position.OTHER, "wheels and gears"), url=SEEDS[0])
    for examples, pages in ((Examples({SEEDS[0]: Marks(good=False)}), 0), (Examples(), 1)):
        samples = Samples(examples, SEEDS, Teacher())
        made = AdaptiveJudge(build_word_table(LEXICON, TOPIC), samples, WordReader(), {**RULES, "threshold": 0.15})
        made.meet(wheels)
        made.judge(wheels, ConceptCounts((), 0, 0))
        assert made.remember()["vector"]["topic_pages"] == pages
        assert made.remember()["vector"]["pages"] == 1
        assert not made.remember()["vector"]["fresh"]
