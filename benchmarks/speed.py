"""Pages a second, CPU and memory beside Scrapy: the same pages of archwiki through the same replay proxy, runs in turn.

    python -m benchmarks.speed [--pages 3000] [--connections 64] [--runs 3] [--strategies fused]

The peer is `scrapy_bestfirst.py` of ../shared/measure (best-first by anchor and page, no store). Ours judges and scores
links, once with nothing stored (`memory:`) and once with the default store. `pages/s`: as each crawler says of its
crawl; `until all is saved`: pages by the seconds from the command's start to its end. CPU and peak memory are of all
processes, each by its own. Medians.
"""

import json
import re
import shutil
from collections.abc import Sequence
from statistics import median

from benchmarks.options import options
from benchmarks.orders_tables import table
from benchmarks.processes import Used, watched
from benchmarks.replayed import OUT, WEBS, Proxy, replay, spider, words_of

PEER = "Scrapy spider, no store"
TASK = WEBS / "archwiki" / "tasks" / "networking"
STORES = {"memory:": "memory:", "folder": str(OUT / "speed-store")}
Figures = tuple[float, float, Used]  # pages/s, pages/s until all is saved, the rest


def peer(proxy: Proxy, pages: int, connections: int) -> Figures:
    """One run of the Scrapy spider."""
    used = watched(spider(TASK, pages, connections), env={"http_proxy": proxy.url})
    found = re.search(r"pages/s ([\d.]+)", used.printed)
    assert found, used.printed
    return float(found[1]), pages / used.seconds, used


def ours(proxy: Proxy, pages: int, connections: int, store: str, strategy: str) -> Figures:
    """One run of `ontocrawl crawl`."""
    shutil.rmtree(STORES["folder"], ignore_errors=True)
    words = f"--delay 0 --max-pages {pages} --strategy {strategy} --connections {connections} --per-host {connections}"
    used = watched(words_of(TASK, proxy, f"{words} --store {STORES[store]}"))
    figures = json.loads(used.printed)
    return figures["pages_per_s"], figures["pages"] / used.seconds, used


def row(name: str, runs: Sequence[Figures], peers: Sequence[Figures]) -> list[object]:
    """Medians, each beside the peer's."""

    def middle(runs: Sequence[Figures]) -> list[float]:
        each = [(*one[:2], one[2].cpu, one[2].peak_mb) for one in runs]
        return [median(column) for column in zip(*each, strict=True)]

    speed, saved, cpu, peak = middle(runs)
    pairs = zip((speed, saved, cpu), middle(peers)[:3], strict=True)
    beside = [f"{mine:.1f} ({mine / theirs:.2f})" for mine, theirs in pairs]
    return [name, *beside, f"{peak:.0f}"]


def main() -> None:
    given = options(__doc__, pages=3000, connections=64, runs=3, strategies="fused")
    found: dict[str, list[Figures]] = {}
    with replay(TASK.parents[1]) as proxy:
        for _ in range(given.runs):
            runs = {PEER: peer(proxy, given.pages, given.connections)}
            for strategy in given.strategies.split(","):
                for store in STORES:
                    runs[f"`{strategy}`, {store}"] = ours(proxy, given.pages, given.connections, store, strategy)
            for name, figures in runs.items():
                found.setdefault(name, []).append(figures)
                print(*row(name, [figures], [runs[PEER]]), flush=True)
    head = ["(of the peer)", "pages/s", "until all is saved", "CPU s", "peak MB"]
    print(table(head, [row(name, runs, found[PEER]) for name, runs in found.items()]))


if __name__ == "__main__":
    main()
