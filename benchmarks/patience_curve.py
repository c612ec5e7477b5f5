"""What patience costs and keeps: `python -m benchmarks.patience_curve`.

    [--tasks blogs-a/,uci/,zhblogs/] [--patience 0,.8,.9,.95,.98,1] [--seed 1,2,3] [--budget 1000] [--processes 2]

Crawls of `fused` in virtual time with a delay of 1 s, 16 connections, and answers after 0.05 s. For each patience: the
share of the oracle beside that of the same crawl without a delay and with one connection, the task that keeps least of
it, virtual seconds, and the results found when the crawl without patience has ended, beside its own. Needs `../shared`.
"""

import argparse
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from statistics import mean

from benchmarks.lab_jobs import OUT, tasks
from benchmarks.lab_runs import Job, as_in_the_table, bench_of, crawled
from benchmarks.orders_tables import table
from cli.lab.measured_crawl import run_of
from crawler.engine.actions import Limits

ANSWER = 0.05  # seconds
Key = tuple[float | None, int]  # patience, None without a delay; seed


@dataclass(frozen=True)
class Outcome:
    """One crawl. `found`: when each result was found, in seconds."""

    share: float
    seconds: float
    found: tuple[float, ...]


def run_task(task: str, wanted: Sequence[float], seeds: Sequence[int], budget: int) -> dict[Key, Outcome]:
    """All crawls of one task."""
    bench, outcomes = bench_of(task, budget, OUT / "cache"), {}
    for seed in seeds:
        for patience in (None, *wanted):
            polite = Limits(max_pages=budget, patience=patience or 0.0)
            limits = replace(polite, delay=0.0, connections=1) if patience is None else polite
            limited = replace(bench, yardstick=replace(bench.yardstick, limits=limits))
            job = Job(task, "fused", seed, budget)
            with limited.read_once("").sharing():
                store, progress = crawled(job, limited, as_in_the_table(job, limited), lambda: ANSWER)
            run = run_of(("fused", seed), store, progress, 0.0, limited.labels)
            (measured,) = limited.yardstick.measured([run])
            found = tuple(visit.seconds for visit in run.visits for _ in visit.targets)
            outcomes[patience, seed] = Outcome(measured.of_oracle, progress.seconds, found)
        print(f"{task}, seed {seed}: done", flush=True)
    return outcomes


def rows(
    of_tasks: dict[str, dict[Key, Outcome]], wanted: Sequence[float], seeds: Sequence[int]
) -> Iterable[list[object]]:
    """A row for each patience."""

    def share(task: str, patience: float | None) -> float:
        return mean(of_tasks[task][patience, seed].share for seed in seeds)

    whole = mean(share(task, None) for task in of_tasks)
    for patience in wanted:
        kept = {task: share(task, patience) / share(task, None) for task in of_tasks}
        least = min(kept, key=kept.__getitem__)
        crawls = [(one[patience, seed], one[wanted[0], seed]) for one in of_tasks.values() for seed in seeds]
        then = [sum(at <= first.seconds for at in crawl.found) / max(1, len(first.found)) for crawl, first in crawls]
        order = mean(share(task, patience) for task in of_tasks) / whole
        yield [
            f"{patience:g}",
            order,
            f"{kept[least]:.2f} ({least})",
            f"{mean(c.seconds for c, _ in crawls):,.0f}",
            mean(then),
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default="blogs-a/,uci/,zhblogs/")
    parser.add_argument("--patience", default="0,.8,.9,.95,.98,1")
    parser.add_argument("--seed", default="1,2,3")
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    wanted, seeds = list(map(float, given.patience.split(","))), list(map(int, given.seed.split(",")))
    chosen = tasks(given.tasks.split(","))
    with ProcessPoolExecutor(given.processes) as pool:
        found = pool.map(partial(run_task, wanted=wanted, seeds=seeds, budget=given.budget), chosen)
        of_tasks = dict(zip(chosen, found, strict=True))
    head = ["patience", "of the order without a delay", "least", "seconds", "found when the first has ended"]
    print(table(head, list(rows(of_tasks, wanted, seeds))))


if __name__ == "__main__":
    main()
