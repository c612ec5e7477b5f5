"""Everything in `benchmarks/orders.md`, from nothing: `python -m benchmarks.orders_lab`, which takes hours.

    [--parts polite,strategies,ablation,variants,live] [--strategies all] [--seed 1,2,3] [--tasks uci/]
    [--budget 2000] [--processes 2] [--stale]

- polite: a few strategies with what crawls have by default (a second's delay, sixteen connections, patience), beside
  the same without a delay and with one connection, as all other parts have them;
- strategies: all of them on all tasks, beside each other and beside other crawlers;
- ablation: `fused` without one of its parts;
- variants: constants of `fused` chosen on six webs and judged on the seventh;
- live: `ontocrawl crawl` through the replay proxy, judged from outside, beside the lab.

Every run is kept in `benchmarks/measured.tsv` and found again as long as the code that it depends on is the same
(`benchmarks.code_hash`). `--stale` takes the last run of another code where there is none of this one, and says so.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from benchmarks.code_hash import ROOT
from benchmarks.fused_variants import VARIANT_SEEDS, VARIANTS, WITHOUT
from benchmarks.lab_jobs import code_of_job, commit_now, kept, run_all, tasks
from benchmarks.lab_runs import Job, Variant
from benchmarks.measured import Measured, tidy
from benchmarks.orders import Live, run_live
from benchmarks.orders_tables import (
    FUSED,
    against_all_by_web,
    against_strategies,
    all_tasks,
    by_web,
    counted,
    live_beside_lab,
    one_web_left_out,
    read_peers,
    table,
    worth,
)
from crawler.simulation.simulator import MEDIAN
from semantic.strategies.strategy_table import STRATEGIES

PARTS = ("polite", "strategies", "ablation", "variants", "live")
ORDERS = ROOT / "benchmarks" / "orders.md"
STRATEGIES_TOLD = ROOT / "docs" / "strategies.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
POLITE = (FUSED, "fixed", "ontology", "best-first", "bfs")
DELAY = 1.0  # seconds; the default of a crawl
CHECKED = "lohelpzh/charts"  # where strategies without chance run with a second seed
CHECK_SEED = 2

_SEEDS = ", ".join(map(str, VARIANT_SEEDS))


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
        return [Job(task, strategy, seed, self.budget, variant) for task in self.tasks for seed in seeds]

    def figures(self, jobs: Sequence[Job]) -> dict[Job, Measured]:
        """Those of runs that are kept."""
        return kept(jobs, stale=self.stale)

    def runs(self, jobs: Sequence[Job]) -> dict[str, list[float]]:
        """Task -> shares of the oracle, one a seed."""
        return _by_task(self.figures(jobs).values())

    def shares(self, jobs: Sequence[Job]) -> dict[str, float]:
        """Task -> mean share of the oracle over the seeds."""
        return {task: mean(values) for task, values in self.runs(jobs).items()}

    def all_jobs(self) -> dict[str, list[Job]]:
        """Strategy -> its runs: only `fused` knows chance."""
        return {name: self.jobs(name, self.seeds if name == FUSED else self.seeds[:1]) for name in self.strategies}


def _by_task(runs: Iterable[Measured]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for one in runs:
        found.setdefault(one.task, []).append(one.of_oracle)
    return found


def polite(given: Given) -> str:
    """Part one."""
    names = [name for name in POLITE if name in given.strategies]
    jobs = {name: given.jobs(name, given.seeds[:1]) for name in names}
    polite = {name: [replace(job, delay=DELAY) for job in those] for name, those in jobs.items()}
    fresh = replace(given, stale=False)
    run_all([job for those in polite.values() for job in those], given.processes, stale=False)
    run_all([job for those in jobs.values() for job in those], given.processes, stale=given.stale)
    shares = {name: fresh.shares(those) for name, those in polite.items()}
    shares |= {f"{name}, no delay": given.shares(those) for name, those in jobs.items()}
    seconds = {
        name: [one.seconds for one in fresh.figures(those).values() if one.seconds] for name, those in polite.items()
    }
    took = ", ".join(f"`{name}` {mean(those):,.0f}" for name, those in seconds.items())
    told = (
        f"Shares of the oracle's area over {given.budget:,} pages, seed {given.seeds[0]}: with a delay of {DELAY:g} s, "
        f"16 connections, the default patience, answers after a log-normal time (median {MEDIAN:g} s); beside it "
        f"without a delay and with one connection. Virtual seconds in the mean, with the delay: {took}."
    )
    return f"## As people crawl: with a delay\n\n{told}\n\n{all_tasks(shares)}"


def strategies(given: Given) -> str:
    """Part two."""
    jobs = given.all_jobs()
    checked = [
        Job(CHECKED, name, CHECK_SEED, given.budget) for name in jobs if name != FUSED and CHECKED in given.tasks
    ]
    run_all([*(job for each in jobs.values() for job in each), *checked], given.processes, stale=given.stale)
    found = {name: given.figures(each) for name, each in jobs.items()}
    shares = {name: given.shares(each) for name, each in jobs.items()}
    text = [
        "## All strategies",
        _seeds_told(given),
        all_tasks(shares),
        _CODE_TOLD,
        table(_COST_HEAD, [_cost(name, each) for name, each in found.items()]),
        _chance_checked(given, checked),
    ]
    if FUSED in shares and len(shares) > 1:
        text += ["### fused against the best other strategy of each task", against_strategies(shares)]
        text += ["### fused against each strategy and each other crawler, by web", _PEERS_TOLD]
        text += [against_all_by_web(shares, read_peers())]
    if set(STRATEGIES) == set(given.strategies) and given.tasks == tasks([""]):
        put_figures(by_web(shares))
    return "\n\n".join(part.rstrip("\n") for part in text if part) + "\n"


_PEERS_TOLD = (
    "Other crawlers (below the strategies): `benchmarks/peers.tsv`, from ../shared/research/orders.md, one run each, "
    "over the tasks that were run with them."
)


def _seeds_told(given: Given) -> str:
    seeds = ", ".join(map(str, given.seeds))
    pages = f"{given.budget:,} pages"
    return f"Shares of the oracle's area over {pages}; `{FUSED}`: the mean of seeds {seeds}; the others run once."


_CODE_TOLD = (
    "`code`: the hash of all that the strategy's order depends on, and the commit at which it was measured; with "
    "“older” where that code has changed since. `copies`: pages that came again under another address, a run; `targets "
    "by a copy`: of the targets found, those found under another address. Blank where runs did not count them."
)
_COST_HEAD = ("strategy", "CPU ms a page", "copies", "targets by a copy", "code, commit")


def _cost(name: str, found: Mapping[Job, Measured]) -> list[object]:
    runs = found.values()
    copies = counted([one.copies for one in runs]), counted([one.by_copy for one in runs])
    return [name, f"{mean(one.cpu_ms for one in runs):.1f}", *copies, _code_told(found)]


def _code_told(found: Mapping[Job, Measured]) -> str:
    told = {f"{figures.row} {figures.commit}": figures.code == code_of_job(job) for job, figures in found.items()}
    return ", ".join(name if now else f"{name} older" for name, now in told.items())


def _older_told(found: Sequence[tuple[Job, Measured]]) -> str:
    older = sum(figures.code != code_of_job(job) for job, figures in found)
    return f" {older} of {len(found)} runs are of older code." if older else ""


def _chance_checked(given: Given, checked: Sequence[Job]) -> str:
    if not checked:
        return ""
    other = given.figures([Job(job.task, job.strategy, given.seeds[0], job.budget) for job in checked])
    orders = {job.strategy: figures.order for job, figures in other.items()}
    differ = [job.strategy for job, figures in given.figures(checked).items() if figures.order != orders[job.strategy]]
    which = f"all but {', '.join(differ)}" if differ else "all of them"
    return (
        f"Seeds {given.seeds[0]} and {CHECK_SEED} give the same order on {CHECKED}: {which} (`{FUSED}` was not asked)."
    )


def ablation(given: Given) -> str:
    """Part three."""
    known = STRATEGIES[FUSED].parameters
    parts = {name: one for name, one in WITHOUT.items() if all(parameter in known for parameter, _ in one.parameters)}
    jobs = {name: given.jobs(FUSED, VARIANT_SEEDS, variant) for name, variant in parts.items()}
    whole = given.jobs(FUSED, VARIANT_SEEDS)
    fixed = given.jobs("fixed", given.seeds[:1])
    run_all([*whole, *fixed, *(job for each in jobs.values() for job in each)], given.processes, stale=given.stale)
    without = {name: given.shares(each) for name, each in jobs.items()} | {"learning (`fixed`)": given.shares(fixed)}
    return f"## What each part of fused is worth\n\n{_ABLATION_TOLD}\n\n" + worth(given.shares(whole), without)


_ABLATION_TOLD = (
    f"Share of the oracle with the part minus without it, means of seeds {_SEEDS}. Topic words: none are looked for in "
    "anchors, contexts and addresses, while pages are judged by the ontology as ever. Seeds only: no ontology at all; "
    "a page is worth its likeness to the seeds (as in `customised`), links are judged by what is learned."
)


def variants(given: Given) -> str:
    """Part four."""
    jobs = {variant.name: given.jobs(FUSED, VARIANT_SEEDS, _plain(variant)) for variant in VARIANTS}
    run_all([job for each in jobs.values() for job in each], given.processes, stale=given.stale)
    shares = {name: given.shares(each) for name, each in jobs.items()}
    told = (
        f"{len(VARIANTS)} variants, means of seeds {_SEEDS}; for each web the best on the other webs is judged on it."
    )
    told += _older_told([figures for each in jobs.values() for figures in given.figures(each).items()])
    return f"## Constants chosen without the web they are judged on\n\n{told}\n\n{one_web_left_out(shares)}"


def _plain(variant: Variant) -> Variant:
    return variant if variant.parameters or variant.constants else Variant()


def live(given: Given) -> str:
    """Part five."""
    jobs = given.jobs(FUSED, given.seeds)
    run_all(jobs, given.processes, stale=given.stale)
    crawls = [Live(task, FUSED, seed, given.budget) for task in given.tasks for seed in given.seeds]
    found = _by_task(run_live(crawls, given.processes, stale=given.stale).values())
    told = (
        "`ontocrawl crawl --proxy` with `--connections 8 --per-host 8 --delay 0`, judged by `harvest.py`, beside the "
        "lab: means of the same seeds each, and how far the runs of a task lie apart."
    )
    return f"## Live and in the lab\n\n{told}\n\n" + live_beside_lab(found, given.runs(jobs))


def put_figures(figures: str) -> None:
    """Write the table of webs into docs/strategies.md."""
    text = STRATEGIES_TOLD.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    STRATEGIES_TOLD.write_text(f"{before}{BEGIN}\n{figures}{END}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--strategies", default="all")
    parser.add_argument(
        "--seed", default="1,2,3", help="of chance; only `fused` has any, the others run with the first"
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
    made = {"polite": polite, "strategies": strategies, "ablation": ablation, "variants": variants, "live": live}
    head = f"# Orders\n\nWritten by `make bench-orders` (`python -m benchmarks.orders_lab`) at commit {commit_now()}.\n"
    try:
        tidy()
        write(head, [made[part] for part in typed.parts.split(",")], given, typed.out)
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
