"""Everything in `benchmarks/orders.md`, from nothing: `python -m benchmarks.orders_lab`, which takes hours.

- part `strategies`: all of them on all tasks, beside each other and beside other crawlers;
- part `ablation`: `fused` without one of its parts.

All crawls have what `crawl` has by default: a second's delay, sixteen connections, patience. `fused` runs with every
`--seed`, the others with the first. Every run is kept in `benchmarks/measured.tsv` and found again as long as the code
is the same (`benchmarks.measured.code_of`). `--stale` takes the last run of another code where there is none of this
one, and says so.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from statistics import fmean

from benchmarks.lab_runs import Job, commit_now, kept, run_all, tasks
from benchmarks.measured import ROOT, Measured, tidy
from benchmarks.options import options
from benchmarks.orders_tables import (
    FUSED,
    against_all_by_web,
    against_strategies,
    all_tasks,
    read_peers,
    table,
    worth,
)
from crawler.simulation.simulator import MEDIAN
from semantic.strategies.strategy_table import STRATEGIES

ORDERS = ROOT / "benchmarks" / "orders.md"
DELAY = 1.0  # seconds; the default of a crawl
WITHOUT = {  # part of `fused` -> name of the variant, and the parameter that switches the part off
    "link graph and Q": ("without the link graph", "graph"),
    "opening (Q-learning)": ("without opening", "opening"),
    "predecessor layers": ("without layers", "layers"),
    "topic words in links": ("without topic words", "words"),
}
LEARNING = "learning (`fixed`)"

_SHARES = """Shares of the oracle's area over {budget:,} pages, as people crawl: with a delay of {delay:g} s, 16 \
connections, the default patience, answers after a log-normal time (median {median:g} s). `fused`: the mean of seeds \
{seeds}; the others with the first. Seeds differ in the times of answers, too."""
_CODE = """`code`: the hash of all that the strategy's order depends on, and the commit at which it was measured; with \
“older” where that code has changed since. `copies`: pages that came again under another address, a run; `targets by a \
copy`: of the targets found, those found under another address."""
_PEERS = """Other crawlers (below the strategies): `benchmarks/peers.tsv`, from ../shared/research/orders.md, one run \
each without a delay, over the tasks that were run with them."""
_WORTH = """Share of the oracle with the part minus without it, means of seeds {seeds}. Topic words: none are looked \
for in anchors, contexts and addresses, while pages are judged by the ontology as ever."""


def jobs_of(given: argparse.Namespace, strategy: str, variant: str = "", without: str = "") -> list[Job]:
    """One a task and seed."""
    seeds = given.seed.split(",") if strategy == FUSED else given.seed.split(",")[:1]
    parameters = ((without, 0.0),) if without else ()
    return [
        Job(task, strategy, int(seed), given.budget, DELAY, variant, parameters)
        for task in tasks(given.tasks)
        for seed in seeds
    ]


def measured(given: argparse.Namespace, jobs: Mapping[str, Sequence[Job]]) -> dict[str, dict[Job, Measured]]:
    """The runs of each name, measured where they are not kept."""
    run_all([job for each in jobs.values() for job in each], given.processes, stale=given.stale)
    return {name: kept(each, stale=given.stale) for name, each in jobs.items()}


def shares_of(found: Mapping[Job, Measured]) -> dict[str, float]:
    """Task -> mean share of the oracle over the seeds."""
    shares: dict[str, list[float]] = {}
    for job, one in found.items():
        shares.setdefault(job.task, []).append(one.of_oracle)
    return {task: fmean(values) for task, values in shares.items()}


def strategies(given: argparse.Namespace) -> str:
    """Part one."""
    names = list(STRATEGIES) if given.strategies == "all" else given.strategies.split(",")
    found = measured(given, {name: jobs_of(given, name) for name in names})
    shares = {name: shares_of(each) for name, each in found.items()}
    said = _SHARES.format(budget=given.budget, delay=DELAY, median=MEDIAN, seeds=given.seed.replace(",", ", "))
    head = ["strategy", "virtual seconds", "CPU ms a page", "copies", "targets by a copy", "code, commit"]
    costs = table(head, [_cost(name, each) for name, each in found.items()])
    text = ["## All strategies", said, all_tasks(shares), _CODE, costs]
    if FUSED in shares and len(shares) > 1:
        text += ["### fused against the best other strategy of each task", against_strategies(shares)]
        text += ["### fused against each strategy and each other crawler, by web", _PEERS]
        text += [against_all_by_web(shares, read_peers())]
    return "\n\n".join(part.rstrip("\n") for part in text) + "\n"


def _cost(name: str, found: Mapping[Job, Measured]) -> list[object]:
    runs = found.values()
    seconds, *others = (fmean(getattr(one, of) for one in runs) for of in ("seconds", "cpu_ms", "copies", "by_copy"))
    code = {f"{one.row} {one.commit}": "" if one.code == job.code else " older" for job, one in found.items()}
    told = ", ".join(name + older for name, older in code.items())
    return [name, f"{seconds:,.0f}", *(f"{other:.1f}" for other in others), told]


def ablation(given: argparse.Namespace) -> str:
    """Part two."""
    jobs = {name: jobs_of(given, FUSED, *how) for name, how in WITHOUT.items()}
    found = measured(given, {FUSED: jobs_of(given, FUSED), **jobs, LEARNING: jobs_of(given, "fixed")})
    whole, *others = (shares_of(each) for each in found.values())
    said = _WORTH.format(seeds=given.seed.replace(",", ", "))
    parts = worth(whole, dict(zip([*WITHOUT, LEARNING], others, strict=True)))
    return f"## What each part of fused is worth\n\n{said}\n\n{parts}"


PARTS = {"strategies": strategies, "ablation": ablation}


def main() -> None:
    given = options(
        __doc__,
        parts=",".join(PARTS),
        strategies="all",
        seed="1,2",
        tasks="",
        budget=2000,
        processes=2,
        stale=False,
        out=ORDERS,
    )
    text = f"# Orders\n\nWritten by `make bench-orders` (`python -m benchmarks.orders_lab`) at commit {commit_now()}.\n"
    tidy()
    try:
        for part in given.parts.split(","):
            text += "\n" + PARTS[part](given)
            given.out.write_text(text, encoding="utf-8")
    except KeyboardInterrupt:
        sys.exit("stopped; what was measured is kept")
    print(text)


if __name__ == "__main__":
    main()
