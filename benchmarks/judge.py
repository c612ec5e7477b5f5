"""How well the default judge tells results from other pages, by independent labels: without marks, and with some.

    python -m benchmarks.judge [--pages 1000] [--processes 2] [TASK ...]     (a task: web/name, or how it begins)

Each task is crawled in the lab with `fused`; judged is the relevance that the record says at the end. Then marks are
given as `ontocrawl review` asks for them, by the labels, ten at a time, and all pages are judged again by them; figures
are of the pages without a mark. In the control good and bad are shuffled among the marks, which must change nothing:
told is the mean of `SHUFFLES` times.
`--stability`: instead, how far the relevance of pages moves from page 300 and page 1,000 to page 2,000 of a crawl.
Writes `benchmarks/judge.md` (`benchmarks/stability.md`). Labels that were made of addresses (lohelpzh, uci, dclaw) are
told apart from the others.
"""

import argparse
import random
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.expert import THRESHOLD, Watched, is_result, relevance_of, reviewed, teach
from benchmarks.lab_jobs import OUT, commit_now, tasks
from benchmarks.lab_runs import Bench, Job, as_in_the_table, bench_of, crawled
from benchmarks.orders_tables import table
from semantic.records import Priority
from semantic.understanding import TopicUnderstanding
from semantic.urls import host_of

ADDRESS_LABELS = ("dclaw", "lohelpzh", "uci")
ROUNDS = (10, 20, 40)  # marks
REPORT, STABILITY = (Path(__file__).with_name(name) for name in ("judge.md", "stability.md"))
SHUFFLES = 3  # one alone moves the mean of 19 tasks by .01
FEWEST = 5  # results on hosts without a mark
LOOKS, LAST = (300, 1000), 2000  # pages


@dataclass(frozen=True)
class Figures:
    """AP and F1 of all pages; by the number of marks: the change of AP of the unmarked, F1 of all; `shuffled`: AP.

    `elsewhere`: the change of AP of pages on hosts without a mark, where these have results.
    """

    task: str
    pages: int
    results: int
    precision: float
    f1: float
    gained: Mapping[int, float]
    f1_marked: Mapping[int, float]
    shuffled: Mapping[int, float]
    elsewhere: Mapping[int, float]


def average_precision(scores: Mapping[str, float], good: set[str]) -> float:
    """Mean precision at each result, pages in the order of their scores."""
    order = sorted(scores, key=lambda url: (-scores[url], url))
    hits = [rank for rank, url in enumerate(order, 1) if url in good]
    return fmean(found / rank for found, rank in enumerate(hits, 1)) if hits else 0.0


def f1(scores: Mapping[str, float], good: set[str]) -> float:
    """Of the verdicts at the threshold."""
    called = {url for url, score in scores.items() if score >= THRESHOLD}
    wanted = good & scores.keys()
    return 2 * len(called & wanted) / max(1, len(called) + len(wanted))


def measure(task: str, pages: int) -> Figures:
    """One task."""
    bench = bench_of(task, pages, OUT / "cache")
    job = Job(task, "fused", 1, pages)
    understanding = as_in_the_table(job, bench)
    store, _ = crawled(job, bench, understanding)
    scores = relevance_of(store, bench.labels)
    good = {url for url in scores if is_result(bench.labels, url)}
    marked = _marked(understanding, bench, scores, good)
    chances = [random.Random(number) for number in range(SHUFFLES)]
    shuffled = [_marked(understanding, bench, scores, good, chance) for chance in chances]
    return Figures(
        task,
        len(scores),
        len(good),
        average_precision(scores, good),
        f1(scores, good),
        {count: _change(scores, good, *found) for count, found in marked.items()},
        {count: f1(found, good) for count, (found, _) in marked.items()},
        {count: fmean(_change(scores, good, *found[count]) for found in shuffled) for count in marked},
        {
            count: _change(left, good, *found)
            for count, found in marked.items()
            if (left := _elsewhere(scores, good, found))
        },
    )


Judged = tuple[Mapping[str, float], Mapping[str, bool]]  # relevance of all pages, and the marks


def _marked(
    understanding: TopicUnderstanding,
    bench: Bench,
    scores: Mapping[str, float],
    good: set[str],
    chance: random.Random | None = None,
) -> dict[int, Judged]:
    """What is said of all pages with so many marks. `chance`: shuffles good and bad among them."""
    now = dict(scores)
    marks: dict[str, bool] = {}
    found: dict[int, Judged] = {}
    while len(marks) < ROUNDS[-1]:
        new = reviewed(now, marks, good.__contains__)
        if not new:
            break
        marks |= new
        said = list(marks.values())
        if chance:
            chance.shuffle(said)
        teach(understanding, bench.web, dict(zip(marks, said, strict=True)), now)
        if len(marks) in ROUNDS:
            found[len(marks)] = (dict(now), dict(marks))
    return found


