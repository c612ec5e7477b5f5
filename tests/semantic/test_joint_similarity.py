"""JLSE (paper J) on miniatures, with sums by hand: the judge of results, and the scorer of links."""

from dataclasses import replace
from math import log2, sqrt

import pytest
from miniature import page, shares
from stored_memory import stored

from semantic.learning.naive_bayes import FEWEST
from semantic.links.link_scorer import JudgedPage
from semantic.page import Page, Position
from semantic.parsing.page_reader import read_page
from semantic.records import LinkGraph, Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.strategies.jlse.anchor_bayes import AnchorBayes
from semantic.strategies.jlse.joint_similarity import JointLinks
from semantic.strategies.jlse.result_judge import ResultJudge
from semantic.strategies.strategy_table import STRATEGIES
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import ConceptCounts
from semantic.understanding import Examples, Marks, Samples

COUNTS = ConceptCounts((), 0, 0)
HOST = "http://example.org"
PARAMETERS = STRATEGIES["jlse"].parameters


class Unsure(Judge):
    """An ontology that is never sure."""

    def judge(self, page, counts):
        return Relevance(0.4, False)


def text(words: str) -> Page:
    return page((Position.OTHER, words))


# --- which pages are results


def examples() -> Examples:
    return Examples(pages=[(text(words), Marks(words == "ice", True)) for words in ("ice", "car") * FEWEST])


class Kinds:
    """Pages of ten words and more are detail pages."""

    def add(self, features, *, detail):
        pass

    def see(self, features):
        pass

    def is_detail(self, features):
        return features[0] >= log2(10 / 100)


def test_a_result_is_on_topic_and_a_detail_page(monkeypatch):
    """P(ice | good) = 6/6 and P(ice | bad) = 1/6, as often the other way; words that no sample has say nothing."""
    monkeypatch.setattr("semantic.strategies.jlse.result_judge.PageKinds", Kinds)
    judge = ResultJudge(Samples(examples(), [], Unsure()), WordReader())
    long = " ".join(["unknown"] * 10)
    found = [judge.judge(text(words), COUNTS) for words in (f"ice {long}", "ice", f"car {long}")]
    assert [relevance.score for relevance in found] == pytest.approx([6 / 7, 6 / 7, 1 / 7])
    assert [relevance.on_topic for relevance in found] == [True, False, False]
    assert [relevance.reasons[1].kind for relevance in found[:2]] == ["a detail page", "a list of links, so no result"]
    assert all(shares(relevance.reasons) == pytest.approx(relevance.score) for relevance in found)


def test_pages_on_topic_that_are_no_results_are_expanded():
    """Algorithm 2, step 1; ours: seeds always, and any page off topic while naive Bayes knows nothing."""
    judge = ResultJudge(Samples(examples(), [f"{HOST}/seed"], Unsure()), WordReader())
    assert judge.expands(text("x"), Relevance(0.5, False))
    assert not judge.expands(text("x"), Relevance(0.4, False))
    assert not judge.expands(text("x"), Relevance(0.9, True))
    assert judge.expands(replace(text("x"), noindex=True), Relevance(0.9, True))
    for relevance in (Relevance(0.4, False), Relevance(0.9, True)):
        assert judge.expands(page(url=f"{HOST}/seed"), relevance)
    unknowing = ResultJudge(Samples(None, [], Unsure()), WordReader())
    assert unknowing.expands(text("x"), Relevance(0.0, False))
    assert not unknowing.expands(text("x"), Relevance(0.9, True))


def test_marked_detail_pages_and_lists_teach_and_are_remembered():
    marks = {f"{HOST}/": Marks(detail=False)}
    judge = ResultJudge(Samples(replace(examples(), addresses=marks), [], Unsure()), WordReader())
    judge.judge(text("ice"), COUNTS)
    assert [detail for detail, _ in judge.remember()["kinds"]["given"]] == [True] * 2 * FEWEST + [False]
    resumed = ResultJudge(Samples(Examples(marks), [], Unsure()), WordReader())
    resumed.restore(stored(judge))
    assert resumed.judge(text("car"), COUNTS) == judge.judge(text("car"), COUNTS)


# --- which link first


