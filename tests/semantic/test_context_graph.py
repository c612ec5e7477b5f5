"""Context graph by hand.

hub links to shelf, shelf to result; far links to hub. Layers from the result: shelf 1, hub 2, far 3.
"""

from math import sqrt

import pytest
from miniature import page, shares

from semantic.links.link_scorer import JudgedPage
from semantic.page import Position
from semantic.reasons import Reason, because
from semantic.records import Relevance
from semantic.strategies.baselines import context_graph
from semantic.strategies.baselines.context_graph import ContextGraph, CrawledPage, fit, layers
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import ConceptCounts
from semantic.understanding import Examples, Marks, Samples

HERE = "http://example.org/"
WEB = {
    "far": CrawledPage({"start": 1}, ("hub",), good=False),
    "hub": CrawledPage({"portal": 2}, ("shelf", "away"), good=False),
    "shelf": CrawledPage({"list": 1}, ("result", "hub"), good=False),
    "result": CrawledPage({"leaf": 3, "list": 1}, ("far",), good=True),
    "alone": CrawledPage({"wheel": 1}, (), good=False),
}


def test_layers_are_the_links_to_the_nearest_result():
    assert layers(WEB, 4) == {"result": 0, "shelf": 1, "hub": 2, "far": 3}
    assert layers(WEB, 1) == {"result": 0, "shelf": 1}
    assert layers({}, 4) == {}


def test_a_page_goes_to_its_likeliest_layer():
    """V: leaf and list (result), list (shelf), portal (hub), start (far), 4 words.

    P(leaf | 0) = 4/8, P(list | 0) = 2/8; P(leaf | 1) = 1/5, P(leaf | 2) = 1/6, P(leaf | 3) = 1/5.
    """
    model = fit(WEB, layers(WEB, 4))
    (leaf,) = model.posteriors([{"leaf": 1, "unknown": 7}])
    whole = 4 / 8 + 1 / 5 + 1 / 6 + 1 / 5
    assert leaf == pytest.approx({"0": 4 / 8 / whole, "1": 1 / 5 / whole, "2": 1 / 6 / whole, "3": 1 / 5 / whole})
    assert model.likelihood({"leaf": 1, "list": 1}, "0") == pytest.approx(sqrt(4 / 8 * 2 / 8))
    assert model.likelihood({"unknown": 1}, "0") == 0


def test_only_the_best_words_of_a_layer_count(monkeypatch):
    """tf-idf in the result: leaf 3 log 5, list log 5/2."""
    monkeypatch.setattr(context_graph, "FEATURES", 1)
    model = fit(WEB, {"result": 0})
    assert model.likelihood({"list": 1}, "0") == 0
    assert model.likelihood({"leaf": 1}, "0") > 0


def test_at_most_so_many_documents_train_a_layer():
    """Of two pages of layer 0 the last one counts: P(new | 0) = (1 + 1) / (1 + 1), and old is no word of it."""
    pages = {
        "one": CrawledPage({"old": 1}, (), good=True),
        "two": CrawledPage({"new": 1}, (), good=True),
        "x": WEB["alone"],
    }
    model = fit(pages, layers(pages, 4), documents=1)
    assert model.likelihood({"new": 1}, "0") == 1
    assert model.likelihood({"old": 1}, "0") == 0
    assert fit(pages, layers(pages, 4)).likelihood({"old": 1}, "0") == pytest.approx(2 / 4)


def scorer(examples=None, teacher=None, threshold=0.5):
    return ContextGraph(Samples(examples, (), teacher), WordReader(), 4, threshold)


def judged(words, *links, url=HERE, score=0.0):
    linked = page((Position.OTHER, words), *((Position.ANCHOR, "x") for _ in links), url=url)
    return JudgedPage(linked, ConceptCounts((), 0, 0), Relevance(score, score >= 0.5))


def test_before_there_are_results_pages_on_topic_come_first():
    made = scorer(Examples())
    (on,) = made.prioritise(judged("a", 1, score=0.7))
    (off,) = made.prioritise(judged("a", 1, score=0.2, url=HERE + "b"))
    assert on.score == pytest.approx(0.7)
    assert off.score == pytest.approx(-5 + 0.2)
    assert shares(off.reasons) == pytest.approx(off.score)


def learned(**given):
    """Three results /0, which "shelf" pages link to; /r3 has not come."""
    marks = {f"{HERE}{name}": Marks(good=True) for name in ("0", "r1", "r2", "r3")}
    made = scorer(Examples(marks), **given)
    made.prioritise(judged("shelf books", 1, url=HERE + "s"))
    for name in ("r1", "r2", "0"):
        made.prioritise(judged("leaf tea", url=HERE + name))
    return made


def test_the_nearest_layer_comes_first_once_results_are_known():
    made = learned()
    (near,) = made.prioritise(judged("leaf", 1, url=HERE + "x"))
    (next_to,) = made.prioritise(judged("shelf", 1, url=HERE + "y"))
    assert 0 < near.score < 1
    assert -1 < next_to.score < 0
    assert near.reasons[0].evidence == (because("layer", number=0),)


def test_a_page_of_no_likely_layer_goes_to_other():
    (priority,) = learned(threshold=0.99).prioritise(judged("leaf shelf", 1, url=HERE + "x"))
    assert priority.score == -5
    assert priority.reasons[0].evidence == (Reason("other"),)


def test_layers_are_remade_when_results_grow_by_a_fifth(monkeypatch):
    fitted = []
    monkeypatch.setattr(context_graph, "fit", lambda pages, *given: fitted.append(list(pages)) or fit(pages, *given))
    made = learned()
    assert len(fitted) == 1
    made.prioritise(judged("wheel", url=HERE + "z"))
    assert len(fitted) == 1
    made.prioritise(judged("wheel", url=HERE + "r3"))  # 4 results of 3
    assert [HERE + "r3" in pages for pages in fitted] == [False, True]


def test_only_the_last_pages_are_kept(monkeypatch):
    monkeypatch.setattr(context_graph, "KEPT_PAGES", 2)
    assert list(learned().remember()["pages"]) == [HERE + "r2", HERE + "0"]


def test_files_of_examples_are_results():
    made = scorer(Examples({}, [(page((Position.OTHER, "leaf"), url="file:///leaf.html"), Marks(good=True))]))
    assert made.remember()["pages"] == {"file:///leaf.html": context_graph.CrawledPage({"leaf": 1}, (), good=True)}
