"""What a kept run depends on, and the tables of orders on figures that one can sum by hand."""

import re

import pytest

from benchmarks import lab_runs, orders_tables
from benchmarks.code_hash import code_of, reached
from benchmarks.measured import Measured, add, read_measured, tidy

ROOTS = [("benchmarks.lab_runs", "measure"), ("benchmarks.lab_runs", "as_in_the_table")]


@pytest.mark.parametrize(
    ("row", "needs", "needs_not"),
    [
        (
            "bfs",
            ("semantic.strategies.baselines.breadth_first", "BreadthFirst"),
            ("semantic.strategies.fused.fused_scorer", "Fusion"),
        ),
        (
            "fused",
            ("semantic.strategies.fused.fused_scorer", "Fusion"),
            ("semantic.strategies.jlse.page_kind_classifier", "PageKinds"),
        ),
        (
            "jlse",
            ("semantic.strategies.jlse.page_kind_classifier", "PageKinds"),
            ("semantic.strategies.fused.fused_scorer", "Fusion"),
        ),
    ],
)
def test_an_order_depends_on_what_its_row_can_name(row, needs, needs_not):
    found = reached(ROOTS, row)
    assert needs in found and needs_not not in found
    assert ("crawler.engine.session", "Session") in found and ("semantic.terms.term_matching", "Matcher") in found
    assert not any(module.startswith(("crawler.fetch.client", "graphdb.embedded", "cli.main")) for module, _ in found)


def test_rows_have_codes_of_their_own():
    assert len({code_of(ROOTS, row) for row in ("bfs", "fixed", "fused", "jlse")}) == 4


def test_constants_are_what_they_were_after_a_variant():
    from semantic.strategies.fused import link_learner

    before = link_learner.HALF
    with lab_runs.changed((("semantic.strategies.fused.link_learner", "HALF", 7),)):
        assert link_learner.HALF == 7
    assert before == link_learner.HALF


def test_a_web_is_judged_by_the_best_on_the_others():
    """`b` is best on web x, `a` on web y: so x is judged by `a`, and y by `b`."""
    told = orders_tables.one_web_left_out({"a": {"x/1": 0.1, "y/1": 0.9}, "b": {"x/1": 0.5, "y/1": 0.8}})
    assert "| x | a | 0.900 | 0.100 | 0.100 | 0.500 b |" in told
    assert "| y | b | 0.500 | 0.800 | 0.900 | 0.900 a |" in told
    assert "| **mean of 2** |  |  | 0.450 | 0.500 |  |" in told


def test_fused_is_compared_with_the_best_other_of_each_task():
    shares = {"fused": {"x/1": 0.5, "x/2": 0.7}, "a": {"x/1": 0.6, "x/2": 0.1}, "b": {"x/1": 0.2, "x/2": 0.69}}
    told = orders_tables.against_strategies(shares)
    assert re.findall(r"-?\d[\d.]*|x/1", told.partition("\n")[0]) == ["1", "0.03", "1", "2", "-0.100", "x/1"]
    assert "| x/2 | 0.700 | b | 0.690 | +0.010 |" in told
    by_web = orders_tables.against_all_by_web(shares, {"peer": {"x/1": 0.1}})
    assert "| b | +0.155 | 1 of 1 |" in by_web and "| peer | +0.400 | 1 of 1 |" in by_web


def test_what_a_part_adds_is_the_whole_without_it():
    told = orders_tables.worth({"x/1": 0.5, "y/1": 0.7}, {"layers": {"x/1": 0.4, "y/1": 0.75}})
    assert "| layers | +0.100 | -0.050 | +0.025 |" in told


def test_other_crawlers_have_figures_for_every_web():
    peers = orders_tables.read_peers()
    assert len(orders_tables.webs_of(list(peers["Scrapy, global queue, re-push"]))) == 7


def test_of_measured_runs_that_are_read_back_the_last_counts(tmp_path):
    def line(seed, code, share):
        return Measured("web/task", "fused", "", seed, 2000, code, "row", "abc", 1999, share, 7.25, "order", 30)

    lines = [line(2, "new", 0.5), line(1, "old", 0.25), line(1, "new", 0.75)]
    for one in lines:
        add(one, tmp_path / "measured.tsv")
    assert read_measured(tmp_path / "measured.tsv") == lines
    tidy(tmp_path / "measured.tsv")
    assert read_measured(tmp_path / "measured.tsv") == [lines[2], lines[0]]
    assert read_measured(tmp_path / "none.tsv") == []
