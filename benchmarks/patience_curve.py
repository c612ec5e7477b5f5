"""What patience costs and keeps: `python -m benchmarks.patience_curve`.

Crawls of `fused` in virtual time with a delay of 1 s, 16 connections, and answers after 0.05 s. For each patience: the
share of the oracle beside that of the same crawl without a delay and with one connection, the task that keeps least of
it, virtual seconds, and the results found when the crawl without patience has ended, beside its own. Needs `../shared`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from statistics import fmean

from benchmarks.lab_runs import Crawled, Job, bench_of, crawl_task, side_by_side, tasks
from benchmarks.options import options
from benchmarks.orders_tables import table
from crawler.engine.actions import Limits

ANSWER = 0.05  # seconds
Key = tuple[float | None, int]  # patience, None without a delay; seed
Outcome = tuple[float, float, list[float]]  # share of the oracle, seconds, when each result was found


def run_task(task: str, wanted: Sequence[float], seeds: Sequence[int], budget: int) -> dict[Key, Outcome]:
    """All crawls of one task."""
    bench, outcomes = bench_of(task, budget), {}
    for seed in seeds:
        for patience in (None, *wanted):
            limited = bench if patience is None else bench.limited(Limits(max_pages=budget, patience=patience))
            done = crawl_task(Job(task, "fused", seed, budget), limited, latency=lambda: ANSWER)
            outcomes[patience, seed] = _outcome(done)
    return outcomes


def _outcome(done: Crawled) -> Outcome:
    found = [visit.seconds for visit in done.run.visits for _ in visit.targets]
    return done.figures.of_oracle, done.run.progress.seconds, found


def rows(
    of_tasks: Mapping[str, Mapping[Key, Outcome]], wanted: Sequence[float], seeds: Sequence[int]
) -> Iterable[list[object]]:
    """A row for each patience."""

    def share(task: str, patience: float | None) -> float:
        return fmean(of_tasks[task][patience, seed][0] for seed in seeds)

    whole = fmean(share(task, None) for task in of_tasks)
    for patience in wanted:
        of_whole = {task: share(task, patience) / max(1e-9, share(task, None)) for task in of_tasks}
        least = min(of_whole, key=of_whole.__getitem__)
        pairs = [(one[patience, seed], one[wanted[0], seed]) for one in of_tasks.values() for seed in seeds]
        then = fmean(sum(at <= first[1] for at in crawl[2]) / max(1, len(first[2])) for crawl, first in pairs)
        order = fmean(share(task, patience) for task in of_tasks) / max(1e-9, whole)
        seconds = fmean(crawl[1] for crawl, _ in pairs)
        yield [f"{patience:g}", order, f"{of_whole[least]:.2f} ({least})", f"{seconds:,.0f}", then]


def main() -> None:
    given = options(
        __doc__, tasks="blogs-a/,uci/,zhblogs/", patience="0,.8,.9,.95,.98,1", seed="1,2,3", budget=1000, processes=2
    )
    wanted, seeds = list(map(float, given.patience.split(","))), list(map(int, given.seed.split(",")))
    work = partial(run_task, wanted=wanted, seeds=seeds, budget=given.budget)
    of_tasks = dict(side_by_side(work, tasks(given.tasks), given.processes))
    head = ["patience", "of the order without a delay", "least", "seconds", "found when the first has ended"]
    print(table(head, list(rows(of_tasks, wanted, seeds))))


if __name__ == "__main__":
    main()