def _elsewhere(scores: Mapping[str, float], good: set[str], found: Judged) -> dict[str, float]:
    """The scores of pages on hosts without a mark; nothing where too few of them are results to say anything."""
    hosts = set(map(host_of, found[1]))
    left = {url: score for url, score in scores.items() if host_of(url) not in hosts}
    return left if len(good & left.keys()) >= FEWEST else {}


def _change(scores: Mapping[str, float], good: set[str], now: Mapping[str, float], marks: Mapping[str, bool]) -> float:
    left = [url for url in scores if url not in marks]
    before, after = ({url: held[url] for url in left} for held in (scores, now))
    return average_precision(after, good) - average_precision(before, good)


def report(found: Sequence[Figures], pages: int) -> str:
    """The tables."""
    head = ["task", "pages", "results", "AP", "F1", *(f"AP, {n} marks" for n in ROUNDS)]
    head += [*(f"F1, {n} marks" for n in ROUNDS), *(f"AP, {n} shuffled" for n in ROUNDS)]
    head += [f"AP elsewhere, {n} marks" for n in ROUNDS]
    kinds: dict[str, list[Figures]] = {"content": [], "address": []}
    for one in found:
        kinds["address" if one.task.startswith(ADDRESS_LABELS) else "content"].append(one)
    lines = [
        "# The judge, by independent labels",
        "",
        f"`python -m benchmarks.judge --pages {pages}`, commit {commit_now()}; see `benchmarks/judge.py`.",
        "AP with marks: the change of average precision of the pages that have no mark; elsewhere: of those on hosts",
        f"without any mark, where {FEWEST} or more of them are results (means are of such tasks).",
        "",
    ]
    rows = [_row(one.task, [one]) for one in found]
    rows += [_row(f"**mean, labels of {kind}** ({len(some)})", some) for kind, some in kinds.items() if some]
    return "\n".join(lines) + "\n" + table(head, rows)


def _row(name: str, some: Sequence[Figures]) -> list[str]:
    cells = [f"{fmean(one.pages for one in some):.0f}", f"{fmean(one.results for one in some):.0f}"]
    cells += [f"{fmean(one.precision for one in some):.3f}", f"{fmean(one.f1 for one in some):.3f}"]
    for part, form in (("gained", "+.3f"), ("f1_marked", ".3f"), ("shuffled", "+.3f")):
        cells += [format(fmean(getattr(one, part)[count] for one in some), form) for count in ROUNDS]
    for count in ROUNDS:
        there = [one.elsewhere[count] for one in some if count in one.elsewhere]
        cells.append(f"{fmean(there):+.3f}" if there else "")
    return [name, *cells]


class Looked(Watched):
    """Looks at all pages now and then."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.found: dict[int, dict[str, float]] = {}

    def visit(self) -> Mapping[str, Priority]:
        """Changes nothing."""
        for count in LOOKS:
            if len(self.scores) >= count and count not in self.found:
                self.found[count] = self.look()
        return {}


def stability(task: str) -> list[float]:
    """By when pages were looked at: mean change of relevance up to the last page, share of verdicts that flip."""
    bench, job = bench_of(task, LAST, OUT / "cache"), Job(task, "fused", 1, LAST)
    looked = Looked(as_in_the_table(job, bench), bench)
    store, _ = crawled(job, bench, looked.understanding)
    judged = store.read("SELECT url, relevance FROM pages WHERE relevance IS NOT NULL ORDER BY id")
    last = {row["url"]: row["relevance"] for row in judged}
    found = []
    for count in LOOKS:
        before = {url: score for url, score in looked.found.get(count, last).items() if url in last}
        found.append(fmean(abs(score - last[url]) for url, score in before.items()))
        found.append(fmean((score >= THRESHOLD) != (last[url] >= THRESHOLD) for url, score in before.items()))
    return found


def tell_stability(chosen: Sequence[str], processes: int) -> None:
    """Write the table."""
    head = ["task", *(cell for count in LOOKS for cell in (f"change from {count}", f"flips from {count}"))]
    text = f"# How far relevance moves\n\n`python -m benchmarks.judge --stability`, commit {commit_now()}.\n\n"
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        rows = dict(zip(chosen, pool.map(stability, chosen), strict=True))
    rows["**mean**"] = [fmean(column) for column in zip(*rows.values(), strict=True)]
    text += table(head, [[task, *row] for task, row in rows.items()])
    STABILITY.write_text(text, "utf-8")
    print(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=[""])
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--stability", action="store_true")
    given = parser.parse_args()
    if given.stability:
        tell_stability(tasks(given.tasks), given.processes)
        return
    chosen, found = tasks(given.tasks), []
    with ProcessPoolExecutor(given.processes, get_context("spawn")) as pool:
        for figures in pool.map(measure, chosen, [given.pages] * len(chosen)):
            found.append(figures)
            print(*_row(figures.task, [figures]), flush=True)
            REPORT.write_text(report(found, given.pages), "utf-8")


if __name__ == "__main__":
    main()
