"""A long crawl, for what grows that should not: `make bench-soak` (`python -m benchmarks.soak`), which takes hours.

    [--pages 200000] [--strategy fused] [--store bench-out/soak-store] [--connections 64]

A web that is made as it is asked for (`benchmarks.made_web`), 10 links a page, in parts of 5,000 pages, one found from
the other: so 700 to 20,000 links wait, at the end as in the beginning (with parts of 20,000 it was up to 53,000 and
grew, so that a queue could not be told from a leak). It is crawled by the command's own wiring (readers, learner,
embedded store), without network. Told at every fortieth of the way: memory of the crawler, of its readers and of the
store's server, pages a second, what waits; at the end what the last quarter has over the second.
"""

import argparse
import os
import shutil
import time
from pathlib import Path
from statistics import mean

from benchmarks.code_hash import ROOT
from benchmarks.made_web import MadeWeb, crawl_made
from benchmarks.processes import children, is_store, resident_mb
from cli.settings import Settings
from crawler.engine.crawl_records import Progress
from examples.sites import ONTOLOGY

HOSTS = 500
PART = 5_000  # pages
MARKS = 40  # measurements


class Gauge:
    """Looks at the processes as the crawl goes."""

    def __init__(self, pages: int) -> None:
        self._every = max(1, pages // MARKS)
        self._began = time.monotonic()
        self.marks: list[tuple[int, float, dict[str, float]]] = []  # pages, seconds, MB

    def __call__(self, progress: Progress) -> None:
        if progress.pages < self._every * (len(self.marks) + 1):
            return
        self.marks.append((progress.pages, time.monotonic() - self._began, memory()))
        pages, seconds, held = self.marks[-1]
        before = self.marks[-2][:2] if len(self.marks) > 1 else (0, 0.0)
        speed = (pages - before[0]) / (seconds - before[1])
        told = ", ".join(f"{name} {size:.0f} MB" for name, size in held.items())
        print(
            f"{pages:>9,} pages {seconds:>7.0f} s {speed:>6.1f} pages/s {progress.queued:>7,} wait; {told}", flush=True
        )

    def told(self) -> str:
        """The last quarter beside the second."""
        n = len(self.marks)
        second, last = self.marks[n // 4 : n // 2], self.marks[3 * n // 4 :]
        lines = []
        for name in second[0][2]:
            one, other = (mean(held[name] for _, _, held in part) for part in (second, last))
            lines.append(
                f"{name}: {one:.0f} MB in the second quarter, {other:.0f} in the last ({other / one - 1:+.1%})"
            )
        one, other = ((part[-1][0] - part[0][0]) / (part[-1][1] - part[0][1]) for part in (second, last))
        return "\n".join(
            [*lines, f"pages/s: {one:.1f} in the second quarter, {other:.1f} in the last ({other / one - 1:+.1%})"]
        )


def memory() -> dict[str, float]:
    """MB of this process, and of its children by what they do."""
    found = {"crawler": resident_mb(os.getpid()), "readers": 0.0, "store": 0.0}
    for child in children(os.getpid()):
        found["store" if is_store(child) else "readers"] += resident_mb(child)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--strategy", default="fused")
    parser.add_argument("--store", type=Path, default=ROOT / "bench-out" / "soak-store")
    parser.add_argument("--connections", type=int, default=64)
    given = parser.parse_args()
    shutil.rmtree(given.store, ignore_errors=True)
    web, many = MadeWeb(HOSTS, PART), given.connections
    settings = Settings(
        ontology=str(ONTOLOGY),
        seeds=(web.seed,),
        max_pages=given.pages,
        store=str(given.store),
        strategy=given.strategy,
        delay=0.0,
        connections=many,
        per_host=many,
    )
    gauge = Gauge(given.pages)
    print(crawl_made(web, settings, gauge).stopped)
    print(gauge.told())


if __name__ == "__main__":
    main()
