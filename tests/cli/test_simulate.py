"""`simulate` on the small web of test_end_to_end: orders, figures and page by hand, the same whatever the hashes."""

import csv
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from html.parser import HTMLParser
from pathlib import Path

import pytest
from test_end_to_end import HOST, ONTOLOGY, PAGES, ontocrawl, warc
from test_what_was_learned import WITH_A_DETAIL_PAGE

from cli.exits import ExitCode
from cli.lab import simulate as command
from cli.settings import Settings
from semantic.strategies.strategy_table import STRATEGIES

WORDS = ["simulate", "--archive", "web.warc", "--ontology", "tea.ttl", "--seeds", "seeds.txt", "--max-pages", "4"]


pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def one_process(monkeypatch):
    """A process for each run costs seconds to start; the tests that are about that have two."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (tmp_path / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    (tmp_path / "targets.txt").write_text(f"{HOST}/green\n{HOST}/black\n", encoding="utf-8")
    hostile = {**PAGES, "/black": ("Black <script>alert(1)</script>", PAGES["/black"][1])}
    hostile["/green"] = (
        "Green",
        PAGES["/green"][1].replace(">black tea</a>", ">black tea <b>&lt;img src=x&gt;</b></a>"),
    )
    (tmp_path / "web.warc").write_bytes(warc(hostile))
    return tmp_path


def order(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_orders_and_figures(folder, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    done = ontocrawl(folder, *WORDS, "--targets", "targets.txt", "--strategies", "fused,bfs", "--out", "lab")
    assert done.returncode == 0, done.stderr
    best, plain = (order(folder / "lab" / f"order-{name}.tsv") for name in ("fused", "bfs"))
    assert list(best[0]) == ["rank", "url", "priority", "relevance", "is_target"]
    assert [row["url"].removeprefix(HOST) for row in best] == ["/", "/green", "/black", "/cars"]
    assert [row["url"].removeprefix(HOST) for row in plain] == ["/", "/green", "/cars", "/black"]
    assert [(row["rank"], row["is_target"]) for row in plain] == [("1", "0"), ("2", "1"), ("3", "0"), ("4", "1")]
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    assert results["labels"] == "targets"
    assert (results["targets"], results["targets_reachable"]) == (2, 2)
    fused, bfs = results["runs"]
    assert (fused["area"], fused["of_oracle"]) == (0.625, 1.0)  # shares found: 0, 1/2, 1, 1
    assert (bfs["area"], bfs["of_oracle"]) == (0.5, 0.8)  # 0, 1/2, 1/2, 1
    assert (bfs["harvest_rate"], bfs["target_recall"]) == ({"4": 0.5}, {"4": 1.0})
    assert (fused["precision"], fused["recall"], fused["h"], fused["inversions"]) == (1.0, 1.0, 1.0, 0)
    assert fused["results_per_hour"] > 0
    assert results["breadth_first"]["of_oracle"] == 0.8
    with (folder / "lab" / "results.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["strategy"], row["harvest_rate@4"], row["area"], row["labels"]) for row in rows] == [
        ("fused", "0.5", "0.625", "targets"),
        ("bfs", "0.5", "0.5", "targets"),
    ]


def test_a_scope_bounds_every_strategy_and_the_oracle(folder):
    words = ["--strategies", "fused,bfs", "--exclude", "/black", "--stay-on-domain", "--max-depth", "1", "--out", "lab"]
    done = ontocrawl(folder, *WORDS, "--targets", "targets.txt", *words)
    assert done.returncode == 0, done.stderr
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    assert (results["targets"], results["targets_reachable"]) == (2, 1)
    for name in ("fused", "bfs"):
        asked = [row["url"].removeprefix(HOST) for row in order(folder / "lab" / f"order-{name}.tsv")]
        assert asked == ["/", "/green", "/cars"]


def test_without_targets_every_file_says_that_the_judge_labels(folder):
    done = ontocrawl(folder, *WORDS, "--strategies", "fused,bfs", "--out", "lab")
    assert done.returncode == 0, done.stderr
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    assert (results["labels"], results["targets"], results["runs"][0]["precision"]) == ("judge", 2, None)
    assert results["runs"][0]["area"] == 0.625
    assert "judge" in (folder / "lab" / "results.csv").read_text(encoding="utf-8")
    page = (folder / "lab" / "report.html").read_text(encoding="utf-8")
    assert page.count("judge") > 3
    assert "a result is a page that the default strategy's judge (without" in done.stdout


def test_judging_without_targets_tells_how_far_it_is(folder, monkeypatch):
    monkeypatch.setattr("cli.render.live_progress.LINE_EVERY", 0.0)
    done = ontocrawl(folder, *WORDS, "--strategies", "bfs", "--out", "lab")
    assert re.search(r"^1 of \d pages$", done.stderr, re.MULTILINE)


def test_runs_side_by_side_tell_how_far_they_are(folder, monkeypatch):
    monkeypatch.setattr("cli.render.live_progress.LINE_EVERY", 0.0)
    monkeypatch.setattr("cli.lab.simulate.LOOK_SECONDS", 0.01)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    done = ontocrawl(folder, *WORDS, "--targets", "targets.txt", "--strategies", "best-first,bfs", "--out", "lab")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\d of 8 pages$", done.stderr, re.MULTILINE)


def test_without_targets_all_strategies_are_measured_against_the_same_pages(folder):
    """The cosine of `ontology` calls the start page on topic for its one link; that makes it no result."""
    done = ontocrawl(folder, *WORDS, "--strategies", "fused,ontology", "--out", "lab")
    assert done.returncode == 0, done.stderr
    orders = [order(folder / "lab" / f"order-{name}.tsv") for name in ("fused", "ontology")]
    results = [{row["url"].removeprefix(HOST) for row in rows if row["is_target"] == "1"} for rows in orders]
    assert results == [{"/green", "/black"}] * 2
    (start,) = (row for row in orders[1] if row["url"] == f"{HOST}/")
    assert float(start["relevance"]) > STRATEGIES["ontology"].parameters["threshold"]


def test_without_ontology_and_targets_customised_says_what_results_are(folder):
    words = [word for word in WORDS if word not in ("--ontology", "tea.ttl")]
    done = ontocrawl(folder, *words, "--strategies", "customised", "--out", "lab")
    assert done.returncode == 0, done.stderr
    assert "(without an ontology, that of customised) calls on topic" in done.stdout
    found = [row["is_target"] for row in order(folder / "lab" / "order-customised.tsv")]
    assert "1" in found
    seed = f"{HOST}/".replace("http:", "https:")  # recorded under another address
    done = ontocrawl(folder, *words, "--seeds", seed, "--strategies", "customised", "--out", "other")
    assert [row["is_target"] for row in order(folder / "other" / "order-customised.tsv")] == found, done.stderr


def test_a_run_ends_when_every_concept_is_covered(folder):
    done = ontocrawl(folder, *WORDS, "--strategies", "bfs", "--until-covered", "1", "--out", "lab")
    assert done.returncode == 0, done.stderr
    (bfs,) = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))["runs"]
    assert bfs["stopped"] == "covered" and bfs["covered"] == bfs["can_be_covered"]
    assert ontocrawl(folder, *WORDS, "--until-covered", "0", "--out", "lab").returncode == 2


def test_targets_that_were_not_recorded_are_told(folder):
    (folder / "targets.txt").write_text(f"{HOST}/green\n{HOST}/green\n{HOST}/never\n", encoding="utf-8")
    done = ontocrawl(folder, *WORDS, "--targets", "targets.txt", "--strategies", "fused,bfs", "--out", "lab")
    assert len(re.findall(r"\b2 targets 1 ", done.stderr)) == 1


def test_ignored_pages_count_neither_way(folder):
    (folder / "ignore.txt").write_text(f"{HOST}/cars\n", encoding="utf-8")
    given = ["--targets", "targets.txt", "--ignore", "ignore.txt", "--strategies", "bfs", "--out", "lab"]
    assert ontocrawl(folder, *WORDS, *given).returncode == 0
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    (run,) = results["runs"]
    assert run["area"] == 0.625  # without /cars: 0, 1/2, 1, 1
    assert run["harvest_rate"] == {"4": 0.5}
    (folder / "ignore.txt").write_text(f"{HOST}/green\n", encoding="utf-8")
    (folder / "targets.txt").write_text(f"{HOST}/black\n", encoding="utf-8")
    assert ontocrawl(folder, *WORDS, *given).returncode == 0
    (run,) = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))["runs"]
    assert (run["precision"], run["recall"]) == (1.0, 1.0)  # /green is on topic and no target, and is ignored


def test_a_delay_is_waited_for_in_virtual_time(folder):
    given = ["--targets", "targets.txt", "--strategies", "bfs", "--delay", "600", "--latency", "0", "--out", "lab"]
    assert ontocrawl(folder, *WORDS, *given).returncode == 0
    (run,) = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))["runs"]
    assert run["virtual_seconds"] == 4 * 600  # robots.txt and four pages
    assert run["results_per_hour"] == pytest.approx(2 * 3600 / 2400, abs=0.001)


def test_each_seed_has_its_order_and_its_row(folder):
    given = ["--targets", "targets.txt", "--strategies", "bfs", "--seed", "1,2", "--out", "lab"]
    assert ontocrawl(folder, *WORDS, *given).returncode == 0
    assert sorted(path.name for path in (folder / "lab").glob("*.tsv")) == ["order-bfs-1.tsv", "order-bfs-2.tsv"]
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    assert [run["seed"] for run in results["runs"]] == [1, 2]


def test_customised_needs_no_ontology_and_the_others_do(folder):
    words = [word for word in WORDS if word not in ("--ontology", "tea.ttl")]
    given = ["--targets", "targets.txt", "--out", "lab", "--strategies"]
    done = ontocrawl(folder, *words, *given, "customised")
    assert done.returncode == 0, done.stderr
    assert len(order(folder / "lab" / "order-customised.tsv")) == 4
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    assert (results["ontology"], results["topic"][:6]) == ("", "seeds:")
    done = ontocrawl(folder, *words, *given, "customised,bfs")
    assert done.returncode == 2
    assert re.search("--ontology .*'bfs'", done.stderr)


def test_examples_are_told_of_and_learned_from(folder):
    """Files marked good that tell of wheels, and bad ones of tea, turn the judge of ata round."""
    for number in range(5):
        (folder / f"good{number}.html").write_text("<p>engines, wheels, bikes, two wheels</p>", encoding="utf-8")
        (folder / f"bad{number}.html").write_text("<p>tea: green tea, black tea</p>", encoding="utf-8")
    lines = [f"{mark} {mark}{number}.html" for mark in ("good", "bad") for number in range(5)]
    (folder / "examples.txt").write_text("\n".join(lines), encoding="utf-8")
    given = ["--strategies", "ata", "--max-pages", "3", "--out", "lab"]
    assert ontocrawl(folder, *WORDS, *given, "--examples", "examples.txt").returncode == 0
    assert json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))["samples"] == "examples"
    judged = {row["url"].removeprefix(HOST): float(row["relevance"]) for row in order(folder / "lab" / "order-ata.tsv")}
    assert judged["/cars"] > 0.5 > judged["/green"]
    assert ontocrawl(folder, *WORDS, *given).returncode == 0
    assert json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))["samples"] == "ontology"


def test_a_stored_crawl_is_a_web_to_simulate_on(folder):
    """All of the web was crawled: every strategy does there what it does on the archive. Seeds are the crawl's own."""
    given = ["--ontology", "tea.ttl", "--max-pages", "4", "--targets", "targets.txt"]
    crawled = ["crawl", *given[:2], "--seeds", "seeds.txt", "--archive", "web.warc", "--delay", "0"]
    assert ontocrawl(folder, *crawled, "--max-pages", "9", "--store", "kept").returncode == 0
    done = ontocrawl(folder, "simulate", "--store", "kept", *given, "--out", "lab-kept")
    assert done.returncode == 0, done.stderr
    again = ontocrawl(folder, "simulate", "--store", "kept", *given, "--strategies", "bfs", "--out", "again")
    assert "reading" in done.stderr and "reading" not in again.stderr
    assert re.search(r"\(fused\) .*\b5 pages\b.*\b0 addresses", done.stdout)
    assert ontocrawl(folder, *WORDS, "--targets", "targets.txt", "--out", "lab-archive").returncode == 0
    theirs, ours = (
        {f.name: f.read_text() for f in (folder / out).glob("*.tsv")} for out in ("lab-archive", "lab-kept")
    )
    assert len(ours) == len(STRATEGIES)
    assert ours == theirs
    assert "answer 404 here" in (folder / "lab-kept" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "told"), [([], "one recorded web"), (["--archive", "web.warc", "--store", "kept"], "one recorded web")]
)
def test_a_lab_has_one_web(folder, given, told):
    done = ontocrawl(folder, "simulate", *given, "--ontology", "tea.ttl", "--max-pages", "4", "--out", "lab")
    assert done.returncode == 2
    assert told in done.stderr
    assert re.search(r"try: .*--archive .*--store ", done.stderr)


