"""Harvest of each strategy on the 30 tasks of ../shared/webs, judged from outside: proxy, crawl, harvest.

    python -m benchmarks.orders [--webs zhblogs,uci] [--strategies fused,fixed,ontology,bfs] [--jobs 2] [--budget 2000]

Prints a Markdown table of shares of the oracle and writes it, with the runs' figures, to `bench-out/orders.md`.
"""

import argparse
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean

from benchmarks.replayed import WEBS, crawl, judge, replay

OUT = Path(__file__).resolve().parents[1] / "bench-out"


def run_web(web: Path, strategies: Sequence[str], budget: int) -> dict[str, dict[str, float]]:
    """Task -> strategy -> share of the oracle, with breadth-first as `harvest.py` itself walks it."""
    shares = {}
    with replay(web, OUT) as proxy:
        for task in sorted((web / "tasks").iterdir()):
            options = ["--max-pages", str(budget), "--delay", "0", "--store", "memory:", "--strategy"]
            logs = {name: crawl(task, proxy, OUT, [*options, name])[1] for name in strategies}
            judged = judge(task, list(logs.values()), budget, OUT)
            row = {name: judged[log.stem]["of_oracle"] for name, log in logs.items()}
            row["breadth-first (judge)"] = judged["breadth-first"]["of_oracle"]
            shares[f"{web.name}/{task.name}"] = row
            print(f"{web.name}/{task.name}", {name: round(share, 3) for name, share in row.items()}, flush=True)
    return shares


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
    parser.add_argument("--webs", default=",".join(sorted(path.name for path in WEBS.iterdir() if path.is_dir())))
    parser.add_argument("--strategies", default="fused,fixed,ontology,bfs")
    parser.add_argument("--budget", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    strategies = given.strategies.split(",")
    with ThreadPoolExecutor(given.jobs) as pool:
        done = pool.map(lambda name: run_web(WEBS / name, strategies, given.budget), given.webs.split(","))
        shares = {task: row for web in done for task, row in web.items()}
    (OUT / "orders.md").write_text(table(shares), encoding="utf-8")
    print(table(shares))


if __name__ == "__main__":
    main()
