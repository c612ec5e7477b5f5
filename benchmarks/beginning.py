"""How a crawl should begin when answers come out of turn: `python -m benchmarks.beginning`.

    [--tasks uci/algorithms,dclaw/health,...] [--seed 1,2,3] [--budget 400] [--connections 8] [--processes 2]

Crawls of `fused` in virtual time, as in the lab, but each answer takes a random time: logarithmically normal, so that
one in ten takes 2.8 times the median or more. Compared are one connection, all of them from the first request on, and
all of them only after some requests (`crawler.engine.admission.BEGINNING`). A row has the shares of the oracle's area
that each way got from one task with one seed; at the end their means, and the virtual seconds. Needs `../shared`.
"""

import argparse
import math
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from functools import partial
from statistics import mean

from benchmarks.lab_jobs import OUT, tasks
from benchmarks.lab_runs import Job, as_in_the_table, bench_of, changed, measure

TASKS = "uci/algorithms,uci/course,dclaw/health,blogs-a/history,blogs-a/food,lohelpzh/impress,zhblogs/databases"
WAYS = {"one connection": 1, "all at once": 1, "after 100": 100, "after 500": 500, "after 2,000": 2000}  # BEGINNING
MEDIAN, SIGMA = 0.15, 0.8  # of seconds; chosen, not measured

Row = list[tuple[float, float]]  # share of the oracle and virtual seconds of each way


def run_task(task: str, seeds: Sequence[int], budget: int, connections: int) -> list[tuple[str, Row]]:
    """A row for each seed, with its name."""
    bench = bench_of(task, budget, OUT / "cache")
    rows = []
    for seed in seeds:
        row = []
        for way, beginning in WAYS.items():
            most = 1 if way == "one connection" else connections
            limits = replace(bench.yardstick.limits, connections=most, per_host=most)
            latency = partial(random.Random(seed).lognormvariate, math.log(MEDIAN), SIGMA)
            constants = [
                ("crawler.engine.admission", "BEGINNING", beginning),
                ("crawler.simulation.simulator", "latency", latency),
            ]
            with changed(constants):
                limited = replace(bench, yardstick=replace(bench.yardstick, limits=limits))
                found = measure(Job(task, "fused", seed, budget), limited, as_in_the_table)
            row.append((found["of_oracle"], found["virtual_seconds"]))
        rows.append((f"{task} | {seed}", row))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default=TASKS)
    parser.add_argument("--seed", default="1,2,3")
    parser.add_argument("--budget", type=int, default=400)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    seeds = list(map(int, given.seed.split(",")))
    print(f"| task | seed | {' | '.join(WAYS)} |\n{'|---' * (len(WAYS) + 2)}|")
    rows: list[Row] = []
    with ProcessPoolExecutor(given.processes) as pool:
        chosen = tasks(given.tasks.split(","))
        runs = [pool.submit(run_task, task, seeds, given.budget, given.connections) for task in chosen]
        for run in as_completed(runs):
            for name, row in run.result():
                rows.append(row)
                print(f"| {name} | {' | '.join(f'{share:.3f}' for share, _ in row)} |", flush=True)
    ways = [list(zip(*way, strict=True)) for way in zip(*rows, strict=True)]
    print(f"| **mean** | | {' | '.join(f'{mean(shares):.3f}' for shares, _ in ways)} |")
    print(f"| virtual seconds | | {' | '.join(f'{mean(seconds):.0f}' for _, seconds in ways)} |")


if __name__ == "__main__":
    main()
