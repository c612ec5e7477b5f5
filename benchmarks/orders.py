"""Harvest of live crawls on the tasks of ../shared/webs, judged from outside: proxy, crawl, harvest.

    python -m benchmarks.orders [--tasks uci/,zhblogs/databases] [--strategies fused,fixed,ontology,bfs] [--seed 1,2,3]

Crawls with eight connections, all of them to one host where it must be, without a delay. Prints a Markdown table of
shares of the oracle. What was measured is kept in `benchmarks/measured.tsv` by the hash of the code that it depends on.
"""

import argparse
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from statistics import mean

from benchmarks.code_hash import ROOT, code_of
from benchmarks.lab_jobs import commit_now, tasks
from benchmarks.lab_runs import folder_of
from benchmarks.measured import Measured, Run, add, find
from benchmarks.replayed import crawl, judge, replay

OUT = ROOT / "bench-out" / "live"
CONNECTIONS = "8"
LIVE = "live"


@dataclass(frozen=True)
class Live:
    """One crawl through the proxy."""

    task: str
    strategy: str
    seed: int
    budget: int

    @property
    def run(self) -> Run:
        """As in `benchmarks/measured.tsv`."""
        return self.task, self.strategy, LIVE, self.seed, self.budget

    @property
    def code(self) -> str:
        """What it depends on."""
        return _code(self.strategy)

    @property
    def options(self) -> list[str]:
        """As typed."""
        politeness = ["--delay", "0", "--connections", CONNECTIONS, "--per-host", CONNECTIONS]
        limits = ["--max-pages", str(self.budget), *politeness, "--store", "memory:"]
        return [*limits, "--seed", str(self.seed), "--strategy", self.strategy]


def run_live(wanted: Sequence[Live], processes: int, *, stale: bool = False) -> dict[Live, Measured]:
    """The figures of each, measured where they are not kept, webs side by side. `stale`: older ones will do."""
    OUT.mkdir(parents=True, exist_ok=True)
    done = _kept(wanted, stale=stale)
    missing = sorted((one for one in wanted if one not in done), key=lambda one: one.task)
    print(f"{len(done)} live crawls are kept, {len(missing)} are to be done", flush=True)
    webs = [list(ones) for _, ones in groupby(missing, lambda one: one.task.partition("/")[0])]
    with ThreadPoolExecutor(processes) as pool:
        for _ in pool.map(_run_web, webs):
            pass
    return _kept(wanted, stale=stale)


def _kept(wanted: Sequence[Live], *, stale: bool) -> dict[Live, Measured]:
    return find({one: (one.run, one.code) for one in wanted}, stale=stale)


@cache
def _code(strategy: str) -> str:
    return code_of([("cli.crawling.crawl", "run")], strategy)


def _run_web(wanted: Sequence[Live]) -> None:
    web = folder_of(wanted[0].task).parents[1]
    with replay(web, OUT) as proxy:
        for one in wanted:
            task = folder_of(one.task)
            told, log = crawl(task, proxy, OUT, one.options)
            found = judge(task, [log], one.budget, OUT)[log.stem]
            what = (*one.run, one.code, one.code, commit_now())
            add(Measured(*what, found["pages"], found["of_oracle"], 0.0, "-", told["copies"]))
            print(f"{one.task} {one.strategy} seed {one.seed}, live: {found['of_oracle']:.3f}", flush=True)


def table(shares: Mapping[str, Mapping[str, float]]) -> str:
    """Markdown: a row a task, and the means."""
    names = list(next(iter(shares.values())))
    lines = ["| task | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    lines += [
        f"| {task} | " + " | ".join(f"{row[n]:.3f}" for n in names) + " |" for task, row in sorted(shares.items())
    ]
    means = " | ".join(f"**{mean(row[n] for row in shares.values()):.3f}**" for n in names)
    return "\n".join([*lines, f"| **mean of {len(shares)}** | {means} |"]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default="")
    parser.add_argument("--strategies", default="fused,fixed,ontology,bfs")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--budget", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    names = given.strategies.split(",")
    seeds = [int(seed) for seed in given.seed.split(",")]
    chosen = tasks(given.tasks.split(","))
    wanted = [Live(task, name, seed, given.budget) for task in chosen for name in names for seed in seeds]
    shares: dict[str, dict[str, list[float]]] = {}
    for one, found in run_live(wanted, given.processes).items():
        shares.setdefault(one.task, {}).setdefault(one.strategy, []).append(found.of_oracle)
    print(table({task: {name: mean(runs) for name, runs in row.items()} for task, row in shares.items()}))


if __name__ == "__main__":
    main()
