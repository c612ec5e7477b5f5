"""JLSE (paper J) on miniatures, with sums by hand: the judge of results, and the scorer of links."""

import json
from math import log2, sqrt

import pytest
from miniature import LEXICON, TOPIC, page, shares

from semantic.counting import ConceptCounts
from semantic.judges.results import LEAST, ResultJudge
from semantic.page import Page, Position
from semantic.page_kinds import kind_features
from semantic.records import LinkGraph
from semantic.relevance import Relevance
from semantic.samples import Examples, Marks, Samples
from semantic.scorers.joint import JointLinks
from semantic.scorers.scorer import JudgedPage
from semantic.strategies import STRATEGIES, build_understanding
from semantic.words import WordReader

COUNTS = ConceptCounts((), 0, 0)
HOST = "http://example.org"
PARAMETERS = STRATEGIES["jlse"].parameters


class Teacher:
    """The ontology's verdict as a number that stands in the page's text; 0 without one."""

    def judge(self, page, counts):
        scores = [float(word) for word in page.text.split() if word.replace(".", "").isdecimal()]
        score = scores[0] if scores else 0.0
        return Relevance(score, score >= 0.5)

    def remember(self):
        return {}

    def restore(self, memory):
        pass


def text(words: str, url: str = f"{HOST}/") -> Page:
    return page((Position.OTHER, words), url=url)


# --- which pages are results


def judge_of(*marked: tuple[str, bool]) -> ResultJudge:
    """A judge with samples from files; a page with the word "list" is one."""
    examples = Examples(pages=[(text(words), Marks(good)) for words, good in marked])
    made = ResultJudge(Samples(examples, [f"{HOST}/seed"], Teacher()), WordReader())
    made._kinds = Kinds()
    return made


class Kinds:
    """Pages of more than ten words are details."""

    def add(self, features, *, detail):
        pass

    def is_detail(self, features):
        return features[0] > log2(10 / 100)

    def remember(self):
        return []

    def restore(self, given):
        pass


def test_a_result_is_on_topic_and_a_detail_page():
    """Two words a class, V has 4: P(ice | good) = 2/6, P(ice | bad) = 1/6, so P(good | ice) = 2/3; car: 1/3."""
    judge = judge_of(("ice hail", True), ("car road", False))
    unknown = " ".join(["unknown"] * 20)
    good = judge.judge(text(f"ice {unknown}"), COUNTS)
    assert (good.score, good.on_topic, shares(good.reasons)) == (pytest.approx(2 / 3), True, pytest.approx(2 / 3))
    assert "1 good and 1 bad samples; ice" in good.reasons[0].detail
    few = judge.judge(text("ice"), COUNTS)
    assert (few.score, few.on_topic) == (pytest.approx(2 / 3), False)
    bad = judge.judge(text(f"car {unknown}"), COUNTS)
    assert (bad.score, bad.on_topic) == (pytest.approx(1 / 3), False)
    assert "; car" in bad.reasons[0].detail


def test_pages_on_topic_and_seeds_are_expanded():
    judge = judge_of(("ice hail", True), ("car road", False))
    assert judge.expands(text("ice"), Relevance(0.6, False))
    assert not judge.expands(text("car"), Relevance(0.4, False))
    assert judge.expands(text("car", f"{HOST}/seed"), Relevance(0.4, False))


def test_without_examples_the_ontology_teaches_and_stands_in_until_it_has_taught_enough():
    """Ten clear pages a class; what is not clear (0.4) teaches nothing."""
    judge = ResultJudge(Samples(None, [], Teacher()), WordReader())
    for n in range(LEAST):
        assert judge.judge(text(f"0.4 hail{n}"), COUNTS).score == 0.4
        assert judge.expands(text("0.0"), Relevance(0.0, False))
        judge.judge(text("0.9 ice"), COUNTS)
        judge.judge(text("0.1 car"), COUNTS)
    told = judge.judge(text("0.4 ice"), COUNTS)
    assert told.score == pytest.approx(11 / 12)  # V: ice, car; ten of each: 11/12 to 1/12
    assert not judge.expands(text("0.0"), Relevance(0.0, False))
    resumed = ResultJudge(Samples(None, [], Teacher()), WordReader())
    resumed.restore(json.loads(json.dumps(judge.remember())))
    assert resumed.judge(text("0.4 car"), COUNTS) == judge.judge(text("0.4 car"), COUNTS)


