"""What was learned, read back from what strategies remember: on small crawls whose lesson is known."""

import pytest
from stored_memory import stored
from test_fused import a_scorer, crawled, graph_of, made

from semantic.learning.base_vector import BaseVector, Threshold
from semantic.learning.feature_hashing import token
from semantic.memory.strategy_memory import pack_memory
from semantic.strategies.fused.fused_beliefs import Belief, FusedBeliefs, Number, named
from semantic.strategies.fused.link_learner import weights_of
from semantic.strategies.learned_beliefs import beliefs, ends, learns
from semantic.strategies.strategy_table import STRATEGIES


@pytest.fixture(scope="module")
def held() -> FusedBeliefs:
    """260 pages; every third, below /missile, is on topic, and "missile" links lead there."""
    scorer = a_scorer()
    crawled(scorer, 0, 260)
    scorer.receive_graph(graph_of(260))
    scorer.take(made("http://h/other/x", {"http://h/missile/new": "missile", "http://h/other/new": "cake"}))
    return FusedBeliefs(stored(scorer)["core"])


def test_hosts_and_directories_by_name_the_best_first(held):
    assert held.pages == 261
    assert 0 < held.trust < 1 and 0 <= held.dryness <= 1
    groups = held.groups()
    assert [(one.what, one.pages) for one in groups["host"]] == [("h", 261)]
    assert [one.what for one in groups["directory"]] == ["h/missile", "h/other"]
    assert groups["directory"][0].worth > 3 * groups["directory"][1].worth


def test_hashed_words_are_named_by_what_links_say(held):
    numbers = held.numbers()
    texts = {url: [("missile" if "/missile/" in url else "other", "")] for number in numbers for url in number.urls}
    found = named(numbers, texts)
    assert "“missile” in the address" in [belief.what for belief in found[:3]]
    assert found[0].worth > 0 > found[-1].worth
    assert "“other”" in found[-1].what


def test_waiting_links_have_shares_and_a_page_like_theirs(held):
    good, bad = (sum(reason.share for reason in held.reasons(f"http://h/{name}/new")) for name in ("missile", "other"))
    page, q = held.likeness("http://h/missile/new")
    assert good > bad and page.startswith("http://h/") and 0 <= q <= 1
    assert (held.reasons("http://h/never/heard/of"), held.likeness("http://h/never/heard/of")) == ((), None)
    last = held.last(9)
    assert len(last) <= 9 and all(prior >= 0 for prior in last.values())


def test_evidence_and_layers_tell_how_far_they_move_places(held):
    kinds = held.kinds()
    assert kinds == sorted(kinds, key=lambda one: -one.worth)
    assert "topic words, at fixed weights" in [one.what for one in kinds]
    assert [one.what for one in held.layers()] == ["a word of layer 1 in the link", "a word of layer 2 in the link"]


@pytest.mark.parametrize(("name", "kind"), [("words", "topic words"), ("layers", "predecessor layers")])
def test_what_a_crawl_leaves_out_is_told_of_no_link(name, kind):
    scorer = a_scorer(weights=weights_of({name: 0}))
    crawled(scorer, 0, 110)
    waiting = scorer.take(made("http://h/x", {"http://h/missile/new": "missile"}))[0]
    found = beliefs("fused", pack_memory({"scorer": scorer.remember()}, scorer.layout), {name: 0})
    shares = found.fused.reasons("http://h/missile/new")
    assert kind not in [reason.kind for reason in shares]
    assert sum(reason.share for reason in shares) == pytest.approx(waiting.priority, abs=1e-3)
    assert bool(found.lists["predecessor layers"]) == (name != "layers")


def test_the_best_and_the_worst_are_never_the_same():
    found = [Belief(worth, str(worth), 1) for worth in (3, 2, 1)]
    assert ends(found) == (found[:2], found[2:])
    assert ends(found, 1) == (found[:1], found[2:])
    assert ends([]) == ([], [])


def test_strategies_that_learn_nothing_say_so():
    assert [name for name in STRATEGIES if learns(name)] == [
        "fused", "jlse", "context-graph", "ata", "adaptive", "customised",
    ]  # fmt: skip
    assert beliefs("bfs", b"anything", {}) is None
    assert beliefs("fused", b"", {}) is None


def remembered(**parts: object) -> bytes:
    return pack_memory({"judge": {}, "scorer": {}, "samples": {}, **parts})


def test_jlse_tells_vertices_with_q_and_the_words_of_anchors():
    bayes = {"bayes": {"samples": {"good": 5, "bad": 5}, "words": {"good": {"tea": 9}, "bad": {"car": 9}}}}
    vertices = {"http://h/a": ["tea", "", 81.0], "http://h/b": ["more tea", "", 100.0]}
    scorer = {"anchors": {"bayes": bayes}, "results": 7, "any_way": True, "vertices": vertices}
    told = beliefs("jlse", remembered(scorer=scorer), {})
    assert told is not None
    assert told.numbers == {"results": 7, "vertices of G_w, on any way to a result": 2}
    assert [one.what for one in told.lists["highest Q in G_w"]] == ["http://h/b more tea", "http://h/a tea"]
    assert [one.what for one in told.lists["words of a good link"]] == ["“tea”"]


