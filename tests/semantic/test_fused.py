"""The default strategy's parts, each with sums done by hand, and the whole on pages that a test makes."""

import gc
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from miniature import ANALYST, LEXICON, TOPIC, page
from stored_memory import stored

from semantic.learning.feature_hashing import token, words
from semantic.links.link_reading import LinkReader, LinkRowsReader, address_of
from semantic.links.link_scorer import JudgedFrame
from semantic.memory.strategy_memory import pack_memory
from semantic.page import Position
from semantic.parsing.page_reader import read_page
from semantic.reasons import Reason, because
from semantic.records import LinkGraph, LinkRecord, Relevance
from semantic.relevance.default_judge import MixtureJudge
from semantic.strategies.fused.crawl_evidence import NAMES, Groups, LinkEvidence, LinkingPages
from semantic.strategies.fused.fused_scorer import FORMAT, Fused, Fusion
from semantic.strategies.fused.link_learner import (
    EVIDENCE,
    FOLDER_PAGES,
    Learner,
    Weights,
    columns_of,
    fit_dense,
    fit_hashed,
    flattened,
    smoothed,
    with_similar_page,
    without_own,
)
from semantic.terms.term_matching import ConceptCounts, Matcher, build_word_table

TABLE = build_word_table(LEXICON, TOPIC)
MATCHER = Matcher(LEXICON)
READS_ROWS = replace(ANALYST, read_links=LinkRowsReader(TABLE, LinkReader(MATCHER)).read, keeps_page=False)


def test_traditional_and_simplified_words_are_one_token():
    assert words("運算公式 Maths") == words("运算公式 maths") == ["运算", "算公", "公式", "maths"]
    assert token("word", "a") != token("near", "a")


def test_an_address_stands_in_its_chain_of_directories():
    assert address_of("http://h/a/b/c.html").chain == ("h", "h/a", "h/a/b", "", "", "")
    assert address_of("http://h/a/b.php?x=1").chain[:3] == ("h", "h/a", "h/a/b.php")
    assert address_of("http://h/").chain == ("h", "", "", "", "", "")


def test_means_of_groups_are_drawn_to_what_stands_above():
    groups = Groups()
    one = groups.number("one")
    groups.add(np.array([[one, 0]]), np.array([1.0]))
    groups.add(np.array([[one, 0]]), np.array([0.5]))
    assert groups.means(np.array([one, 0]), 0.25, 2.0) == pytest.approx([(1.5 + 0.5) / 4, 0.25])  # none: as above


def test_a_group_without_the_page_itself():
    r = np.array([1.0, 0.5, 0.0])
    chain = np.array([[1], [1], [2]], np.int32)
    # one level has the innermost's k = 2; m = 0.5: (0.5 + 1)/3, (1 + 1)/3, (0 + 1)/2
    assert without_own(r, chain, 0.5) == pytest.approx([0.5, 2 / 3, 0.5])


def test_the_target_is_the_judgement_with_its_neighbourhood():
    r = np.array([1.0, 1.0, 0.0, 0.0])
    chain = np.zeros((4, 1), np.int32)  # no directories: dir = m = 0.5, a = 0
    linked = np.array([[np.nan], [1.0], [np.nan], [0.0]])  # page 1 links to page 2, 3 to 4
    # in - m: 0, (1 + 0.5)/2 - 0.5, 0, (0 + 0.5)/2 - 0.5; var(r) = 1/4
    b = (0.25 * 0.5 + 0.25 * 0.5) / (2 * 0.25**2 + 5 / 4)
    y = np.array([1.5, 1.5 + 0.25 * b, 0.5, 0.5 - 0.25 * b]) / 2
    assert smoothed(r, chain, linked) == pytest.approx(flattened(y))


def test_a_neighbourhood_that_misleads_counts_for_nothing():
    r = np.array([1.0, 0.0])
    linked = np.array([[np.nan], [1.0]])  # a good page links to a bad one
    assert smoothed(r, np.zeros((2, 1), np.int32), linked) == pytest.approx(flattened(np.array([0.75, 0.25])))