# --- which link first


class Follows:
    """Expands a page that is on topic by its score."""

    def expands(self, page, relevance):
        return relevance.score >= 0.5


def scorer(by_ontology=(), **parameters: float) -> JointLinks:
    """A scorer for whom /good was marked good and /bad bad; `by_ontology` is the similarity of each link of a page."""
    marks = {f"{HOST}/good": Marks(True), f"{HOST}/bad": Marks(False)}
    samples = Samples(Examples(marks), [], Teacher())
    return JointLinks(lambda judged: by_ontology, Follows(), samples, WordReader(), {**PARAMETERS, **parameters})


def judged(*anchors: str, url: str = f"{HOST}/page", score: float = 0.8, result: bool = False, **about) -> JudgedPage:
    """A page with links to /0, /1, ... by their anchors, which are far apart."""
    parts = [part for anchor in anchors for part in ((Position.ANCHOR, anchor), (Position.OTHER, "." * 130))]
    made = page(*parts, url=url)
    made = Page(url, "", made.text, made.spans, made.links, **about)
    return JudgedPage(made, COUNTS, Relevance(score, result))


def scores(priorities) -> list[float]:
    assert [shares(priority.reasons) for priority in priorities] == pytest.approx([p.score for p in priorities])
    return [priority.score for priority in priorities]


def test_formula_10():
    """sim 0.4 and 0.01 for none: 0.4 / sqrt(0.16 + 0.0001) · 0.8, and a fortieth of it."""
    first = 0.4 / sqrt(0.1601) * 0.8
    assert scores(scorer((0.4, 0.0)).prioritise(judged("ice", "car"))) == pytest.approx([first, first / 40])


def test_formula_10_counts_a_target_once_by_its_best_link():
    """Two links to /0 with 0.4 and 0.2, one to /1 with 0.3: the root of 0.16 + 0.09 is 0.5."""
    made = judged("ice", "car", "sea")
    again = Page(made.page.url, "", made.page.text, made.page.spans, (*made.page.links[:2], made.page.links[0]))
    found = scorer((0.4, 0.3, 0.2)).prioritise(JudgedPage(again, COUNTS, made.relevance))
    assert scores(found) == pytest.approx([0.4 / 0.5 * 0.8, 0.3 / 0.5 * 0.8, 0.2 / 0.5 * 0.8])


def learned(anchors: JointLinks) -> JointLinks:
    """The page marked good was found by "ice hail", the one marked bad, over a redirect, by "car road"."""
    first = judged("ice hail", "car road")
    moved = [("good", 0), ("old", 1)]
    links = tuple(
        type(link)(f"{HOST}/{name}", link.anchor, "", link.start, link.end, "", "", "", frozenset(), rank)
        for (name, rank), link in zip(moved, first.page.links, strict=True)
    )
    anchors.prioritise(
        JudgedPage(Page(first.page.url, "", first.page.text, first.page.spans, links), COUNTS, first.relevance)
    )
    anchors.forget(f"{HOST}/old", f"{HOST}/bad")
    anchors.prioritise(judged(url=f"{HOST}/good"))
    anchors.prioritise(judged(url=f"{HOST}/bad"))
    return anchors


def test_algorithm_1_is_naive_bayes_over_the_anchors_of_samples():
    """P(good | ice) = 2/3 as above; car has 1/3, which is negative: 0.01."""
    found = learned(scorer((0.3, 0.3))).prioritise(judged("ice", "car"))
    norm = sqrt(4 / 9 + 0.0001)
    assert scores(found) == pytest.approx([2 / 3 / norm * 0.8, 0.01 / norm * 0.8])
    assert found[0].reasons[0].what == "anchor, by naive Bayes"


