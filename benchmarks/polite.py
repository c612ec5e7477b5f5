"""Polite crawls live, beside Scrapy with the same politeness: `python -m benchmarks.polite [--delay 0.2]`.

Each task is crawled through the replay proxy with a delay and sixteen connections, one request to a host at a time: by
`ontocrawl crawl` as it is, with `--patience 0` (whatever is ready), and by the Scrapy spider of `../shared/measure`
with DOWNLOAD_DELAY. Judged from outside, by the addresses fetched: share of the oracle's area, results found, seconds
until the last page, and results found when the fastest of the three had ended. `--budget`: 100 or more.
"""

from pathlib import Path

from benchmarks.lab_runs import folder_of, tasks
from benchmarks.options import options
from benchmarks.orders_tables import table
from benchmarks.replayed import fetched_by, judge, name_of, replay, spider, words_of

CONNECTIONS = 16
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


def requests(log: Path) -> list[tuple[float, str]]:
    """The lines of a log, with their seconds after the first."""
    lines = [line for line in log.read_text(encoding="utf-8").splitlines() if line]
    times = [float(line.split("\t")[1]) for line in lines]
    return [(time - times[0], line) for time, line in zip(times, lines, strict=True)]


def run_task(name: str, delay: float, budget: int) -> list[list[object]]:
    """A row a crawler."""
    task, rows = folder_of(name), []
    limits = f"--max-pages {budget} --delay {delay} --connections {CONNECTIONS} --store memory:"
    with replay(task.parents[1]) as proxy:
        commands = {
            "ontocrawl": words_of(task, proxy, limits),
            "ontocrawl --patience 0": words_of(task, proxy, f"{limits} --patience 0"),
            "Scrapy spider": spider(task, budget, CONNECTIONS, ["-c", POLITE_SPIDER, str(delay)]),
        }
        logs = {
            who: fetched_by(command, proxy, f"{name_of(task)}-{number}")
            for number, (who, command) in enumerate(commands.items())
        }
    took = {who: requests(log)[-1][0] for who, log in logs.items()}
    for who, log in logs.items():
        early = log.with_suffix(".cut.tsv")
        early.write_text("".join(f"{line}\n" for time, line in requests(log) if time <= min(took.values())))
        whole, begun = (judge(task, one, budget) for one in (log, early))
        results, then = (max(one["found"].values()) for one in (whole, begun))
        rows.append([name, who, float(whole["of_oracle"]), results, f"{took[who]:.0f}", then])
        print(*rows[-1], flush=True)
    return rows


def main() -> None:
    given = options(__doc__, tasks="blogs-a/film_tv,zhblogs/containers_kubernetes", delay=0.2, budget=1000)
    rows = [row for name in tasks(given.tasks) for row in run_task(name, given.delay, given.budget)]
    print(table(["task", "crawler", "share of the oracle", "found", "seconds", "found by then"], rows))


if __name__ == "__main__":
    main()