class Tags(HTMLParser):
    """Which elements a page has, and what they point to."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.pointers: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.pointers += [value for name, value in attrs if name in ("src", "href", "xlink:href", "action")]


def test_the_report_is_one_file_without_scripts_or_network(folder):
    given = ["--targets", "targets.txt", "--strategies", "fused,bfs", "--max-pages", "3", "--out", "lab"]
    assert ontocrawl(folder, *WORDS, *given).returncode == 0
    page = (folder / "lab" / "report.html").read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)
    assert tags.names.isdisjoint({"script", "img", "link", "iframe"})
    assert not tags.pointers
    assert "url(" not in page
    assert page.count("<polyline") == 10  # two drawings of oracle, breadth-first, two runs; the runs by time
    assert re.search(r"fused \(0\) found, bfs \(0\) did not: 1", page)
    assert "&lt;img src=x&gt;" in page  # the anchor that led to /black
    assert "waiting with priority" in page
    assert "green tea" in page  # a concept


def test_the_same_order_whatever_the_hashes(folder):
    """Those of this process are random. Another one has none, and shares the runs among all cores."""
    words = [*WORDS, "--targets", "targets.txt", "--strategies", "all", "--out"]
    assert ontocrawl(folder, *words, "here").returncode == 0
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-c", "from cli.main import main; main()", *words, "there"]
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    here, there = ({path.name: path.read_bytes() for path in (folder / out).glob("*.tsv")} for out in ("here", "there"))
    assert len(here) == len(STRATEGIES)
    assert here == there


def test_ctrl_c_leaves_what_was_finished(folder, monkeypatch):
    crawl, begun = command.crawl_recorded, []

    def interrupted(*given, **named):
        begun.append(given)
        if len(begun) == 2:
            raise KeyboardInterrupt
        return crawl(*given, **named)

    monkeypatch.setattr(command, "crawl_recorded", interrupted)
    done = ontocrawl(folder, *WORDS, "--targets", "targets.txt", "--strategies", "bfs,fused", "--out", "lab")
    assert done.returncode == 130
    assert "1 of 2 runs" in done.stderr
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    assert [run["strategy"] for run in results["runs"]] == ["bfs"]
    assert (folder / "lab" / "report.html").exists()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--strategies", "fusd"], "no strategy is called 'fusd'"),
        (["--seed", "one"], "--seed one is no list"),
        (["--max-pages", "0"], "at least 1"),
        (["--targets", "none.txt"], "none.txt cannot be read"),
        (["--targets", "tea.ttl"], "none of the targets"),
        (["--archive", "tea.ttl"], "tea.ttl: not a WARC file, or damaged"),
        (["--out", "tea.ttl"], "--out tea.ttl: it exists already"),
    ],
)
def test_mistakes_are_told_with_a_cure(folder, given, told):
    done = ontocrawl(folder, *WORDS, "--strategies", "bfs", "--out", "lab", *given)
    assert done.returncode == 2, done.stderr
    assert told in done.stderr
    assert "try: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["order-bfs.tsv", "results.csv", "report.html"])
def test_what_cannot_be_written_is_told_with_a_cure(folder, name):
    (folder / "lab" / name).mkdir(parents=True)
    done = ontocrawl(folder, *WORDS, "--strategies", "bfs", "--out", "lab")
    assert done.returncode == 2, done.stderr
    assert re.search(r"--out lab.*folder\n  try: ", done.stderr)


def test_an_archive_has_no_seeds_of_its_own(folder):
    words = [word for word in WORDS if word not in ("--seeds", "seeds.txt")]
    done = ontocrawl(folder, *words, "--strategies", "bfs", "--out", "lab")
    assert done.returncode == 2
    assert "--seeds is missing" in done.stderr


def test_seeds_that_were_not_recorded_are_a_mistake(folder):
    (folder / "seeds.txt").write_text("https://elsewhere.example/\n", encoding="utf-8")
    done = ontocrawl(folder, *WORDS, "--strategies", "bfs", "--out", "lab")
    assert done.returncode == 2
    assert "web.warc holds none of the seeds" in done.stderr


def test_a_page_with_tracking_parameters_keeps_its_recorded_address(folder):
    tracked = {("/green?utm_source=rss" if path == "/green" else path): page for path, page in PAGES.items()}
    (folder / "web.warc").write_bytes(warc(tracked))
    (folder / "targets.txt").write_text(f"{HOST}/green?utm_source=rss\n{HOST}/black\n", encoding="utf-8")
    for targets in ([], ["--targets", "targets.txt"]):
        done = ontocrawl(folder, *WORDS, *targets, "--strategies", "bfs", "--out", "lab")
        assert done.returncode == 0, done.stderr
        rows = order(folder / "lab" / "order-bfs.tsv")
        assert [(row["url"].removeprefix(HOST), row["is_target"]) for row in rows] == [
            ("/", "0"),
            ("/green?utm_source=rss", "1"),
            ("/cars", "0"),
            ("/black", "1"),
        ]


def test_without_targets_a_copy_is_no_result_of_its_own(folder):
    web = {**PAGES, "/": ("Start", PAGES["/"][1] + '<a href="/copy">c</a>'), "/copy": PAGES["/black"]}
    (folder / "web.warc").write_bytes(warc(web))
    words = ["6" if word == "4" else word for word in WORDS]
    assert ontocrawl(folder, *words, "--strategies", "bfs", "--out", "lab").returncode == 0
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    assert results["targets"] == 2


def test_the_lab_says_that_a_copy_found_its_target(folder):
    """Of /2019/05/ and /oolong, which have one text, /2019/05/ is linked first; the target is found where either is."""
    text = ("Oolong", "<p>oolong is a black tea, half of it; " + "so they say. " * 20)
    start = PAGES["/"][1] + '<a href="/2019/05/">May</a><a href="/oolong">oolong</a>'
    (folder / "web.warc").write_bytes(warc({**PAGES, "/": ("Start", start), "/2019/05/": text, "/oolong": text}))
    for target, page, by_copy in (("/oolong", "/2019/05/", 1), ("/2019/05/", "/2019/05/", 0)):
        (folder / "targets.txt").write_text(f"{HOST}/green\n{HOST}{target}\n", encoding="utf-8")
        words = ["6" if word == "4" else word for word in WORDS]
        done = ontocrawl(folder, *words, "--targets", "targets.txt", "--strategies", "bfs", "--out", "lab")
        assert done.returncode == 0, done.stderr
        assert re.search(rf"\b1 copies \({by_copy} ", done.stdout)
        found = [row["url"] for row in order(folder / "lab" / "order-bfs.tsv") if row["is_target"] == "1"]
        assert found == [f"{HOST}/green", f"{HOST}{page}"]
        (run,) = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))["runs"]
        assert (run["copies"], run["targets_by_copy"], run["target_recall"]["6"]) == (1, by_copy, 1.0)
        assert "targets by a copy" in (folder / "lab" / "report.html").read_text(encoding="utf-8")


def test_targets_with_one_text_are_found_together(folder):
    web = {**PAGES, "/": ("Start", PAGES["/"][1] + '<a href="/copy">c</a>'), "/copy": PAGES["/green"]}
    (folder / "web.warc").write_bytes(warc(web))
    (folder / "targets.txt").write_text(f"{HOST}/green\n{HOST}/copy\n", encoding="utf-8")
    done = ontocrawl(folder, *WORDS, "--targets", "targets.txt", "--strategies", "bfs", "--out", "lab")
    assert done.returncode == 0, done.stderr
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    (run,) = results["runs"]
    assert (run["targets_by_copy"], run["target_recall"]) == (1, {"4": 1.0})
    assert results["breadth_first"]["found"] == {"4": 2}


def test_orders_of_an_earlier_lab_do_not_stay(folder):
    (folder / "lab").mkdir()
    (folder / "lab" / "order-shark.tsv").write_text("", encoding="utf-8")
    assert ontocrawl(folder, *WORDS, "--strategies", "bfs", "--out", "lab").returncode == 0
    assert [path.name for path in (folder / "lab").glob("*.tsv")] == ["order-bfs.tsv"]


def test_marks_match_other_spellings_and_unrecorded_ones_are_told(folder):
    """Five pages of wheels are marked good and five of tea bad, by https; the archive has them by http."""
    texts = {"good": "engines, wheels, bikes, two wheels", "bad": "tea: green tea, black tea"}
    sites = {f"/{mark}{n}": ("Page", f"<p>{text}, {n}</p>") for mark, text in texts.items() for n in range(5)}
    sites["/last"] = ("Last", "<p>wheels and bikes</p>")
    links = " ".join(f'<a href="{path}">x</a>' for path in sites)
    (folder / "web.warc").write_bytes(warc({"/": ("Start", links), **sites}))
    secure = HOST.replace("http://", "https://")
    marked = [f"{mark} {secure}/{mark}{n}" for mark in texts for n in range(5)]
    (folder / "examples.txt").write_text("\n".join([*marked, f"bad {HOST}/never"]), encoding="utf-8")
    given = ["--targets", "targets.txt", "--strategies", "ata", "--out", "lab", "--examples", "examples.txt"]
    (folder / "targets.txt").write_text(f"{HOST}/good1\n", encoding="utf-8")
    done = ontocrawl(folder, *["12" if word == "4" else word for word in WORDS], *given)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\b11 marked addresses 10 ", done.stderr)
    rows = {row["url"]: float(row["relevance"]) for row in order(folder / "lab" / "order-ata.tsv")}
    assert rows[f"{HOST}/last"] > 0.5


def test_more_pages_than_a_lab_can_hold_are_refused(folder):
    words = ["1000000000" if word == "4" else word for word in WORDS]
    done = ontocrawl(folder, *words, "--strategies", "bfs", "--out", "lab")
    assert done.returncode == 2
    assert re.search(rf"--max-pages 1000000000 .*\n.*\b{command.MOST_PAGES}\b", done.stderr)


class BreakingPool(ThreadPoolExecutor):
    """Of two processes the second is killed."""

    def __init__(self, *_):
        super().__init__(1)
        self.begun = 0

    def submit(self, run, *given):
        self.begun += 1
        return super().submit(run if self.begun == 1 else broken, *given)


def broken(*_):
    raise BrokenProcessPool


def test_a_run_whose_process_is_killed_leaves_the_others_results(folder, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(command, "ProcessPoolExecutor", BreakingPool)
    monkeypatch.chdir(folder)
    crawl = Settings("tea.ttl", ("seeds.txt",), 4, store="memory:")
    lab = command.Lab(crawl=crawl, out=Path("lab"), archive=Path("web.warc"), strategies="bfs,opic")
    assert command.run(lab) == ExitCode.NOT_GOOD
    assert [run["strategy"] for run in json.loads(Path("lab/results.json").read_text(encoding="utf-8"))["runs"]] == [
        "bfs"
    ]


def test_strategies_are_compared_with_parameters_of_their_own(folder):
    (folder / "links.toml").write_text('strategy = "ontology-links"\n[parameters]\nalpha = 5\n', encoding="utf-8")
    typed = "ontology-links,ontology-links:alpha=1:off_topic=1,bfs"
    words = [*WORDS, "--targets", "targets.txt", "--strategies", typed, "--settings", "links.toml", "--out", "lab"]
    done = ontocrawl(folder, *words)
    assert done.returncode == 0, done.stderr
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    named = {run["strategy"]: run["pages"] for run in results["runs"]}
    assert named == {"ontology-links:alpha=5": 1, "ontology-links:alpha=1:off_topic=1": 4, "bfs": 4}
    assert len(order(folder / "lab" / "order-ontology-links_alpha=1_off_topic=1.tsv")) == 4


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--targets", "none.txt"], "--targets: none.txt cannot be read"),
        (["--ignore", "none.txt"], "--ignore: none.txt cannot be read"),
        (["--seeds", "none.txt"], "none.txt cannot be read"),
        (["--ontology", "none.owl"], "none.owl"),
        (["--settings", "none.toml"], "none.toml cannot be read"),
        (["--examples", "none.txt", "--strategies", "jlse"], "none.txt cannot be read"),
        (["--examples", "none.txt", "--strategies", "shark"], "--examples: strategy 'shark' does not use them"),
        (["--strategies", "jlse:cg=50"], "strategy 'jlse' has no parameter 'cg'"),
        (["--strategies", "jlse:cf"], "'cf' gives no number"),
        (["--strategies", "jlse:cf=0.5"], "a parameter cf of 0.5 makes no sense"),
        (["--settings", "fused.toml"], "fused.toml is for strategy 'fused', which is not compared"),
    ],
)
def test_files_are_checked_before_the_archive_is_read(folder, given, told):
    (folder / "web.warc").write_bytes(b"no archive")
    (folder / "fused.toml").write_text("[parameters]\nwide = 1\n", encoding="utf-8")
    done = ontocrawl(folder, *WORDS, "--strategies", "bfs", "--out", "lab", *given)
    assert done.returncode == 2, done.stderr
    assert told in done.stderr
    assert "try: " in done.stderr


def test_the_lab_tells_that_a_link_graph_was_never_built(folder):
    """With cf = 1 it is built after the first result of jlse's own judge: a detail page."""
    (folder / "web.warc").write_bytes(warc(WITH_A_DETAIL_PAGE))
    words = [*WORDS, "--targets", "targets.txt", "--strategies", "jlse,jlse:cf=1,fused,bfs", "--out", "lab"]
    done = ontocrawl(folder, *words)
    assert done.returncode == 0
    results = json.loads((folder / "lab" / "results.json").read_text(encoding="utf-8"))
    assert [run["graph_at"] for run in results["runs"]] == ["never", 1, "never", None]
    report = (folder / "lab" / "report.html").read_text(encoding="utf-8")
    assert "G_w from" in report
    for told in (done.stdout, report):
        assert "G_w was never built in jlse (0), so jlse orders links there as ata does" in told
    assert "在 jlse (0) 中从未建立 G_w" in ontocrawl(folder, "--lang", "zh", *words).stdout


def test_the_report_names_its_axes_and_has_no_empty_columns(folder):
    words = [*WORDS, "--targets", "targets.txt", "--strategies", "bfs", "--delay", "0", "--out", "lab"]
    assert ontocrawl(folder, *words).returncode == 0
    page = (folder / "lab" / "report.html").read_text(encoding="utf-8")
    for name in ("pages fetched", "share of the reachable targets", "harvest rate"):
        assert f">{name}</text>" in page
    (width,) = set(re.findall(r'<svg viewBox="0 0 (\d+) ', page))
    middles = [float(x) for x in re.findall(r'<text x="([\d.]+)"[^>]*text-anchor="middle"', page)]
    assert max(middles) + 20 < int(width)  # the last number of pages has room for its right half
    assert "results/hour" not in page  # without a delay there is none
    assert "G_w" not in page
    assert page.index(">bfs (0)</title>") < page.index(">breadth-first by recorded links</title>")  # dashes lie on top