def test_links_of_pages_off_topic_are_discarded_or_wait_last():
    """With off_topic 1: two links of sim 0.3 each get 0.8^0 · ... their share, 1/sqrt(2), of P = 0.2."""
    assert scorer((0.3, 0.3)).prioritise(judged("a", "b", score=0.2)) == [None, None]
    kept = scorer((0.3, 0.3), off_topic=1).prioritise(judged("a", "b", score=0.2))
    assert scores(kept) == pytest.approx([0.2 / sqrt(2)] * 2)


def graph() -> LinkGraph:
    """The way a -> m -> r to a result: Q(a) = 0.9, Q(m) = 1, Q(r) = 1."""
    urls = ("http://v/a", "http://v/m", "http://v/r")
    texts = {url: (anchor, "") for url, anchor in zip(urls, ("hail", "snow", "ice"), strict=True)}
    return LinkGraph(urls, (urls[:2], urls[1:]), frozenset(urls[2:]), frozenset(urls[:1]), texts)


def test_formula_3_takes_the_better_of_anchor_and_link_graph():
    """Only the anchors have words, so a vertex that shares one scores 0.5: hail is worth 0.45, snow 0.5; sea 0.6 itself.

    The root of 0.45^2 + 0.5^2 + 0.6^2 is 0.9014.
    """
    joint = scorer((0.0, 0.2, 0.6))
    joint.receive_graph(graph())
    found = joint.prioritise(judged("hail", "snow", "sea"))
    norm = sqrt(0.45**2 + 0.5**2 + 0.6**2)
    assert scores(found) == pytest.approx([sim / norm * 0.8 for sim in (0.45, 0.5, 0.6)])
    assert found[0].reasons[0].detail == "http://v/a, similarity 0.5, Q 0.9"
    assert found[2].reasons[0].what == "anchor, by the ontology"


def test_the_graph_is_wanted_at_every_multiple_of_cf_results():
    """Results are pages on topic that may be one; the second and the fourth ask."""
    joint = scorer(cf=2)
    wanted = []
    for n, about in enumerate([{}, {"noindex": True}, {}, {}, {}]):
        joint.prioritise(judged(url=f"{HOST}/{n}", result=True, **about))
        joint.prioritise(judged(url=f"{HOST}/{n}/list", result=False))
        wanted.append(joint.wants_graph())
        if wanted[-1]:
            joint.receive_graph(graph())
    assert wanted == [False, False, True, False, True]


def test_without_cf_there_is_no_link_graph():
    joint = scorer(cf=0)
    joint.prioritise(judged(result=True))
    assert not joint.wants_graph()


def test_a_resumed_scorer_goes_on_as_if_it_had_not_stopped():
    joint = learned(scorer(cf=1))
    joint.receive_graph(graph())
    joint.prioritise(judged("later", url=f"{HOST}/p", result=True))
    resumed = scorer(cf=1)
    resumed.restore(json.loads(json.dumps(joint.remember())))
    assert resumed.wants_graph()
    assert resumed.remember() == joint.remember()
    asked = judged("hail", "ice", "sea", "snow hail")
    assert resumed.prioritise(asked) == joint.prioritise(asked)


def test_the_row_wires_judge_and_scorer():
    body = b"<title>F-22</title><p>fighter <a href='/a'>missile fighter</a> <a href='/b'>b</a></p>"
    understanding = build_understanding("jlse", TOPIC, LEXICON, None, {})
    understood = understanding.understand(body, f"{HOST}/", {})
    (_, first), (_, second) = understood.links
    assert first.score > second.score > 0
    assert "TextDegree" in understood.relevance.reasons[1].detail
    assert kind_features(understood.page)[1] == pytest.approx(log2(2 / 5.0), abs=1)
