"""A long crawl, for what grows that should not: `make bench-soak` (`python -m benchmarks.soak`), which takes hours.

A web that is made as it is asked for (`benchmarks.made_web`), 10 links a page, in parts of 5,000 pages, one found from
the other: so 700 to 20,000 links wait, at the end as in the beginning. It is crawled by the command's own wiring
(readers, learner, embedded store), without network. Printed at every fortieth of the way: memory of the crawler, of its
readers and of the store's server, pages a second, links that wait; at the end the last quarter beside the second.
"""

import os
import shutil
import time
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from benchmarks.made_web import MadeWeb
from benchmarks.measured import ROOT
from benchmarks.options import options
from benchmarks.processes import children, is_store, memory_mb
from cli.crawling.crawl import carry_out, make_plan, renewed
from cli.settings import Settings
from crawler.engine.crawl_records import Progress
from crawler.sandbox.sandboxed_reading import ReadingSource
from examples.sites import ONTOLOGY

HOSTS, PART = 500, 5_000
MARKS = 40  # measurements


class Gauge:
    """Looks at the processes as the crawl goes. `marks`: pages, seconds, MB by process."""

    def __init__(self, pages: int) -> None:
        self._every = max(1, pages // MARKS)
        self._began = time.monotonic()
        self.marks: list[tuple[int, float, dict[str, float]]] = [(0, 0.0, {})]

    def __call__(self, progress: Progress) -> None:
        if progress.pages < self._every * len(self.marks):
            return
        self.marks.append((progress.pages, time.monotonic() - self._began, memory()))
        pages, seconds, held = self.marks[-1]
        speed = (pages - self.marks[-2][0]) / (seconds - self.marks[-2][1])
        sizes = ", ".join(f"{name} {size:.0f} MB" for name, size in held.items())
        print(
            f"{pages:>9,} pages {seconds:>7.0f} s {speed:.1f} pages/s {progress.queued:>7,} wait; {sizes}", flush=True
        )

    def quarters(self) -> str:
        """The last quarter beside the second."""
        marks = self.marks[1:]
        n = len(marks)
        second, last = marks[n // 4 : n // 2], marks[3 * n // 4 :]
        pairs = {
            f"{name}, MB": [fmean(held[name] for _, _, held in part) for part in (second, last)] for name in last[0][2]
        }
        pairs["pages/s"] = [(part[-1][0] - part[0][0]) / (part[-1][1] - part[0][1]) for part in (second, last)]
        return "\n".join(
            f"{name}: {one:.1f} in the second quarter, {other:.1f} in the last ({other / max(one, 1e-9) - 1:+.1%})"
            for name, (one, other) in pairs.items()
        )


def memory() -> dict[str, float]:
    """MB of this process, and of its children by what they do."""
    found = {"crawler": memory_mb(os.getpid()), "readers": 0.0, "store": 0.0}
    for child in children(os.getpid()):
        found["store" if is_store(child) else "readers"] += memory_mb(child)
    return found


def main() -> None:
    out = ROOT / "bench-out" / "soak-store"
    given = options(__doc__, pages=200_000, strategy="fused", store=Path(out), connections=64)
    shutil.rmtree(given.store, ignore_errors=True)
    web, gauge = MadeWeb(HOSTS, PART), Gauge(given.pages)
    settings = Settings(
        ontology=str(ONTOLOGY),
        seeds=(web.seed,),
        max_pages=given.pages,
        store=str(given.store),
        strategy=given.strategy,
        delay=0.0,
        connections=given.connections,
        per_host=given.connections,
    )
    plan = make_plan(settings)
    plan = renewed(replace(plan, source=ReadingSource(web)), settings, plan.about)
    print(carry_out(plan, settings, gauge).stopped)
    print(gauge.quarters())


if __name__ == "__main__":
    main()
