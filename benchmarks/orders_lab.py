"""Harvest of strategies on the 30 tasks of ../shared/webs, in the lab: the crawl's own state machine in virtual time.

    python -m benchmarks.orders_lab [--strategies all] [--seed 1,2,3] [--tasks uci/,zhblogs/databases] [--budget 2000]

Writes `benchmarks/orders.md`: shares of the oracle by task and web, means over the seeds, CPU a page. What was measured
is kept in `bench-out/lab` and not measured again while the code of the packages is the same.
"""

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

from benchmarks.replayed import WEBS, topic_of
from cli.simulate import Lab, run
from semantic.strategies import STRATEGIES

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "bench-out" / "lab"
PACKAGES = ("ontology", "semantic", "crawler", "graphdb", "cli")

Shares = dict[str, dict[str, float]]  # task -> strategy -> figure


def tasks(chosen: Sequence[str]) -> list[Path]:
    """Folders of the tasks whose names begin with one of these."""
    found = [task for web in sorted(WEBS.iterdir()) if web.is_dir() for task in sorted((web / "tasks").iterdir())]
    return [task for task in found if any(name_of(task).startswith(start) for start in chosen)]


def name_of(task: Path) -> str:
    return f"{task.parent.parent.name}/{task.name}"


def measure(task: Path, strategies: str, seeds: str, budget: int, code: str) -> list[dict[str, float]]:
    """The runs of one task, from what is kept or by simulating."""
    out = OUT / f"{name_of(task).replace('/', '-')}-{strategies.replace(',', '+')}-{seeds.replace(',', '+')}-{budget}"
    held = out / "code"
    if not held.exists() or held.read_text(encoding="utf-8") != code:
        ignored = task / "ignore.txt"
        run(
            Lab(
                archive=task.parents[1] / "web.warc.xz",
                ontology=topic_of(task),
                seeds=(str(task / "seeds.txt"),),
                max_pages=budget,
                out=out,
                targets=task / "targets.txt",
                ignored=ignored if ignored.exists() else None,
                strategies=strategies,
                chances=seeds,
            )
        )
        held.write_text(code, encoding="utf-8")
    return json.loads((out / "results.json").read_text(encoding="utf-8"))["runs"]


def code_now() -> str:
    """A hash of the packages' code."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def table(shares: Shares, cost: Shares) -> str:
    """Markdown: a row a task, a web, and the mean of all."""
    names = list(next(iter(shares.values())))
    webs = sorted({task.partition("/")[0] for task in shares})
    lines = ["| task | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    lines += [_row(task, row, names) for task, row in sorted(shares.items())]
    for web in webs:
        rows = [row for task, row in shares.items() if task.startswith(f"{web}/")]
        lines.append(_row(f"**{web}**", {n: mean(row[n] for row in rows) for n in names}, names))
    everything = {n: mean(row[n] for row in shares.values()) for n in names}
    lines.append(_row(f"**mean of {len(shares)}**", everything, names))
    spent = {n: mean(row[n] for row in cost.values()) for n in names}
    lines.append("| CPU ms a page | " + " | ".join(f"{spent[n]:.1f}" for n in names) + " |")
    return "\n".join(lines) + "\n"


def _row(title: str, row: Mapping[str, float], names: Sequence[str]) -> str:
    return f"| {title} | " + " | ".join(f"{row[name]:.3f}" for name in names) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategies", default="all")
    parser.add_argument(
        "--seed", default="1,2,3", help="of chance; only `fused` has any, the others run with the first"
    )
    parser.add_argument("--tasks", default="")
    parser.add_argument("--budget", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "orders.md")
    given = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    names = list(STRATEGIES) if given.strategies == "all" else given.strategies.split(",")
    shares: Shares = {}
    cost: Shares = {}
    code = code_now()
    for task in tasks(given.tasks.split(",")):
        runs = []
        for name in names:
            seeds = given.seed if name == "fused" else given.seed.partition(",")[0]
            runs += measure(task, name, seeds, given.budget, code)
        of = {name: [one for one in runs if one["strategy"] == name] for name in names}
        shares[name_of(task)] = {name: mean(one["of_oracle"] for one in each) for name, each in of.items()}
        cost[name_of(task)] = {
            name: mean(1000 * one["cpu_seconds"] / max(1, one["pages"]) for one in each) for name, each in of.items()
        }
        print(name_of(task), {name: round(share, 3) for name, share in shares[name_of(task)].items()}, flush=True)
    given.out.write_text(table(shares, cost), encoding="utf-8")
    print(table(shares, cost))


if __name__ == "__main__":
    main()
