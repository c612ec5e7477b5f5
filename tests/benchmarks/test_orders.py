"""What a kept run depends on, and the tables of orders on figures that one can sum by hand."""

import re

from benchmarks import orders_tables
from benchmarks.measured import CODE, ROOT, Measured, add, code_of, read_measured, tidy


def test_comments_do_not_change_the_code(tmp_path):
    (tmp_path / "semantic").mkdir()
    codes = []
    for text in ("A = 1", '"""Text."""\nA = 1  # said', "A = 2"):
        (tmp_path / "semantic" / "module.py").write_text(text)
        codes.append(code_of(tmp_path))
    assert codes[0] == codes[1] != codes[2]


def test_folders_of_the_code_hash_have_code():
    assert all(any((ROOT / folder).glob("*.py")) for folder in CODE)


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
    assert len(orders_tables.webs_of(peers["Scrapy, global queue, re-push"])) == 7


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