def test_ridges_find_what_is_behind_the_numbers():
    x = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    dense = fit_dense(x, 2 * x[:, 0], 1e-9)
    assert dense.predict(x) == pytest.approx(2 * x[:, 0], abs=1e-6)  # the constant column does no harm
    assert dense.mean + dense.parts(x).sum(1) == pytest.approx(dense.predict(x))
    slots = np.zeros((4, 48), np.int32)
    slots[:2, 0] = 7
    hashed = fit_hashed(slots, np.array([1.0, 1.0, 0.0, 0.0]), 1.0)
    # centred y is 0.5 for the two rows that have the token: w = (0.5 + 0.5)/(2 + alpha)
    assert hashed.predict(slots) == pytest.approx([0.5 + 1 / 3] * 2 + [0.5] * 2, abs=1e-6)


def test_before_anything_is_learned_the_prior_decides():
    learner = Learner(Weights())
    x = np.zeros((2, len(NAMES)))
    x[0, NAMES.index("prior")] = 1.0
    one, other = learner.value(x)
    assert one - other == pytest.approx(0.35)


def test_exploration_is_free_while_the_queue_holds_what_was_best():
    learner = Learner(Weights())
    x = np.zeros((80, len(NAMES)))
    y = np.repeat([0.0, 0.6], 40)
    learner.fit(np.zeros((80, 48), np.int32), x, y, np.zeros(80), 80)
    for n in range(200):
        learner.follow(0.6, x[0], n)
    assert learner.dryness == pytest.approx(0.0, abs=0.01)
    for n in range(200):
        learner.follow(0.0, x[0], n)
    assert learner.dryness == pytest.approx(1.0, abs=0.01)


def test_every_feature_is_told_once():
    told = [name for names in EVIDENCE.values() for name in names]
    assert sorted(told) == sorted(NAMES)


def made(url: str, links: dict[str, str], text: str = "plain words") -> JudgedFrame:
    return _made(url, tuple(links.items()), text)


@cache
def _made(url: str, links: tuple[tuple[str, str], ...], text: str) -> JudgedFrame:
    anchors = " ".join(f'<a href="{target}">{anchor}</a>' for target, anchor in links)
    page = read_page(f"<title>t</title><body><p>{text}</p><ul>{anchors}</ul>".encode(), url, {})
    return JudgedFrame(READS_ROWS.frame(page), Relevance(0.0, False))


class Taught(Fused):
    """With the judge that is asked before it, as `semantic.understanding` does."""

    def __init__(self, weights: Weights, seed: int) -> None:
        self._judge = MixtureJudge(TOPIC, TABLE)
        super().__init__(self._judge, weights, seed)

    def score(self, judged: Sequence[JudgedFrame]) -> list[tuple[LinkRecord, ...]]:
        self._judge.judge_frames([one.frame for one in judged])
        return super().score(judged)

    def take(self, judged: JudgedFrame) -> tuple[LinkRecord, ...]:
        """What is said of the links of one page that comes alone."""
        (links,) = self.score([judged])
        return links

    def remember(self) -> Mapping[str, Any]:
        return {**super().remember(), "judge": self._judge.remember()}

    def restore(self, memory: Mapping[str, Any]) -> None:
        self._judge.restore(memory["judge"])
        super().restore(memory)


def a_scorer(seed: int = 1, weights: Weights = Weights()) -> Taught:  # noqa: B008 - a frozen value
    return Taught(weights, seed)


def crawled(scorer: Taught, first: int, last: int) -> list[dict[str, float]]:
    """Pages that link on; every third is on topic, below its own directory. What `revise` said after each."""
    said = []
    for i in range(first, last):
        good = i % 3 == 0
        where = "missile" if good else "other"
        links = {f"http://h/{w}/{2 * i + k + 1}": w for k, w in enumerate(("missile", "other"))}
        scorer.take(made(f"http://h/{where}/{i}", links, "missile fighter" if good else "plain words"))
        said.append({url: place.score for url, place in scorer.revise().items()})
    return said


