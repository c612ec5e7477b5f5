"""Polite crawls live, beside Scrapy with the same politeness: `python -m benchmarks.polite`.

    [--tasks blogs-a/,zhblogs/] [--delay 0.2] [--budget 1000]

Each task is crawled through the replay proxy with a delay and sixteen connections, one request to a host at a time: by
`ontocrawl crawl` as it is, with `--patience 0` (whatever is ready), and by the Scrapy spider of `../shared/measure`
with DOWNLOAD_DELAY. Judged from outside, by the addresses fetched: share of the oracle's area, results found, seconds
until the last page, and results found when the fastest of the three had ended. Webs are crawled side by side.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

from benchmarks.lab_jobs import tasks
from benchmarks.lab_runs import folder_of
from benchmarks.orders import OUT
from benchmarks.orders_tables import table
from benchmarks.replayed import Proxy, crawl, judge, logged, replay
from benchmarks.speed import install_peer, run_peer

CONNECTIONS = 16
SPIDER, WAITING, HASTY = "Scrapy spider", "ontocrawl", "ontocrawl --patience 0"
# Runs the spider with settings that it has no options for.
POLITE_SPIDER = """
import runpy, sys, scrapy.crawler
whole = scrapy.crawler.CrawlerProcess
delay = float(sys.argv.pop(1))
polite = {"DOWNLOAD_DELAY": delay, "RANDOMIZE_DOWNLOAD_DELAY": False, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
scrapy.crawler.CrawlerProcess = lambda settings: whole({**settings, **polite})
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def spider(task: Path, proxy: Proxy, delay: float, budget: int) -> Path:
    """The proxy's log of one run of the spider."""
    log = OUT / f"{task.parent.parent.name}-{task.name}-spider.tsv"
    with logged(proxy, log):
        run_peer(task, proxy, budget, CONNECTIONS, ["-c", POLITE_SPIDER, str(delay)])
    return log


def seconds_of(log: Path) -> tuple[float, float]:
    """When the first and the last request of a log came."""
    times = [float(line.split("\t")[1]) for line in log.read_text(encoding="utf-8").splitlines() if line]
    return times[0], times[-1]


def until(log: Path, seconds: float) -> Path:
    """The log's beginning."""
    began, _ = seconds_of(log)
    lines = log.read_text(encoding="utf-8").splitlines()
    cut = log.with_suffix(".cut.tsv")
    cut.write_text("\n".join(line for line in lines if line and float(line.split("\t")[1]) - began <= seconds) + "\n")
    return cut


def run_web(chosen: Sequence[str], delay: float, budget: int) -> list[list[object]]:
    """Rows of the tasks of one web."""
    rows: list[list[object]] = []
    with replay(folder_of(chosen[0]).parents[1], OUT) as proxy:
        for name in chosen:
            task = folder_of(name)
            options = ["--max-pages", str(budget), "--delay", str(delay), "--connections", str(CONNECTIONS)]
            options += ["--store", "memory:"]
            logs = {
                WAITING: crawl(task, proxy, OUT, options)[1],
                HASTY: crawl(task, proxy, OUT, [*options, "--patience", "0"])[1],
                SPIDER: spider(task, proxy, delay, budget),
            }
            took = {who: seconds_of(log)[1] - seconds_of(log)[0] for who, log in logs.items()}
            first = min(took.values())
            for who, log in logs.items():
                found = judge(task, [log], budget, OUT)[log.stem]
                early = until(log, first)
                then = max(judge(task, [early], budget, OUT)[early.stem]["found"].values())
                results = max(found["found"].values())
                rows.append([name, who, float(found["of_oracle"]), results, f"{took[who]:.0f}", then])
                print(*rows[-1], flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default="blogs-a/,zhblogs/")
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--budget", type=int, default=1000)
    given = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    install_peer()
    webs = [list(those) for _, those in groupby(tasks(given.tasks.split(",")), lambda task: task.partition("/")[0])]
    with ThreadPoolExecutor(2) as pool:
        rows = [row for web in pool.map(lambda those: run_web(those, given.delay, given.budget), webs) for row in web]
    print(table(["task", "crawler", "share of the oracle", "found", "seconds", "found by then"], rows))


if __name__ == "__main__":
    main()
