"""How likely an address is to be a page, with shares done by hand."""

import numpy as np
import pytest
from stored_memory import stored
from test_fused import a_scorer, made

from semantic.links.link_reading import query_way
from semantic.strategies.fused.crawl_evidence import Alike, Odds
from semantic.strategies.fused.link_learner import COST, expected, worth_of

HOST, FOLDER, QUERY, OTHER = 1, 2, 3, 4
TEMPLATE = 7
WIKI = "http://h/index.php"


def alike(*groups: int, query: int = 0, template: int = 0, known: bool = True) -> Alike:
    """One address: its host and directories, its way, the template of its only link."""
    chain = np.zeros((1, 6), np.int32)
    chain[0, : len(groups)] = groups
    templates = np.array([[template, 0]], np.int32)
    place = np.array([groups[-1]], np.int32)
    return Alike(place, np.array([query], np.int32), templates, chain, np.array([known]), np.zeros(1, np.int64))


def asked(odds: Odds, one: Alike, *, failures: int = 0, pages: int = 0) -> None:
    for _ in range(failures):
        odds.count(one, np.ones(1), np.zeros(1))
    for _ in range(pages):
        odds.count(one, np.ones(1), np.ones(1))


def test_where_nothing_failed_the_odds_are_exactly_one() -> None:
    odds = Odds()
    asked(odds, alike(HOST, FOLDER, template=TEMPLATE), pages=7)
    asked(odds, alike(HOST, query=QUERY, template=TEMPLATE, known=False), pages=3)
    for one in (alike(HOST, FOLDER, template=TEMPLATE), alike(OTHER, known=False), alike(HOST, query=QUERY)):
        assert odds.shares(one).tolist() == odds.of(one).tolist() == [1.0]
    assert expected(np.array([0.1, -0.7]), np.ones(2)).tolist() == [0.1, -0.7]


def test_shares_are_drawn_down_the_directories() -> None:
    odds = Odds()
    asked(odds, alike(HOST, FOLDER), failures=2, pages=1)
    host = (1 + 3 * 1) / (3 + 3)
    folder = (1 + 3 * host) / (3 + 3)
    assert odds.shares(alike(HOST, FOLDER)) == pytest.approx([folder])
    assert odds.shares(alike(HOST)) == pytest.approx([host])
    assert odds.shares(alike(OTHER)) == pytest.approx([1.0])


def test_odds_are_one_from_a_quarter_on() -> None:
    odds = Odds()
    for failures, wanted in ((9, 1.0), (15, 4 * 3 / 27)):  # 3/12, 3/27
        asked(odds, alike(HOST), failures=failures)
        assert odds.of(alike(HOST)) == pytest.approx([wanted])


def test_a_query_is_like_others_of_the_same_parameters_alone() -> None:
    odds = Odds()
    asked(odds, alike(HOST, FOLDER, query=QUERY), failures=2)
    assert odds.shares(alike(HOST, query=QUERY)) == pytest.approx([(0 + 3) / (2 + 3)])
    assert odds.shares(alike(HOST, FOLDER)).tolist() == odds.shares(alike(HOST, query=OTHER)).tolist() == [1.0]


def test_links_in_one_place_of_a_template_are_alike() -> None:
    odds = Odds()
    asked(odds, alike(HOST, template=TEMPLATE), failures=2)
    way = (0 + 3) / (2 + 3)
    assert odds.shares(alike(HOST, template=TEMPLATE)) == pytest.approx([(0 + 3 * way) / (2 + 3)])
    assert odds.shares(alike(HOST, template=TEMPLATE + 1)) == pytest.approx([way])


def test_failures_of_a_host_say_nothing_of_others() -> None:
    odds = Odds()
    asked(odds, alike(HOST, query=QUERY, known=False), failures=3)
    assert odds.shares(alike(OTHER, known=False)).tolist() == [1.0]
    host = (0 + 3) / (3 + 3)
    assert odds.shares(alike(HOST, known=False)) == pytest.approx([host])
    assert odds.shares(alike(HOST, query=OTHER, known=False)) == pytest.approx([host])


def test_a_copy_that_was_counted_is_no_page() -> None:
    odds, other = Odds(), Odds()
    asked(odds, alike(HOST), pages=1)
    odds.count(alike(HOST), np.zeros(1), -np.ones(1))
    asked(other, alike(HOST), failures=1)
    assert odds.shares(alike(HOST)).tolist() == other.shares(alike(HOST)).tolist() == [0.75]


def test_what_is_unlikely_costs_a_request() -> None:
    assert expected(np.array([0.5]), np.array([0.2])) == pytest.approx([0.2 * 0.5 - 0.8 * COST])
    assert worth_of(0.2 * 0.5 - 0.8 * COST, 0.2) == pytest.approx(0.5)


def test_the_way_of_a_query_is_host_and_parameters() -> None:
    ways = [
        query_way(url) for url in (f"{WIKI}?title=Tea&action=edit", f"{WIKI}?a12=1&a7", "http://h/a/b", "http://h/?")
    ]
    assert ways == ["h?action&title", "h?a#", "", "h?"]


def test_links_like_a_failed_one_fall_at_once_with_reason() -> None:
    scorer = a_scorer()
    links = {f"{WIKI}?title={n}": "missile" for n in range(40)} | {"http://h/a/b": "cake"}
    scorer.take(made("http://h/", links))
    before = scorer.revise()
    for n in range(39):
        scorer.miss([f"{WIKI}?title={n}"])
        fallen = scorer.revise()
    assert fallen[f"{WIKI}?title=39"].score < 0
    scorer.choose([f"{WIKI}?title=39"])
    told = {reason.kind for reason in scorer.why_chosen(f"{WIKI}?title=39")}
    assert "links like it that led to no page" in told
    assert "http://h/a/b" not in fallen
    assert not set(fallen) & {f"{WIKI}?title={n}" for n in range(39)}
    assert before == {} or f"{WIKI}?title=0" in before


def test_what_is_remembered_of_failures_goes_on_the_same() -> None:
    stopped, resumed = a_scorer(), a_scorer()
    stopped.take(made("http://h/", {f"{WIKI}?title={n}": "missile" for n in range(9)}))
    stopped.miss([f"{WIKI}?title=0"])
    stopped.revise()
    resumed.restore(stored(stopped))
    for scorer in (stopped, resumed):
        scorer.miss([f"{WIKI}?title=1"])
    assert resumed.revise() == stopped.revise()