class Anchors(AnchorBayes):
    """sim_anchor is the number that an anchor ends with, 0.01 without one."""

    def __init__(self):
        super().__init__(Samples(None, [], Unsure()), WordReader(), None, None)

    def _each(self, judged):
        last = [link.anchor.split(" ")[-1] for link in judged.page.links]
        return [float(word) if word[0].isdecimal() else 0.01 for word in last]


def scorer(**parameters: float) -> JointLinks:
    """A page is expanded from a relevance of 0.5, unless it is a result."""
    return JointLinks(
        Anchors(),
        lambda page, relevance: relevance.score >= 0.5 and not relevance.on_topic,
        WordReader(),
        {**PARAMETERS, **parameters},
    )


def judged(*anchors: str, score: float = 0.8, result: bool = False, **about) -> JudgedPage:
    """A page with links to /0, /1, ... by their anchors, which are far apart."""
    parts = [part for anchor in anchors for part in ((Position.ANCHOR, anchor), (Position.OTHER, "." * 130))]
    return JudgedPage(replace(page(*parts), **about), COUNTS, Relevance(score, result))


def scores(priorities) -> list[float]:
    assert [shares(priority.reasons) for priority in priorities] == pytest.approx([p.score for p in priorities])
    return [priority.score for priority in priorities]


def test_before_there_is_a_link_graph_only_anchors_count():
    """Formula 10 with 0.6 and 0.8, whose length is 1, on a page with P = 0.8."""
    assert scores(scorer().prioritise(judged("ice 0.6", "car 0.8"))) == pytest.approx([0.48, 0.64])


def test_links_of_pages_off_topic_are_discarded_or_wait():
    page = judged("ice 0.6", "car 0.8", score=0.4)
    assert scorer().prioritise(page) == [None, None]
    assert scores(scorer(off_topic=1).prioritise(page)) == pytest.approx([0.24, 0.32])
    assert scorer(expand=1).prioritise(page) == [None, None]


def test_a_result_is_stored_and_not_expanded_or_is():
    page = judged("ice 0.6", "car 0.8", result=True)
    assert scorer().prioritise(page) == [None, None]
    assert scores(scorer(expand=1).prioritise(page)) == pytest.approx([0.48, 0.64])
    assert scorer(off_topic=1).prioritise(page) == [None, None]


def test_ata_is_jlse_but_for_formula_3():
    """The same judge, results, parameters and places; no link graph is asked for, so that sim is sim_anchor."""
    ata, jlse = STRATEGIES["ata"], STRATEGIES["jlse"]
    assert (ata.judge, ata.scorer, ata.samples) == (jlse.judge, jlse.scorer, jlse.samples)
    of_the_graph = {"cf", "gamma", "rd", "k", "k1", "b", "w1", "w2", "w3", "window"}
    assert ata.parameters == {name: value for name, value in PARAMETERS.items() if name not in of_the_graph}
    one, other = scorer(cf=0), scorer(cf=1)
    page = judged("ice 0.6", "car 0.8")
    assert one.prioritise(page) == other.prioritise(page)
    for each in (one, other):
        each.prioritise(judged(result=True))
    assert (one.wants_graph(), other.wants_graph()) == (False, True)


def graph() -> LinkGraph:
    """The way a -> m -> r to a result: Q(a) = 0.9, Q(m) = 1, Q(r) = 1."""
    urls = ("http://v/a", "http://v/m", "http://v/r")
    texts = {url: (anchor, "") for url, anchor in zip(urls, ("hail", "snow", "ice"), strict=True)}
    return LinkGraph(urls, (urls[:2], urls[1:]), frozenset(urls[2:]), frozenset(urls[:1]), texts)