def crawled_with_a_stop(stop: int, last: int) -> list[dict[str, float]]:
    """What was said in a crawl of which another scorer goes on with what the first one remembered."""
    stopped, resumed = a_scorer(), a_scorer()
    said = crawled(stopped, 0, stop)
    resumed.restore(stored(stopped))
    return said + crawled(resumed, stop, last)


def test_the_shares_of_the_reasons_add_up_to_the_score():
    scorer = a_scorer()
    crawled(scorer, 0, 130)
    links = {"http://h/missile/x": "missile", "http://h/other/y": "cake"}
    places = scorer.take(made("http://h/other/129b", links))
    scorer.choose([place.url for place in places])
    for place in places:
        reasons = scorer.why_chosen(place.url)
        assert sum(reason.share for reason in reasons) == pytest.approx(place.priority, abs=2e-3)


def test_a_link_to_a_fetched_page_has_no_place():
    scorer = a_scorer()
    scorer.take(made("http://h/", {"http://h/1": "missile"}))
    (back,) = scorer.take(made("http://h/1", {"http://h/": "missile"}))
    assert (back.priority, back.reasons) == (0.0, ())


def test_a_link_says_which_words_of_the_topic_it_names():
    (named,) = a_scorer().take(made("http://h/", {"http://h/1": "missile cake"}))
    (plain,) = a_scorer().take(made("http://h/", {"http://h/1": "cake"}))
    assert named.reasons == (because("names", words=("missile",)),)
    assert plain.reasons == ()


def test_why_a_page_was_chosen_is_known_until_it_ends():
    scorer = a_scorer()
    scorer.take(made("http://h/", {"http://h/1": "missile", "http://h/2": "missile"}))
    assert scorer.why_chosen("http://h/1") == ()
    scorer.choose(["http://h/1", "http://h/2", "http://h/seed"])
    assert scorer.why_chosen("http://h/1") and scorer.why_chosen("http://h/2")
    assert scorer.why_chosen("http://h/seed") == ()
    scorer.take(made("http://h/1", {}))
    scorer.forget("http://h/2", None)
    assert scorer.why_chosen("http://h/1") == scorer.why_chosen("http://h/2") == ()