NO_ANCHORS = {"bayes": {"bayes": {"samples": {}, "words": {}}}}


@pytest.mark.parametrize(
    ("results", "wanted", "cf", "needed", "less"),
    [
        (37, False, 150, 150, 18),
        (1, False, 150, 150, 0),
        (60, False, 50, 100, 25),  # cf was lowered after the first 50
        (150, True, 150, 150, 75),  # due with the last page
    ],
)
def test_jlse_without_a_link_graph_is_ata(results, wanted, cf, needed, less):
    scorer = {"anchors": NO_ANCHORS, "results": results, "wanted": wanted, "any_way": False, "vertices": {}}
    told = beliefs("jlse", remembered(scorer=scorer), {"cf": cf})
    assert (told.numbers, told.counts) == ({"results": results}, {})
    (note,) = told.notes
    assert f"G_w was never built: there are {results} of the {needed} results" in note
    assert "ordered as by ata" in note
    cure = f"cf = {less} below [parameters] in the file for --settings, simulate with --strategies jlse:cf={less}"
    assert note.endswith(cure if less else "ordered as by ata")


def test_a_link_graph_that_is_switched_off_is_told():
    scorer = {"anchors": NO_ANCHORS, "results": 9, "wanted": False, "any_way": False, "vertices": {}}
    (note,) = beliefs("jlse", remembered(scorer=scorer), {"cf": 0}).notes
    assert note.startswith("G_w is never built, because cf is 0")


@pytest.mark.parametrize(("results", "alike"), [(4, False), (5, True)])
def test_jlse_tells_how_much_q_varies(results, alike):
    """With one page a link before and one two links before: 4 of 6 vertices have the same Q, or 5 of 6 (over 4/5)."""
    worth = [*[1.0] * results, 0.9, *[0.9 * 0.9] * (not alike)]
    vertices = {f"http://h/{number}": ["", "", q] for number, q in enumerate(worth)}
    scorer = {"anchors": NO_ANCHORS, "results": results, "any_way": True, "vertices": vertices}
    told = beliefs("jlse", remembered(scorer=scorer), {})
    assert told.counts == {"vertices by Q": {"1": results, "0.9": 1} | ({} if alike else {"0.81": 1})}
    (note,) = told.notes
    assert ("1 in 5, 0.9 in 1; 83% have" if alike else "1 in 4, 0.9 in 1, 0.81 in 1; 67% have") in note
    assert ("ranks links nearly by similarity alone" in note) == alike


@pytest.mark.parametrize(
    ("kept", "on_topic", "rules", "why"),
    [
        (3, 3, (0, 1, 0, 0), "more than 60% of the kept pages are off topic"),
        (3, 1, (0, 0, 1, 0), ""),
        (1, 1, (0, 0, 0, 1), "more than 2 (S) kept pages"),
        (2, 2, (1, 0, 0, 0), "more than 2 (S) kept pages"),
        (None, None, (0, 0, 0, 0), ""),
    ],
)
def test_adaptive_tells_how_often_each_rule_was_used(kept, on_topic, rules, why):
    parameters = {"S": 2, "T": 4, "alpha": 1.05, "beta": 1.2, "gamma": 0.95, "mu": 0.4}
    threshold = Threshold(0.2, parameters)
    for number in range(4 if kept is not None else 0):
        threshold.count(kept=number < kept, on_topic=number < on_topic)
    judge = {"vector": BaseVector({}).remember(), "threshold": threshold.remember()}
    told = beliefs("adaptive", remembered(judge=judge), parameters)
    assert tuple(told.counts["intervals by rule"].values()) == rules
    first, *others = told.notes
    assert f"intervals of 4 pages so far: {sum(rules)};" in first
    assert [note for note in others if "rule 2 was never used" in note and why in note] == others
    assert bool(others) == bool(why)


def test_a_pair_of_signs_is_told_as_its_whole_word():
    text = "用树莓派做服务器"
    pairs = [Number("word", token("word", pair), worth, 4, ("u",)) for pair, worth in (("树莓", 0.2), ("莓派", 0.3))]
    pairs.append(Number("word", token("word", "务器"), -0.1, 3, ("u",)))
    found = named(pairs, {"u": [(text, "")]}, ["树莓派", "Raspberry Pi"])
    assert [(one.what, one.worth) for one in found] == [("“树莓派” in the link", 0.3), ("“服务器” in the link", -0.1)]
