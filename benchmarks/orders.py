"""Harvest of live crawls on the tasks of ../shared/webs, judged from outside: proxy, crawl, harvest.

    python -m benchmarks.orders [--tasks uci/,zhblogs/databases] [--strategies fused,fixed,ontology,bfs] [--seed 1]

Crawls with eight connections, all of them to one host where it must be, without a delay. Prints a Markdown table of
shares of the oracle. What was measured is kept in `bench-out/live` by the hash of the code that a crawl depends on.
"""

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import mean

from benchmarks.code_hash import ROOT, code_of
from benchmarks.lab_jobs import commit_now, tasks
from benchmarks.lab_runs import folder_of
from benchmarks.replayed import crawl, judge, replay

OUT = ROOT / "bench-out" / "live"
CONNECTIONS = "8"


@dataclass(frozen=True)
class Live:
    """One crawl through the proxy."""

    task: str
    strategy: str
    seed: int
    budget: int

    @property
    def file(self) -> Path:
        """Where its figures are kept."""
        code = code_of([("cli.crawl", "run")], self.strategy)
        name = f"{self.task.replace('/', '-')}-{self.strategy}-{self.seed}-{self.budget}"
        return OUT / f"{name}-{hashlib.sha256(code.encode()).hexdigest()[:12]}.json"

    @property
    def options(self) -> list[str]:
        """As typed."""
        politeness = ["--delay", "0", "--connections", CONNECTIONS, "--per-host", CONNECTIONS]
        limits = ["--max-pages", str(self.budget), *politeness, "--store", "memory:"]
        return [*limits, "--seed", str(self.seed), "--strategy", self.strategy]


def run_live(wanted: Sequence[Live], processes: int) -> dict[Live, Mapping[str, object]]:
    """The figures of each: `of_oracle` and more, measured where they are not kept; webs side by side."""
    OUT.mkdir(parents=True, exist_ok=True)
    missing = sorted((one for one in wanted if not one.file.exists()), key=lambda one: one.task)
    print(f"{len(wanted) - len(missing)} live crawls are kept, {len(missing)} are to be done", flush=True)
    webs = [list(ones) for _, ones in groupby(missing, lambda one: one.task.partition("/")[0])]
    with ThreadPoolExecutor(processes) as pool:
        for _ in pool.map(_run_web, webs):
            pass
    return {one: json.loads(one.file.read_text(encoding="utf-8")) for one in wanted}


def _run_web(wanted: Sequence[Live]) -> None:
    web = folder_of(wanted[0].task).parents[1]
    with replay(web, OUT) as proxy:
        for name, ones in groupby(wanted, lambda one: one.task):
            task = folder_of(name)
            logs = {one: crawl(task, proxy, OUT, one.options)[1] for one in ones}
            judged = judge(task, list(logs.values()), max(one.budget for one in logs), OUT)
            for one, log in logs.items():
                found = {**judged[log.stem], "breadth_first": judged["breadth-first"]["of_oracle"]}
                told = {"strategy": one.strategy, "seed": one.seed, "commit": commit_now(), **found}
                one.file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
                print(f"{name} {one.strategy} seed {one.seed}, live: {found['of_oracle']:.3f}", flush=True)


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
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    names = given.strategies.split(",")
    wanted = [Live(task, name, given.seed, given.budget) for task in tasks(given.tasks.split(",")) for name in names]
    shares: dict[str, dict[str, float]] = {}
    for one, found in run_live(wanted, given.processes).items():
        row = shares.setdefault(one.task, {})
        row[one.strategy] = float(str(found["of_oracle"]))
        row["breadth-first (judge)"] = float(str(found["breadth_first"]))
    print(table(shares))


if __name__ == "__main__":
    main()
