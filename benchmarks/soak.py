"""A long crawl, for what grows that should not: `make bench-soak` (`python -m benchmarks.soak`), which takes hours.

A web that is made as it is asked for (`benchmarks.made_web`), 10 links a page, in parts of 5,000 pages, one found from
the other: so 700 to 20,000 links wait, at the end as in the beginning. It is crawled by the command's own wiring
(readers, learner, record), without network. Printed at every fortieth of the way: memory of the crawler and of its
readers, pages a second, links that wait; at the end the last quarter beside the second.
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
from benchmarks.processes import children, memory_mb
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
        self.marks: list[dict[str, float]] = []

    def __call__(self, progress: Progress) -> None:
        if progress.pages >= self._every * (len(self.marks) + 1):
            mark = {"pages": progress.pages, "seconds": time.monotonic() - self._began, "waiting": progress.queued}
            self.marks.append(mark | memory())
            print(", ".join(f"{name} {figure:,.0f}" for name, figure in self.marks[-1].items()), flush=True)

    def quarters(self) -> str:
        """The last quarter beside the second."""
        n = len(self.marks)
        parts = self.marks[n // 4 : n // 2], self.marks[3 * n // 4 :]
        pairs = {name: [fmean(mark[name] for mark in part) for part in parts] for name in memory()}
        pairs["pages/s"] = [
            (part[-1]["pages"] - part[0]["pages"]) / (part[-1]["seconds"] - part[0]["seconds"]) for part in parts
        ]
        return "\n".join(
            f"{name}: {one:.1f} in the second quarter, {other:.1f} in the last ({other / max(one, 1e-9) - 1:+.1%})"
            for name, (one, other) in pairs.items()
        )


def memory() -> dict[str, float]:
    """MB of this process, and of its children, which read pages."""
    return {"crawler, MB": memory_mb(os.getpid()), "readers, MB": sum(map(memory_mb, children(os.getpid())))}


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