def test_formula_3_takes_the_better_of_anchor_and_link_graph():
    """Only anchors have words, so what shares one with a vertex scores 0.5: hail is worth 0.45, snow 0.5; sea 0.6.

    The sum of their squares is 0.8125.
    """
    joint = scorer()
    joint.receive_graph(graph())
    found = joint.prioritise(judged("hail", "snow 0.2", "sea 0.6"))
    assert scores(found) == pytest.approx([sim / sqrt(0.8125) * 0.8 for sim in (0.45, 0.5, 0.6)])
    assert [priority.reasons[0].kind for priority in found] == ["link graph", "link graph", "anchor on its page"]
    (vertex,) = found[0].reasons[1].evidence
    assert vertex.kind == "vertex on ways taken"
    assert dict(vertex.values) == {"page": "http://v/a", "similarity": 0.5, "q": pytest.approx(0.9), "number": 3}
    joint.receive_graph(replace(graph(), any_way=True))
    assert joint.prioritise(judged("hail"))[0].reasons[1].evidence[0].kind == "vertex on any way"


def test_the_context_is_what_stands_near_in_the_tree():
    """/a stands in one list with hail, /b in another with snow: the vertex found beside hail is like the link to /a.

    Context alone has words of both, and counts 0.3; Q(v) = 1. The lists are more than five steps apart.
    """
    html = (
        "<div><div><ul><li>{}<li><a href=/{}>one</a></ul></div></div>"
        "<div><div><ul><li>{}<li><a href=/{}>two</a></ul></div></div>"
    )
    joint = scorer(cf=1)
    for words in (("hail", "v", "x", "y"), ("hail", "a", "snow", "b")):
        made = read_page(html.format(*words).encode(), f"{HOST}/{words[1]}-page", {})
        found = joint.prioritise(JudgedPage(made, COUNTS, Relevance(0.8, False)))
        texts = {f"{HOST}/{name}": ("", sky) for name, sky in (("v", "sun"), ("p", "moon"), ("q", "star"))}
        joint.receive_graph(LinkGraph(tuple(texts), (), frozenset(texts), frozenset(), texts))
    values = dict(found[0].reasons[1].evidence[0].values)
    assert (values["page"], values["similarity"], values["q"]) == (f"{HOST}/v", pytest.approx(0.3), 1)
    assert found[1].reasons[0].kind == "anchor on its page"


def test_the_parameters_are_those_of_the_formulas():
    """gamma 0.5 and rd 2: Q(a) = 0.5 · 2, Q(m) = 2; w1 = 0.25: hail 0.25, snow 0.5; the sum of squares is 0.3125."""
    joint = scorer(gamma=0.5, rd=2, w1=0.25)
    joint.receive_graph(graph())
    assert scores(joint.prioritise(judged("hail", "snow"))) == pytest.approx(
        [sim / sqrt(0.3125) * 0.8 for sim in (0.25, 0.5)]
    )


def test_several_links_to_one_address_are_one_the_most_similar():
    """/0 has 0.6 and, by its second link, 0.45 from the graph: it counts once, with 0.6; /1 has 0.8."""
    joint = scorer()
    joint.receive_graph(graph())
    made = judged("sea 0.6", "car 0.8", "hail")
    links = (*made.page.links[:2], made.page.links[2]._replace(url=f"{HOST}/0"))
    assert scores(joint.prioritise(replace(made, page=replace(made.page, links=links)))) == pytest.approx(
        [0.48, 0.64, 0.48]
    )


def test_the_graph_is_wanted_at_every_multiple_of_cf_results():
    """Four results, and a page that asks to be none: the second and the fourth make it due."""
    joint = scorer(cf=2)
    wanted = []
    for about in ({}, {"noindex": True}, {}, {}, {}):
        joint.prioritise(judged(result=True, **about))
        joint.prioritise(judged(result=False))
        wanted.append(joint.wants_graph())
        if wanted[-1]:
            joint.receive_graph(graph())
    assert wanted == [False, False, True, False, True]


def test_a_resumed_scorer_goes_on_as_if_never_stopped():
    joint = scorer(cf=1)
    joint.receive_graph(graph())
    joint.prioritise(judged("later 0.3"))
    joint.prioritise(judged(result=True))
    joint.forget(f"{HOST}/0", f"{HOST}/moved")
    resumed = scorer(cf=1)
    resumed.restore(stored(joint))
    assert resumed.wants_graph()
    assert list(resumed.remember()["anchors"]["anchors"]) == [f"{HOST}/moved"]
    asked = judged("hail", "ice", "sea", "snow hail")
    assert resumed.prioritise(asked) == joint.prioritise(asked)
