"""How well the default judge tells results from other pages, by independent labels: without marks, and with some.

    python -m benchmarks.judge [--pages 1000] [--tasks WEB/,WEB/TASK]

Each task is crawled in the lab with `fused`; judged is the relevance in the record at the end. Then marks are given as
`ontocrawl review` asks for them, by the labels, ten at a time, and all pages are judged again by them; figures are of
the pages without a mark. In the control good and bad are shuffled among the marks, which must change nothing: the
figure is the mean of `SHUFFLES` times. Writes `benchmarks/judge.md`. Labels that were made of addresses (lohelpzh, uci,
dclaw) have means of their own.
"""

import random
from collections.abc import Callable, Mapping, MutableMapping
from functools import partial
from pathlib import Path
from statistics import fmean

from benchmarks.lab_runs import Bench, Job, bench_of, commit_now, crawl_task, side_by_side, tasks
from benchmarks.options import options
from benchmarks.orders_tables import Figures, with_means
from cli.lab.measured_crawl import Labels
from cli.marking.marking import next_to_review
from cli.recorded.recorded_verdicts import Verdict
from crawler.simulation.recorded_web import RecordedWeb
from graphdb.record.sqlite_store import SqliteStore
from semantic.frame import Frame
from semantic.records import Mark
from semantic.understanding import TopicUnderstanding

THRESHOLD = 0.5
ADDRESS_LABELS = ("dclaw", "lohelpzh", "uci")
ROUNDS = (10, 20, 40)  # marks
SHUFFLES = 3  # one alone moves the mean of 19 tasks by .01
REPORT = Path(__file__).with_name("judge.md")
Scores = Mapping[str, float]  # address -> relevance
Judged = tuple[Scores, Mapping[str, Mark]]  # relevance of all pages, and the marks


def average_precision(scores: Scores, good: set[str]) -> float:
    """Mean precision at each result, pages in the order of their scores."""
    order = sorted(scores, key=lambda url: (-scores[url], url))
    hits = [rank for rank, url in enumerate(order, 1) if url in good]
    return fmean(found / rank for found, rank in enumerate(hits, 1)) if hits else 0.0


def f1(scores: Scores, good: set[str]) -> float:
    """Of the verdicts at the threshold."""
    called = {url for url, score in scores.items() if score >= THRESHOLD}
    wanted = good & scores.keys()
    return 2 * len(called & wanted) / max(1, len(called) + len(wanted))


def relevance_of(store: SqliteStore, labels: Labels) -> dict[str, float]:
    """Of the pages that a lab crawl fetched and that have a label. A page that asks not to be a result (noindex) is
    judged once, when it comes; it has no content.
    """
    fetched = store.read(
        'SELECT url, relevance FROM pages JOIN contents ON page = id WHERE "order" IS NOT NULL ORDER BY id'
    )
    return {row["url"]: row["relevance"] for row in fetched if labels.name(row["url"]) not in labels.ignored}


def results_of(scores: Scores, labels: Labels) -> set[str]:
    """The pages that the labels call results."""
    return {url for url in scores if labels.name(url) in labels.results}


def reviewed(scores: Scores, marks: Mapping[str, Mark], is_good: Callable[[str], bool]) -> dict[str, Mark]:
    """The marks of the next round."""
    verdicts = {url: Verdict(url, "", score, score >= THRESHOLD, marks.get(url, "")) for url, score in scores.items()}
    new: dict[str, Mark] = {}
    for verdict in next_to_review(verdicts, THRESHOLD, new):
        new[verdict.url] = "good" if is_good(verdict.url) else "bad"
    return new


def teach(
    understanding: TopicUnderstanding, web: RecordedWeb, marks: Mapping[str, Mark], scores: MutableMapping[str, float]
) -> None:
    """Let the marks count; `scores`: the relevance of all pages, brought up to date."""

    def read(url: str) -> Frame:
        return understanding.analyst.frame(web.read(b"", url, {}))

    understanding.teach(marks, lambda: map(read, list(scores)))
    bring_up_to_date(scores, understanding)


def bring_up_to_date(scores: MutableMapping[str, float], understanding: TopicUnderstanding) -> None:
    """Let `scores` have the relevance of its pages by all that is known now."""
    scores.update({record.url: record.relevance for record in understanding.settle() if record.url in scores})


def measure(task: str, pages: int) -> Figures:
    """One task: AP and F1 of all pages; by the number of marks the change of AP of the unmarked, and F1 of all."""
    bench = bench_of(task, pages)
    done = crawl_task(Job(task, "fused", 1, pages), bench)
    scores = relevance_of(done.store, bench.labels)
    good = results_of(scores, bench.labels)
    marked = _marked(done.understanding, bench, scores, good)
    chances = [random.Random(number) for number in range(SHUFFLES)]
    shuffled = [_marked(done.understanding, bench, scores, good, chance) for chance in chances]
    return {
        "pages": len(scores),
        "results": len(good),
        "AP": average_precision(scores, good),
        "F1": f1(scores, good),
        **{f"AP, {count} marks": _change(scores, good, *found) for count, found in marked.items()},
        **{f"F1, {count} marks": f1(found, good) for count, (found, _) in marked.items()},
        **{f"AP, {n} shuffled": fmean(_change(scores, good, *found[n]) for found in shuffled) for n in marked},
    }


def _marked(
    understanding: TopicUnderstanding, bench: Bench, scores: Scores, good: set[str], chance: random.Random | None = None
) -> dict[int, Judged]:
    """Relevance of all pages with so many marks. `chance`: shuffles good and bad among them."""
    now = dict(scores)
    marks: dict[str, Mark] = {}
    found: dict[int, Judged] = {}
    while len(marks) < ROUNDS[-1] and (new := reviewed(now, marks, good.__contains__)):
        marks |= new
        said = list(marks.values())
        if chance:
            chance.shuffle(said)
        teach(understanding, bench.web, dict(zip(marks, said, strict=True)), now)
        if len(marks) in ROUNDS:
            found[len(marks)] = (dict(now), dict(marks))
    return found


def _change(scores: Scores, good: set[str], now: Scores, marks: Mapping[str, Mark]) -> float:
    left = [url for url in scores if url not in marks]
    before, after = ({url: held[url] for url in left} for held in (scores, now))
    return average_precision(after, good) - average_precision(before, good)


def report(found: Mapping[str, Figures], pages: int) -> str:
    """The table."""
    address = {task for task in found if task.startswith(ADDRESS_LABELS)}
    groups = {"labels of content": found.keys() - address, "labels of address": address}
    command = f"`python -m benchmarks.judge --pages {pages}`, commit {commit_now()}; see `benchmarks/judge.py`."
    said = "AP with marks: the change of average precision of the pages that have no mark."
    return f"# The judge, by independent labels\n\n{command}\n{said}\n\n{with_means(found, groups)}"


def main() -> None:
    given = options(__doc__, tasks="", pages=1000, processes=2)
    found: dict[str, Figures] = {}
    for task, figures in side_by_side(partial(measure, pages=given.pages), tasks(given.tasks), given.processes):
        found[task] = figures
        print(task, figures, flush=True)
        REPORT.write_text(report(found, given.pages), "utf-8")


if __name__ == "__main__":
    main()
