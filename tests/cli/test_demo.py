"""`ontocrawl demo` from the server to the last line, with the embedded store."""

import re
from pathlib import Path

import pytest

from cli.crawling.demo import OURS, comparison, demo, fresh_folder
from examples.sites import Mark


def test_comparison_counts_marked_targets_among_the_first_pages():
    marks = {"a": Mark("detail", True), "b": Mark("list", False), "c": Mark("detail", True)}
    rows = comparison({"fused": ["a", "c", "x", "b"], "bfs": ["b", "x", "a"]}, marks)
    assert [tuple(row.values()) for row in rows] == [
        ("fused", 1, 1, "100%"),
        ("fused", 2, 2, "100%"),
        ("fused", 4, 2, "50%"),
        ("bfs", 1, 0, "0%"),
        ("bfs", 2, 0, "0%"),
        ("bfs", 3, 1, "33%"),
    ]


def test_a_former_demonstration_is_replaced(tmp_path: Path):
    folder = fresh_folder(tmp_path / "demo")
    folder.mkdir()
    (folder / "old").write_text("old")
    assert fresh_folder(tmp_path / "demo") == folder
    assert not folder.exists()
    assert (tmp_path / "demo" / "README.txt").read_text("utf-8") == OURS


def test_a_folder_of_someone_else_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "thesis.txt").write_text("years of work")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = fresh_folder(tmp_path)
    assert folder.parent.name.startswith("ontocrawl-demo-")
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


@pytest.mark.slow
def test_demo_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert demo(0.02, 60, tmp_path / "demo") == 0
    out = capsys.readouterr().out
    hits = {
        (name, int(pages)): int(found) for name, pages, found in re.findall(r"^ *(fused|bfs) +(\d+) +(\d+) ", out, re.M)
    }
    assert set(hits) == {(name, pages) for name in ("fused", "bfs") for pages in (15, 30, 60)}
    assert hits["fused", 60] > 2 * hits["bfs", 60]
    assert len(re.findall(r"^  \d\.\d{3}  ", out, re.M)) == 10
    assert out.count("MATCH") >= 3
    assert "no rows" not in out
    assert "--delay 0.02" in out
    assert f"ontocrawl explain --store {tmp_path / 'demo' / 'store'} http://" in out
    assert "ontocrawl crawl --ontology topic.owl" in out
