"""Pages a second beside Scrapy: the same 5,000 pages of archwiki through the same replay proxy, runs in turn.

    python -m benchmarks.speed [--pages 5000] [--connections 64] [--runs 3] [--strategies fused,fixed]

The peer is `scrapy_bestfirst.py` of ../shared/measure (best-first by anchor and page, no store), installed for this
benchmark alone into `bench-out`. Ours judges and scores links, once with nothing stored (`memory:`) and once with the
embedded store: its graph is filled beside the crawl and after it, so that there are two speeds, of the crawl and until
the graph is whole. CPU is of the crawler and all its children, and of the store; so is the peak of memory, each process
by its own. Medians.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.orders import OUT
from benchmarks.processes import children, cpu_seconds, is_store, peak_mb
from benchmarks.replayed import MEASURE, ONTOCRAWL, WEBS, Proxy, plain_seeds, replay, topic_of
from graphdb.embedded.journal import read_state

SCRAPY = OUT / "scrapy"
PEER = "Scrapy spider, no store"
MEMORY, EMBEDDED = "memory:", "embedded"
FIRST_SAVE_SECONDS = 1.0  # after which the first batch is about in the graph (`crawler.engine.driver.SAVE_SECONDS`)
BESIDE = {"pages_per_s": "pages_per_s", "whole_per_s": "pages_per_s", "cpu": "cpu"}  # figure: of the peer
TASK = WEBS / "archwiki" / "tasks" / "networking"


def install_peer() -> Path:
    """The peer's own environment; made once."""
    python = SCRAPY / "bin" / "python"
    if not (SCRAPY / "done").exists():
        subprocess.run([sys.executable, "-m", "venv", str(SCRAPY)], check=True)
        packages = ["scrapy", "selectolax", "daachorse", "rdflib"]
        subprocess.run([str(python), "-m", "pip", "install", "-q", *packages], check=True)
        (SCRAPY / "done").touch()
    return python


def run_peer(task: Path, proxy: Proxy, pages: int, connections: int, first: Sequence[str] = ()) -> str:
    """What the Scrapy spider prints. `first`: what Python is given before the spider's file."""
    command = [str(install_peer()), *first, str(MEASURE / "scrapy_bestfirst.py")]
    command += [str(topic_of(task)), str(plain_seeds(task, OUT))]
    command += ["--pages", str(pages), "--connections", str(connections)]
    env = {**os.environ, "http_proxy": proxy.url}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=True).stdout


def peer(proxy: Proxy, pages: int, connections: int) -> dict[str, float]:
    """One run of the Scrapy spider: pages_per_s, cpu, peak_mb."""
    printed = run_peer(TASK, proxy, pages, connections)
    figures = dict(re.findall(r"(pages/s|cpu|peak MB) ([\d.]+)", printed))
    return {
        "pages_per_s": float(figures["pages/s"]),
        "cpu": float(figures["cpu"]),
        "peak_mb": float(figures["peak MB"]),
    }


def ours(proxy: Proxy, pages: int, connections: int, store: str, strategy: str) -> dict[str, float]:
    """One run of `ontocrawl crawl`: pages_per_s, and whole_per_s until the graph is whole; cpu and peak_mb of the
    crawler with its readers; store_cpu and store_mb.
    """
    where = store
    if store == EMBEDDED:
        where = str(OUT / "speed-store")
        shutil.rmtree(where, ignore_errors=True)
    command = [str(ONTOCRAWL), "crawl", "--ontology", str(topic_of(TASK)), "--seeds", str(plain_seeds(TASK, OUT))]
    command += ["--proxy", proxy.url, "--delay", "0", "--max-pages", str(pages), "--store", where, "--json"]
    command += ["--strategy", strategy]
    command += ["--connections", str(connections), "--per-host", str(connections)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    seen: dict[int, tuple[bool, float, float]] = {}
    filled: list[float] = []  # when the graph was seen to have more
    record = 0
    while run.poll() is None:
        if store == EMBEDDED and (state := read_state(Path(where))).filled != record:
            record = state.filled
            filled.append(time.monotonic())
        for pid in (run.pid, *children(run.pid)):
            with contextlib.suppress(OSError, IndexError):  # a process that has ended shows less than before
                before, now = seen.get(pid, (False, 0.0, 0.0)), (is_store(pid), cpu_seconds(pid), peak_mb(pid))
                seen[pid] = before[0] or now[0], max(before[1], now[1]), max(before[2], now[2])
        time.sleep(0.1)
    figures = json.loads(run.communicate()[0])
    crawler = [(cpu, peak) for of_store, cpu, peak in seen.values() if not of_store]
    seconds = max(figures["seconds"], filled[-1] - filled[0] + FIRST_SAVE_SECONDS if filled else 0)
    return {
        "pages_per_s": figures["pages_per_s"],
        "whole_per_s": figures["pages"] / seconds,
        "cpu": sum(cpu for cpu, _ in crawler),
        "peak_mb": sum(peak for _, peak in crawler),
        "store_cpu": sum(cpu for of_store, cpu, _ in seen.values() if of_store),
        "store_mb": sum(peak for of_store, _, peak in seen.values() if of_store),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--strategies", default="fused,fixed")
    given = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    rows: dict[str, list[dict[str, float]]] = {}
    with replay(TASK.parent.parent, OUT) as proxy:
        for _ in range(given.runs):
            runs = {PEER: peer(proxy, given.pages, given.connections)}
            for strategy in given.strategies.split(","):
                for store in (MEMORY, EMBEDDED):
                    runs[f"`{strategy}`, {store}"] = ours(proxy, given.pages, given.connections, store, strategy)
            print(runs, flush=True)
            for name, figures in runs.items():
                rows.setdefault(name, []).append(figures)
    middle = {name: {k: median(run[k] for run in runs) for k in runs[0]} for name, runs in rows.items()}
    print(table(middle))


def table(middle: dict[str, dict[str, float]]) -> str:
    """Markdown, each beside the peer."""
    lines = [
        "| | pages/s | of the peer | until the graph is whole | of the peer | CPU s | of the peer | peak MB "
        "| store, CPU s | peak MB |",
        "|---" * 10 + "|",
    ]
    for name, run in middle.items():
        held = {"whole_per_s": run["pages_per_s"], "store_cpu": 0.0, "store_mb": 0.0, **run}
        speed, whole, cpu = (held[key] / middle[PEER][of] for key, of in BESIDE.items())
        figures = (
            f"{held['pages_per_s']:.1f} | {speed:.2f} | {held['whole_per_s']:.1f} | {whole:.2f}",
            f"{held['cpu']:.1f} | {cpu:.2f} | {held['peak_mb']:.0f} | {held['store_cpu']:.1f} | {held['store_mb']:.0f}",
        )
        lines.append(f"| {name} | {' | '.join(figures)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
