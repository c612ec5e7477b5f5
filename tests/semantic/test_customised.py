"""Paper C from seeds alone: seeds (4, 0) and (0, 2) over the words ice, snow, as in test_centroid."""

from math import sqrt

import pytest
from frames_at_hand import understand
from miniature import page, shares

from ontology.lexicon.lexicon import Lexicon
from ontology.topic import Topic
from semantic import understanding
from semantic.page import Position
from semantic.strategies.customised.centre_judge import CentreJudge
from semantic.strategies.strategy_table import build_understanding
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import ConceptCounts
from semantic.understanding import Samples

NOTHING = ConceptCounts((), 0, 0)
HERE = "http://example.org/"
NO_ONTOLOGY = Topic(None, "seeds", {}, {}), Lexicon((), {})
SEEDS = (HERE + "ice", HERE + "snow")


def text(words, url=HERE):
    return page((Position.OTHER, words), url=url)


def seeded(like=0.3):
    made = CentreJudge(Samples(None, SEEDS, None), WordReader(), 0.3, like)
    made.meet(text("ice ice ice ice", SEEDS[0]))
    made.meet(text("snow snow", SEEDS[1]))
    return made


def crawled(strategy, answers, *failing):
    """What is said of pages, last, and of links; `failing` seeds end without a page after the first answer."""
    seeds = [*(url for url, _ in answers), *failing]
    made = build_understanding(strategy, *NO_ONTOLOGY, seeds=seeds)
    said, places = {}, {}
    for url, html in answers:
        understood = understand(made, html.encode(), url)
        said[url] = [understood.relevance.score]
        places |= {link.url: [link.priority] for link in understood.links}
        for failed in failing:
            made.forget(failed, None)
        for record in made.rejudged():
            said[record.url].append(record.relevance)
        for address, priority in made.revise().items():
            places[address].append(priority.score)
    return said, places


def test_the_centre_of_all_seeds_precedes_the_first_scored_link():
    """Seeds (4, 0) and (0, 2): M = (2, 1), with cosines 2 and 1 by sqrt(5); until both have come links wait with 0."""
    answers = [
        (SEEDS[0], "<p>ice ice ice ice</p><a href=/a><img></a><a href=/both><img></a>"),
        (SEEDS[1], "<p>snow snow</p><a href=/b><img></a><a href=/both><img></a>"),
    ]
    said, places = crawled("customised", answers)
    near, far = pytest.approx(2 / sqrt(5)), pytest.approx(1 / sqrt(5))
    assert said == {SEEDS[0]: [1, near], SEEDS[1]: [1, far]}
    assert places == {HERE + "a": [0, near], HERE + "b": [0, far], HERE + "both": [0, near]}


def test_a_seed_that_fails_is_not_waited_for():
    said, places = crawled("customised", [(SEEDS[0], "<p>ice</p><a href=/a><img></a>")], HERE + "gone")
    assert said == {SEEDS[0]: [1, pytest.approx(1)]}
    assert places == {HERE + "a": [0, pytest.approx(1)]}


def test_silent_seeds_are_waited_for_a_hundred_pages_long(monkeypatch):
    monkeypatch.setattr(understanding, "MOST", 2)
    made, resumed = (build_understanding("customised", *NO_ONTOLOGY, seeds=SEEDS) for _ in range(2))
    assert understand(made, b"<p>ice</p><a href=/a>x</a>", SEEDS[0]).deferred
    assert (made.rejudged(), made.revise()) == ([], {})
    resumed.restore(made.remember())
    for each in (made, resumed):
        assert understand(each, b"<p>ice</p>", HERE + "a").deferred
        assert [news.url for news in each.rejudged()] == [SEEDS[0], HERE + "a"]
        assert not understand(each, b"<p>ice</p>", HERE + "b").deferred


def test_of_a_copy_nothing_more_is_said():
    made = build_understanding("customised", *NO_ONTOLOGY, seeds=SEEDS)
    for url in SEEDS:
        understand(made, b"<p>ice</p>", url)
    made.withdraw(SEEDS[1])
    assert [news.url for news in made.rejudged()] == [SEEDS[0]]


def test_a_page_like_a_seed_moves_the_centre_before_comparison():
    """(3, 1) is like the first seed: the sum (4, 2) becomes (7, 3); cosine (21 + 3) / sqrt(10 · 58)."""
    relevance = seeded().judge(text("ice ice ice snow"), NOTHING)
    assert relevance.score == pytest.approx(24 / sqrt(10 * 58))
    assert relevance.on_topic
    assert shares(relevance.reasons) == pytest.approx(relevance.score)


def test_a_page_like_no_seed_moves_nothing():
    """(1, 1) has cosine 0.707 with both seeds; with M (2 + 1) / sqrt(2 · 5)."""
    made = seeded(like=0.71)
    for _ in range(2):
        assert made.judge(text("ice snow"), NOTHING).score == pytest.approx(6 / sqrt(40))


def test_a_seed_behind_a_redirect_is_a_seed_and_awaited():
    samples = Samples(None, SEEDS, None)
    samples.forget(SEEDS[0], HERE + "moved")
    samples.meet(SEEDS[1])
    assert samples.awaits_seeds
    assert samples.is_seed(HERE + "moved")
    samples.meet(HERE + "moved")
    assert not samples.awaits_seeds


def test_a_hub_is_compared_by_its_anchors():
    hub = page((Position.ANCHOR, "ice ice ice"), (Position.OTHER, "car"))
    relevance = seeded().judge(hub, NOTHING)
    assert [reason.evidence for reason in relevance.reasons] == [("ice",)]
    assert relevance.reasons[0].kind == "like hubs"


def test_without_ontology_links_keep_their_page_s_cosine_when_resumed():
    body = b"<p>green tea leaves leaves</p><a href='/more'>more</a>"
    going, stopped = (build_understanding("customised", *NO_ONTOLOGY, seeds=[HERE]) for _ in range(2))
    first = understand(going, body, HERE)
    assert first.relevance.score == pytest.approx(1)
    assert [link.priority for link in first.links] == [first.relevance.score]
    stopped.restore(going.remember())
    again = [understand(each, b"<p>tea</p><a href='/x'>x</a>", HERE + "more") for each in (going, stopped)]
    assert again[0] == again[1]
    assert 0 < again[0].relevance.score < 1