def noted(scorer: Taught, monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The rows that are looked at together from now on."""
    evidence, looked_at = scorer.core.evidence, []
    dense = evidence.dense
    monkeypatch.setattr(evidence, "dense", lambda rows, *given: looked_at.append(rows.tolist()) or dense(rows, *given))
    return looked_at


def test_after_a_fit_a_long_queue_is_examined_in_part(monkeypatch):
    monkeypatch.setattr("semantic.strategies.fused.fused_scorer.MOST", 10)
    monkeypatch.setattr("semantic.strategies.fused.fused_scorer.TURN", 5)
    scorer = a_scorer()
    links = {f"http://h/{n}": "missile" if n < 6 else "cake" for n in range(40)}
    scorer.take(made("http://h/", links))
    looked_at = noted(scorer, monkeypatch)
    scorer.rejudge()
    urls = scorer.core.evidence.addresses.urls
    due = {urls[row] for rows in looked_at for row in rows}
    assert 10 <= len(due) <= 15
    assert {f"http://h/{n}" for n in range(6)} <= due
    assert crawled(scorer, 0, 60)


def test_of_a_fetched_page_only_its_own_evidence_is_kept():
    scorer = a_scorer()
    crawled(scorer, 0, 60)
    kept = scorer.core.snapshots
    assert len(kept) == 60
    assert all(one.base is None for one in kept)


def evidence_of_the_second(*, when_chosen: bool) -> np.ndarray:
    """Two pages like each other are fetched at once; the evidence by which the one that comes second is learned."""
    scorer = a_scorer()
    scorer.take(made("http://h/", {"http://h/d/1": "missile", "http://h/d/2": "missile"}))
    if when_chosen:
        scorer.choose(["http://h/d/2"])
    scorer.take(made("http://h/d/1", {"http://h/e/3": "cake"}, "missile fighter"))
    scorer.take(made("http://h/d/2", {}, "missile fighter"))
    return scorer.core.snapshots[-1]


def test_a_page_is_learned_by_what_was_known_when_chosen():
    chosen, late = (evidence_of_the_second(when_chosen=when) for when in (True, False))
    assert chosen[FOLDER_PAGES] == 0 < late[FOLDER_PAGES]


def test_what_is_remembered_is_remembered_again_to_the_byte(short_memory):
    stopped, resumed = a_scorer(), a_scorer()
    crawled(stopped, 0, 160)
    resumed.restore(stored(stopped))
    assert pack_memory(resumed.remember()) == pack_memory(stopped.remember())


def test_a_memory_of_another_shape_has_another_layout():
    """What fails here changes what stores hold: raise `FORMAT` in `fused.fused_scorer`, or take back memories of
    before, with a test of that; then change the number here.
    """
    text = json.dumps(stored(a_scorer()), sort_keys=True, default=lambda packed: "packed")
    shape = json.loads(text, parse_float=lambda number: "float")
    assert (FORMAT, crc32(repr(shape).encode())) == (12, 1927836861)


def test_of_an_address_that_is_remembered_there_is_one_text():
    scorer, known = a_scorer(), "http://a/"
    scorer.take(made(known, {f"{known}1": "a link"}))
    resumed = a_scorer()
    resumed.restore(stored(scorer))
    texts = [resumed.interned("".join((known, "1"))) for _ in range(2)]
    assert texts[0] is texts[1]
    assert texts[0] == f"{known}1"
    assert resumed.interned(f"{known}2") == f"{known}2"


def test_the_link_graph_is_asked_as_results_grow_and_learned():
    scorer = a_scorer()
    asked = []
    for i in range(510):
        crawled(scorer, i, i + 1)
        if scorer.wants_graph():
            asked.append(i + 1)
            scorer.receive_graph(graph_of(i + 1))
        assert not scorer.wants_graph()
    assert asked == [300, 500]  # ten and more at a fit, then half as many again
    scorer.take(made("http://h/missile/300", {"http://h/missile/a": "missile", "http://h/x/b": "cake"}))
    addresses = scorer.core.evidence.addresses
    assert addresses.at["vertex"][addresses.rows["http://h/missile/a"]] > 0


def test_a_link_is_looked_up_for_new_words_or_graphs(monkeypatch):
    scorer = a_scorer()
    crawled(scorer, 0, 100)
    core = scorer.core
    at, vertices, asked = core.evidence.addresses.at, core.vertices, []
    look_up = vertices.evidence
    monkeypatch.setattr(vertices, "evidence", lambda tokens: asked.append(len(tokens)) or look_up(tokens))
    scorer.receive_graph(graph_of(100))
    for name, anchor, times in (("1", "missile", 1), ("2", "missile", 0), ("3", "cake", 1), ("4", "cake", 0)):
        asked.clear()
        scorer.take(made(f"http://h/m/{name}", {"http://h/met": anchor}))
        row = core.evidence.addresses.rows["http://h/met"]
        assert (len(asked), at["q"][row]) == (times, pytest.approx(look_up(at["tokens"][[row]])[0][0]))
    asked.clear()
    scorer.forget("http://h/met", None)  # waits no more
    scorer.receive_graph(graph_of(50))
    assert asked == [len(dict(scorer.places()))]


def test_the_page_of_the_link_graph_is_named():
    reasons = (Reason("topic words", 0.2), Reason("link graph", 0.1))
    like = (because("like the link", page="http://h/", q=0.5),)
    assert [why.evidence for why in with_similar_page(reasons, "http://h/", 0.5)] == [(), like]


def test_without_the_link_graph_none_is_asked_for():
    scorer = a_scorer(weights=Weights(without=("link graph",)))
    crawled(scorer, 0, 110)
    assert not scorer.wants_graph()


def graph_of(pages: int) -> LinkGraph:
    """G_w of what `crawled` crawls, every third page being a result."""
    named = [f"http://h/{'other' if i % 3 else 'missile'}/{i}" for i in range(pages)]
    links = [(named[i], named[k]) for i in range(pages) for k in (2 * i + 1, 2 * i + 2) if k < pages]
    return LinkGraph(tuple(named), tuple(links), frozenset(named[::3]), frozenset(named[:1]))


def test_memory_of_the_link_graph_goes_on_in_order():
    whole, stopped, resumed = a_scorer(), a_scorer(), a_scorer()
    for scorer in (whole, stopped):
        crawled(scorer, 0, 100)
        scorer.receive_graph(graph_of(100))
    expected = crawled(whole, 100, 160)
    resumed.restore(stored(stopped))
    assert crawled(resumed, 100, 160) == expected


def test_what_was_said_of_a_redirect_holds_for_its_target():
    scorer = a_scorer()
    scorer.take(made("http://h/", {"http://h/old": "missile", "http://h/plain": "cake"}))
    scorer.forget("http://h/old", "http://h/new")
    scorer.forget("http://h/plain", "http://h/new2")
    one, other = scorer.take(made("http://h/2", {"http://h/new": "here", "http://h/new2": "here"}))
    assert one.priority > other.priority


def test_a_redirect_on_the_way_leaves_exploration_as_it_is():
    straight, moved = a_scorer(), a_scorer()
    for scorer, end in ((straight, "http://h/old"), (moved, "http://h/new")):
        crawled(scorer, 0, 60)
        scorer.take(made("http://h/hub", {"http://h/old": "missile"}))
        if scorer is moved:
            scorer.forget("http://h/old", "http://h/new")
        scorer.take(made(end, {}))
        crawled(scorer, 60, 80)
    assert straight.core.learner.dryness > 0.05
    assert moved.core.learner.dryness == pytest.approx(straight.core.learner.dryness, abs=0.01)


def test_a_link_worth_less_when_met_again_is_told_lower():
    scorer = a_scorer()
    better = {f"http://h/{i}": "missile" for i in range(40)}
    scorer.take(made("http://h/", {**better, "http://h/met": "cake", "http://h/not": "cake"}))
    scorer.revise()
    addresses = scorer.core.evidence.addresses
    for url in ("http://h/met", "http://h/not"):
        addresses.at["sent"][addresses.rows[url]] += 0.05  # the queue holds both where they once stood
    scorer.take(made("http://h/2", {"http://h/met": "cake"}))
    told = scorer.revise()
    assert told["http://h/met"].score == pytest.approx(addresses.at["score"][addresses.rows["http://h/met"]])
    assert "http://h/not" not in told


def test_chance_only_breaks_ties():
    links = {"http://h/1": "cake", "http://h/2": "cake", "http://h/3": "missile"}
    orders = set()
    for seed in range(8):
        places = a_scorer(seed).take(made("http://h/", links))
        scores = [place.priority for place in places]
        assert scores[2] == max(scores)
        orders.add(scores[0] > scores[1])
    assert orders == {False, True}


def test_a_page_that_names_nothing_is_learned_from():
    judge = MixtureJudge(TOPIC, TABLE)
    judge.judge(page((Position.OTHER, "plain words")), ConceptCounts((), 11, 0))
    core = Fusion(judge)
    (named,) = core.arrive([("http://h/", made("http://h/", {}).frame.links)])
    assert [len(found) for found in named] == [0, 0]


def test_pages_that_come_together_are_learned_from_and_not_placed():
    scorer = a_scorer()
    scorer.take(made("http://h/", {f"http://h/{n}": "missile" for n in range(1, 4)}))
    links = {"http://h/1": "missile", "http://h/2": "missile", "http://h/new": "missile"}
    first, second = scorer.score([made("http://h/1", links), made("http://h/2", links)])
    assert [link.url for link in first] == ["http://h/2", "http://h/new"]  # not itself
    assert [link.url for link in second] == ["http://h/1", "http://h/new"]
    assert scorer.core.evidence.number == 3
    assert not {"http://h/", "http://h/1", "http://h/2"} & scorer.revise().keys()
    assert {url for url, _ in scorer.places()} == {"http://h/3", "http://h/new"}


def test_copies_among_pages_that_came_together_count_as_no_pages():
    """Of 20 pages 19 are copies, not only the last: 1 of 20 for the host, from which its directory's share is drawn."""
    scorer = a_scorer()
    scorer.score([made(f"http://h/a/{n}", {}) for n in range(20)])
    scorer.miss([f"http://h/a/{n}" for n in range(19)])
    evidence = scorer.core.evidence
    host = (1 + 3) / (20 + 3)
    folder = (1 + 3 * host) / (20 + 3)
    row = np.array([evidence.row_of("http://h/a/new")], np.int32)
    assert evidence.odds_of(row) == pytest.approx([4 * folder])


class Disturbed(LinkEvidence):
    """Evidence with chance numbers in some columns."""

    def __init__(self, columns: list[int]) -> None:
        super().__init__(1)
        self._columns, self._noise = columns, np.random.default_rng(5)

    def dense(self, rows, hashed, layers):
        x = super().dense(rows, hashed, layers)
        x[:, self._columns] = self._noise.random((len(rows), len(self._columns)))
        return x


@pytest.mark.parametrize("kind", ["topic words", "template"])
def test_evidence_that_is_left_out_has_no_influence(kind):
    def places(without: tuple[str, ...], *, disturbed: bool) -> list[dict[str, float]]:
        scorer = a_scorer(weights=Weights(without=without))
        if disturbed:
            scorer.core.evidence = Disturbed(columns_of([kind]))
        return crawled(scorer, 0, 210)

    quiet = places((kind,), disturbed=False)
    assert places((kind,), disturbed=True) == quiet
    assert places((), disturbed=True) != quiet


def test_a_crawl_leaves_no_garbage_in_cycles():
    """Python looks for it seldom while it crawls (`crawler.engine.garbage_collection`)."""
    scorer = a_scorer()
    crawled(scorer, 0, 90)
    gc.collect()
    gc.disable()
    found = []
    try:
        for first in (90, 210, 330):  # threads of earlier tests may leave something at any time, but not three times
            crawled(scorer, first, first + 120)  # two fits, later one
            pack_memory(scorer.remember())
            found.append(gc.collect())
        assert min(found) == 0
    finally:
        gc.enable()


@pytest.fixture
def short_memory(monkeypatch):
    monkeypatch.setattr("semantic.strategies.fused.fused_scorer.RECENT", 50)


@pytest.mark.slow
def test_what_is_held_of_old_pages_does_not_grow(short_memory):
    scorer = a_scorer()
    crawled(scorer, 0, 500)
    core = scorer.core
    addresses = core.evidence.addresses
    assert len(core.evidence.fetched) == len(core.snapshots) == 50
    assert core.evidence.number == 500
    heard = {f"http://h/{w}/{2 * i + k + 1}" for i in range(500) for k, w in enumerate(("missile", "other"))}
    fetched = {f"http://h/{'other' if i % 3 else 'missile'}/{i}" for i in range(500)}
    held = {url for url in addresses.urls if url}
    assert heard - fetched <= held  # all that waits
    assert len(held & fetched) <= 50 + 100  # of what was fetched the last, and since the last fit
    assert len(addresses.urls) < len(heard | fetched) - 300
    assert all(url in addresses.rows for url in held)
    gone = sorted(fetched - held)
    assert all(addresses.are_evicted(gone))
    assert not any(addresses.are_evicted(sorted(held)))


def test_links_to_what_is_gone_are_not_new_ones(short_memory):
    scorer = a_scorer()
    crawled(scorer, 0, 250)
    addresses = scorer.core.evidence.addresses
    gone = "http://h/missile/3"
    assert gone not in addresses.rows
    scorer.forget("http://h/missile/252", gone)
    places = scorer.take(made("http://h/x", {gone: "missile", "http://h/new": "missile"}))
    assert [place.priority > 0 for place in places] == [False, True]
    assert [place.priority for place in scorer.take(made("http://h/z", {gone: "missile"}))] == [0.0]
    assert gone not in addresses.rows and "http://h/new" in addresses.rows


def test_a_row_leaves_the_pool_before_it_is_another_s(short_memory, monkeypatch):
    scorer = a_scorer()
    crawled(scorer, 0, 400)  # the last of them with a fit
    for n in range(780, 800):
        scorer.forget(f"http://h/{'missile' if n % 2 else 'other'}/{n}", None)
    scorer.take(made("http://h/y", {f"http://h/new/{n}": "missile" for n in range(400)}))
    looked_at = noted(scorer, monkeypatch)
    crawled(scorer, 401, 430)  # with a sweep
    assert max(map(len, looked_at)) > 100
    assert all(len(set(rows)) == len(rows) for rows in looked_at)


@pytest.mark.slow
def test_a_redirected_address_is_known_until_its_successor_is_gone(short_memory):
    scorer = a_scorer()
    scorer.take(made("http://h/", {"http://h/old": "missile"}))
    scorer.forget("http://h/old", "http://h/new")
    addresses = scorer.core.evidence.addresses
    crawled(scorer, 0, 150)
    assert addresses.rows["http://h/old"] == addresses.rows["http://h/new"]
    scorer.take(made("http://h/new", {}))
    crawled(scorer, 150, 350)
    for url in ("http://h/old", "http://h/new"):
        assert url not in addresses.rows and addresses.are_evicted([url]) == [True]


@pytest.mark.slow
def test_a_short_memory_goes_on_in_the_same_order(short_memory):
    assert crawled_with_a_stop(230, 320) == crawled(a_scorer(), 0, 320)


def test_rows_of_the_oldest_pages_are_used_again(monkeypatch):
    monkeypatch.setattr("semantic.strategies.fused.crawl_evidence.LINKING", 3)
    pages = LinkingPages()
    for number in (1, 2, 3):
        pages.value[pages.add(number)] = number / 10
    pages.children.add(np.array([[1, 3]], np.int32), np.ones(1))
    again = LinkingPages()
    again.restore(stored(pages))
    for one in (pages, again):
        one.value[one.add(4)] = 0.4
        assert one.value[one.rows(np.array([0, 1, 2, 3, 4], np.int32))].tolist() == [0.0, 0.0, 0.2, 0.3, 0.4]
        assert one.children.counts[one.rows(np.array([1, 3, 4], np.int32))].tolist() == [0, 1, 0]


def test_groups_without_a_name_are_used_again(monkeypatch):
    monkeypatch.setattr("semantic.strategies.fused.crawl_evidence.UNNAMED", 3)
    groups = Groups()
    named = groups.number("a")
    first = [groups.unnamed() for _ in range(3)]
    groups.add(np.array([[named, *first]], np.int32), np.ones(1))
    assert [groups.unnamed() for _ in range(2)] == first[:2]
    assert groups.counts[[named, *first]].tolist() == [1.0, 0.0, 0.0, 1.0]
    kept = Groups()
    kept.restore(stored(groups))
    assert kept.unnamed() == first[2]
