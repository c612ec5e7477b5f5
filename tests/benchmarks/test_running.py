"""Every benchmark runs on little: a name that the code no longer has is found here, not after an hour of measuring."""

import importlib
import lzma
import sys
from pathlib import Path

import pytest
from warc_records import response_record

import benchmarks
from benchmarks import deciding, judge, lab_runs, long_queue, page_parts, papers, proposals, replayed
from benchmarks.made_web import MadeWeb
from examples.sites import ONTOLOGY

NAMES = sorted(path.stem for path in Path(benchmarks.__file__).parent.glob("*.py"))
PAGES = 60
TASK = "made/tea"

pytestmark = pytest.mark.slow


def run(monkeypatch, name: str, *words: str) -> None:
    """The benchmark as typed, in this process."""
    monkeypatch.setattr(sys, "argv", [name, *words])
    importlib.import_module(f"benchmarks.{name}").main()


@pytest.fixture
def web(tmp_path, monkeypatch) -> str:
    """The name of a made web with a task, archived where the benchmarks look for webs."""
    task = tmp_path / "webs" / TASK.replace("/", "/tasks/")
    task.mkdir(parents=True)
    made = MadeWeb(4, PAGES)
    addresses = [made.address(number) for number in range(PAGES)]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    records = [response_record(url, head + made.answer(url).body) for url in addresses]
    (task.parents[1] / "web.warc.xz").write_bytes(lzma.compress(b"".join(records), preset=0))
    (task / "topic.owl").write_bytes(ONTOLOGY.read_bytes())
    (task / "seeds.txt").write_text(addresses[0], encoding="utf-8")
    (task / "targets.txt").write_text("\n".join(addresses[3::3]), encoding="utf-8")
    for module in (lab_runs, page_parts, proposals, replayed):
        for name, folder in (("WEBS", tmp_path / "webs"), ("OUT", tmp_path / "out")):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, folder)
    return task.parents[1].name


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_can_be_imported_and_tells_its_options(name, monkeypatch, capsys):
    module = importlib.import_module(f"benchmarks.{name}")
    if hasattr(module, "main"):
        with pytest.raises(SystemExit) as ended:
            run(monkeypatch, name, "--help")
        assert ended.value.code == 0
        assert "--help" in capsys.readouterr().out


def test_long_queue(monkeypatch, capsys):
    monkeypatch.setattr(long_queue, "MEASURED", 10)
    crawl = long_queue.Crawl("memory:")
    crawl.measure(1000)
    crawl.end()
    assert capsys.readouterr().out.startswith("1,")


def test_deciding(monkeypatch):
    monkeypatch.setattr(deciding, "REQUESTS", 20)
    assert deciding.measure(5, 100, 0.98, by_rank=False)[1] > 0


def test_page_parts(web, monkeypatch, capsys):
    run(monkeypatch, "page_parts", "--web", web, "--pages", "20", "--skip", "5")
    assert "count concepts" in capsys.readouterr().out


def test_a_run_is_found_again_with_its_parameters(web, monkeypatch, tmp_path):
    monkeypatch.setattr(lab_runs.measured, "read_measured", lambda: [lab_runs.measure(whole)])
    whole = lab_runs.Job(TASK, "fused", 1, PAGES, 1.0)
    without = lab_runs.Job(TASK, "fused", 1, PAGES, 1.0, parameters=(("layers", 0.0),))
    assert [one.pages for one in lab_runs.kept([whole, without]).values()] == [PAGES]
    assert list(lab_runs.kept([whole, without], stale=True)) == [whole, without]


def test_judge(web):
    found = judge.measure(TASK, PAGES)
    assert found["results"] == PAGES // 3 - 1
    assert "AP, 40 shuffled" in found


@pytest.mark.parametrize("part", proposals.PARTS)
def test_proposals(web, part):
    assert max(proposals.PARTS[part](TASK, PAGES).values()) > 0


def test_papers(web):
    found = {name: {TASK: papers.figures_of(TASK, setting, PAGES)} for name, setting in papers.SETTINGS.items()}
    assert "| C: seeds alone beat breadth-first |" in papers.claims(found)
    assert "| bfs, ten topic pages |" in papers.by_task(found)
    assert found["jlse, strict"][TASK]["graph_at"] == "never"


@pytest.mark.skipif(not replayed.WEBS.exists(), reason="needs the archived webs of ../shared")
def test_jlse_does_not_call_most_pages_good():
    """Naive Bayes, taught by the ontology, on a web where 1 page in 200 is a target: precision was .009 when the class
    with fewer words ran away. Relaxed, so that the crawl does not end after 400 pages.
    """
    found = papers.figures_of("linuxcn/phones_android", papers.SETTINGS[papers.TAUGHT], 1000)
    assert found["precision"] >= 0.15
    assert found["own"][1] < 0.3
