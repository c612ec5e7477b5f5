"""Everything in `benchmarks/orders.md`, from nothing: `python -m benchmarks.orders_lab`, which takes hours.

    [--parts strategies,ablation] [--strategies all] [--seed 1,2] [--tasks uci/] [--budget 2000] [--processes 2]
    [--stale]

- strategies: all of them on all tasks, beside each other and beside other crawlers;
- ablation: `fused` without one of its parts.

All crawls have what `crawl` has by default: a second's delay, sixteen connections, patience.
Every run is kept in `benchmarks/measured.tsv` and found again as long as the code that it depends on is the same
(`benchmarks.code_hash`). `--stale` takes the last run of another code where there is none of this one, and says so.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from benchmarks.code_hash import ROOT
from benchmarks.lab_jobs import SEEDS_ONLY, code_of_job, commit_now, kept, run_all, tasks
from benchmarks.lab_runs import Job, Variant
from benchmarks.measured import Measured, tidy
from benchmarks.orders_tables import (
    FUSED,
    against_all_by_web,
    against_strategies,
    all_tasks,
    by_web,
    put,
    read_peers,
    table,
    worth,
)
from crawler.simulation.simulator import MEDIAN
from semantic.strategies.strategy_table import STRATEGIES

ORDERS = ROOT / "benchmarks" / "orders.md"
STRATEGIES_TOLD = ROOT / "docs" / "strategies.md"
DELAY = 1.0  # seconds; the default of a crawl
WITHOUT = {
    "link graph and Q": Variant("without the link graph", parameters=(("graph", 0),)),
    "opening (Q-learning)": Variant("without opening", parameters=(("opening", 0),)),
    "predecessor layers": Variant("without layers", parameters=(("layers", 0),)),
    "topic words in links": Variant("without topic words", parameters=(("words", 0),)),
    "the ontology (seeds only)": Variant(SEEDS_ONLY, judge=SEEDS_ONLY),
}


@dataclass(frozen=True)
class Given:
    """What was typed."""

    tasks: Sequence[str]
    strategies: Sequence[str]
    seeds: Sequence[int]
    budget: int
    processes: int
    stale: bool

    def jobs(self, strategy: str, seeds: Sequence[int], variant: Variant = Variant()) -> list[Job]:  # noqa: B008 - frozen
        """One a task and seed."""
        return [Job(task, strategy, seed, self.budget, variant, DELAY) for task in self.tasks for seed in seeds]

    def figures(self, jobs: Sequence[Job]) -> dict[Job, Measured]:
        """Those of runs that are kept."""
        return kept(jobs, stale=self.stale)

    def shares(self, jobs: Sequence[Job]) -> dict[str, float]:
        """Task -> mean share of the oracle over the seeds."""
        found: dict[str, list[float]] = {}
        for one in self.figures(jobs).values():
            found.setdefault(one.task, []).append(one.of_oracle)
        return {task: mean(values) for task, values in found.items()}

    def all_jobs(self) -> dict[str, list[Job]]:
        """Strategy -> its runs: `fused` with all seeds, the others with the first."""
        return {name: self.jobs(name, self.seeds if name == FUSED else self.seeds[:1]) for name in self.strategies}


def strategies(given: Given) -> str:
    """Part one."""
    jobs = given.all_jobs()
    run_all([job for each in jobs.values() for job in each], given.processes, stale=given.stale)
    found = {name: given.figures(each) for name, each in jobs.items()}
    shares = {name: given.shares(each) for name, each in jobs.items()}
    text = [
        "## All strategies",
        _seeds_told(given),
        all_tasks(shares),
        _CODE_TOLD,
        table(_COST_HEAD, [_cost(name, each) for name, each in found.items()]),
    ]
    if FUSED in shares and len(shares) > 1:
        text += ["### fused against the best other strategy of each task", against_strategies(shares)]
        text += ["### fused against each strategy and each other crawler, by web", _PEERS_TOLD]
        text += [against_all_by_web(shares, read_peers())]
    if set(STRATEGIES) == set(given.strategies) and given.tasks == tasks([""]):
        put(STRATEGIES_TOLD, "figures", by_web(shares))
    return "\n\n".join(part.rstrip("\n") for part in text if part) + "\n"


_PEERS_TOLD = (
    "Other crawlers (below the strategies): `benchmarks/peers.tsv`, from ../shared/research/orders.md, one run each "
    "without a delay, over the tasks that were run with them."
)


def _seeds_told(given: Given) -> str:
    seeds = ", ".join(map(str, given.seeds))
    return (
        f"Shares of the oracle's area over {given.budget:,} pages, as people crawl: with a delay of {DELAY:g} s, 16 "
        f"connections, the default patience, answers after a log-normal time (median {MEDIAN:g} s). `{FUSED}`: the "
        f"mean of seeds {seeds}; the others with the first. Seeds differ in the times of answers, too."
    )


_CODE_TOLD = (
    "`code`: the hash of all that the strategy's order depends on, and the commit at which it was measured; with "
    "“older” where that code has changed since. `copies`: pages that came again under another address, a run; `targets "
    "by a copy`: of the targets found, those found under another address."
)
_COST_HEAD = ("strategy", "virtual seconds", "CPU ms a page", "copies", "targets by a copy", "code, commit")


def _cost(name: str, found: Mapping[Job, Measured]) -> list[object]:
    runs = found.values()
    seconds, *others = (mean(getattr(one, name) for one in runs) for name in ("seconds", "cpu_ms", "copies", "by_copy"))
    return [name, f"{seconds:,.0f}", *(f"{other:.1f}" for other in others), _code_told(found)]


def _code_told(found: Mapping[Job, Measured]) -> str:
    told = {f"{figures.row} {figures.commit}": figures.code == code_of_job(job) for job, figures in found.items()}
    return ", ".join(name if now else f"{name} older" for name, now in told.items())


def ablation(given: Given) -> str:
    """Part two."""
    jobs = {name: given.jobs(FUSED, given.seeds, variant) for name, variant in WITHOUT.items()}
    whole, fixed = given.jobs(FUSED, given.seeds), given.jobs("fixed", given.seeds[:1])
    run_all([*whole, *fixed, *(job for each in jobs.values() for job in each)], given.processes, stale=given.stale)
    without = {name: given.shares(each) for name, each in jobs.items()} | {"learning (`fixed`)": given.shares(fixed)}
    seeds = ", ".join(map(str, given.seeds))
    told = f"Share of the oracle with the part minus without it, means of seeds {seeds}. {_ABLATION_TOLD}"
    return f"## What each part of fused is worth\n\n{told}\n\n" + worth(given.shares(whole), without)


_ABLATION_TOLD = (
    "Topic words: none are looked for in anchors, contexts and addresses, while pages are judged by the ontology as "
    "ever. Seeds only: no ontology at all; a page is worth its likeness to the seeds (as in `customised`), links are "
    "judged by what is learned."
)


PARTS = {"strategies": strategies, "ablation": ablation}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--strategies", default="all")
    parser.add_argument(
        "--seed",
        default="1,2",
        help="of ties and of the times of answers; strategies other than `fused` run with the first",
    )
    parser.add_argument("--tasks", default="")
    parser.add_argument("--budget", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--stale", action="store_true")
    parser.add_argument("--out", type=Path, default=ORDERS)
    typed = parser.parse_args()
    names = list(STRATEGIES) if typed.strategies == "all" else typed.strategies.split(",")
    seeds = [int(seed) for seed in typed.seed.split(",")]
    given = Given(tasks(typed.tasks.split(",")), names, seeds, typed.budget, typed.processes, typed.stale)
    head = f"# Orders\n\nWritten by `make bench-orders` (`python -m benchmarks.orders_lab`) at commit {commit_now()}.\n"
    try:
        tidy()
        write(head, [PARTS[part] for part in typed.parts.split(",")], given, typed.out)
    except KeyboardInterrupt:
        sys.exit("stopped; what was measured is kept")


def write(text: str, parts: Sequence[Callable[[Given], str]], given: Given, out: Path) -> None:
    """Each part as soon as it is measured."""
    for part in parts:
        text += "\n" + part(given)
        out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
