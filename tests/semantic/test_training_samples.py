"""What a page is a sample of, by the user's marks or by the ontology's clear verdict."""

from typing import ClassVar

import pytest
from miniature import page
from stored_memory import stored

from semantic.page import Position
from semantic.records import Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.terms.term_matching import ConceptCounts
from semantic.understanding import UNMARKED, Examples, Marks, Samples, SamplesJudge

NOTHING = ConceptCounts((), 0, 0)
HERE = "http://example.org/"


class Teacher(Judge):
    """Gives one score; counts how often it was asked."""

    KEPT: ClassVar = {"asked": int}

    def __init__(self, score=0.0):
        self.score = score
        self.asked = 0

    def judge(self, page, counts):
        self.asked += 1
        return Relevance(self.score, self.score >= 0.5)


@pytest.mark.parametrize(
    ("score", "marks"),
    [(0.55, Marks(good=True)), (0.54, UNMARKED), (0.24, UNMARKED), (0.23, Marks(good=False)), (0, Marks(good=False))],
)
def test_without_examples_what_the_ontology_judged_clearly_is_a_sample(score, marks):
    samples = Samples(None, (), Teacher(score))
    assert samples.source == "ontology"
    assert samples.marks(page(), NOTHING) == marks


def test_with_examples_alone_the_ontology_is_not_asked_for_samples():
    teacher = Teacher(1.0)
    samples = Samples(Examples({HERE: Marks(good=False, detail=True)}), (), teacher)
    assert samples.source == "examples"
    assert samples.marks(page(), NOTHING) == Marks(good=False, detail=True)
    assert samples.marks(page(url=HERE + "other"), NOTHING) == UNMARKED
    assert teacher.asked == 0


def test_a_page_is_judged_once_however_many_ask():
    teacher = Teacher(0.55)
    samples = Samples(None, (), teacher)
    one = page((Position.OTHER, "a"))
    samples.marks(one, NOTHING)
    assert SamplesJudge(samples, 0.5).judge(one, NOTHING).on_topic
    assert not SamplesJudge(samples, 0.6).judge(one, NOTHING).on_topic
    assert teacher.asked == 1


def test_marks_and_seeds_follow_redirects_and_survive_a_resume():
    marked = Examples({HERE: Marks(good=True)})
    samples = Samples(marked, [HERE], Teacher())
    samples.forget(HERE, HERE + "moved")
    samples.forget(HERE + "moved", HERE + "again")
    samples.forget(HERE + "again", None)
    resumed = Samples(marked, [HERE], Teacher())
    resumed.restore(stored(samples))
    for each in (samples, resumed):
        assert each.marks(page(url=HERE + "again"), NOTHING) == Marks(good=True)
        assert each.is_seed(HERE + "again")
        assert not each.is_seed(HERE + "other")


def test_marks_given_anew_win_over_remembered_ones():
    before = Samples(Examples({HERE: Marks(good=True)}), (), Teacher())
    resumed = Samples(Examples({HERE: Marks(good=False)}), (), Teacher())
    resumed.restore(before.remember())
    assert resumed.marks(page(), NOTHING) == Marks(good=False)
