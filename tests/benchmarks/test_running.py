"""Every benchmark runs on little: a name that the code no longer has is found here, not after an hour of measuring."""

import importlib
import lzma
import sys
from pathlib import Path

import pytest
from warc_records import response_record

import benchmarks
from benchmarks import judge, lab_runs, page_parts, papers, proposals, relations, replayed, store_writes
from benchmarks.lab_jobs import BUILDS
from benchmarks.made_web import MadeWeb
from benchmarks.orders_lab import WITHOUT
from cli.dashboard import dashboard_server
from cli.dashboard.live_state import LiveState
from examples.sites import ONTOLOGY

NAMES = sorted(path.stem for path in Path(benchmarks.__file__).parent.glob("*.py"))
PAGES = 30
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
    for module in (judge, lab_runs, page_parts, papers, proposals, relations, replayed):
        for name, folder in (("WEBS", tmp_path / "webs"), ("OUT", tmp_path / "out")):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, folder)
    return task.parents[1].name


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_can_be_imported_and_tells_its_options(name, monkeypatch, capsys):
    module = importlib.import_module(f"benchmarks.{name}")
    if hasattr(module, "main") and hasattr(module, "argparse"):
        with pytest.raises(SystemExit) as ended:
            run(monkeypatch, name, "--help")
        assert ended.value.code == 0
        assert "--help" in capsys.readouterr().out


def test_inversions(monkeypatch, capsys):
    run(monkeypatch, "inversions", "--pages", "30", "--hosts", "20", "--strategy", "fused")
    assert "fused: 30 pages of 20 hosts" in capsys.readouterr().out


def test_queue_memory(monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.queue_memory.MEASURED", 10)
    run(monkeypatch, "queue_memory", "--waiting", "1000,2000")
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_session_growth(monkeypatch, capsys, tmp_path):
    run(monkeypatch, "session_growth", "--pages", "60,120", "--log", str(tmp_path / "log"))
    assert capsys.readouterr().out.count(" together, ") == 2
    assert len((tmp_path / "log").read_text().split()) > 1


def test_dashboard_cost(monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.dashboard_cost.REQUESTS", 20)
    for owner, name in ((dashboard_server, "say"), (LiveState, "told")):
        monkeypatch.setattr(owner, name, getattr(owner, name))  # so that what the benchmark sets is undone
    run(monkeypatch, "dashboard_cost", "--pages", "40", "--runs", "1", "--hosts", "5")
    assert " looks, " in capsys.readouterr().out


def test_store_writes(capsys):
    store_writes.measure("memory:", 100)
    store_writes.fill_store("memory:", 50)
    assert "100 pages with 60 links each saved" in capsys.readouterr().out


def test_page_parts(web, monkeypatch, capsys):
    run(monkeypatch, "page_parts", "--web", web, "--pages", "20", "--skip", "5")
    assert "count concepts" in capsys.readouterr().out


def test_every_way_to_build_a_strategy_crawls_in_the_lab(web, tmp_path):
    variants = [*WITHOUT.values(), *(lab_runs.Variant(judge=judge) for judge in BUILDS)]
    bench = lab_runs.bench_of(TASK, PAGES, tmp_path)
    for variant in variants:
        found = lab_runs.measure(lab_runs.Job(TASK, "fused", 1, PAGES, variant), bench, BUILDS[variant.judge])
        assert found["pages"] == PAGES


def test_judge(web):
    assert judge.measure(TASK, PAGES).results == PAGES // 3 - 1
    assert len(judge.stability(TASK)) == 2 * len(judge.LOOKS)


def test_relations(web, monkeypatch, capsys):
    run(monkeypatch, "relations", TASK, "--pages", str(PAGES))
    assert f"| {TASK} |" in capsys.readouterr().out


def test_proposals(web):
    assert proposals.measure(TASK, PAGES, 1, {}).gone > 0
    assert len(proposals.start(TASK)) == proposals.ROUNDS + 2
    assert len(proposals.weights(TASK, PAGES)) == 4
    assert len(proposals.layers(TASK, PAGES)[0]) == 4


def test_papers(web):
    found = {setting: {TASK: papers.figures_of(TASK, setting, PAGES)} for setting in papers.NAMES}
    assert "| C: seeds alone beat breadth-first |" in papers.claims(found)
    assert "| bfs, ten topic pages |" in papers.by_task(found)
    assert found[papers.JLSE][TASK].graph_at == "never"


@pytest.mark.skipif(not replayed.WEBS.exists(), reason="needs the archived webs of ../shared")
def test_jlse_does_not_call_most_pages_good():
    """Naive Bayes, taught by the ontology, on a web where 1 page in 200 is a target: precision was .009 when the class
    with fewer words ran away. Relaxed, so that the crawl does not end after 400 pages.
    """
    found = papers.figures_of("linuxcn/phones_android", papers.JLSE_TAUGHT, 1000)
    assert found.precision >= 0.15
    assert found.own[1000] < 0.3
