"""Pages a second beside Scrapy: the same 2,000 pages of archwiki through the same replay proxy, runs in turn.

    python -m benchmarks.speed [--pages 2000] [--connections 64] [--runs 3] [--store embedded|memory:]
                              [--strategy fused]

The peer is `scrapy_bestfirst.py` of ../shared/measure (best-first by anchor and page, no store), installed for this
benchmark alone into `bench-out/scrapy`. Ours judges, scores links and writes the store. Peak memory: of the largest
process of a run and, for ours, of the embedded store's process beside it.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.orders import OUT
from benchmarks.replayed import MEASURE, ONTOCRAWL, WEBS, Proxy, plain_seeds, replay, topic_of

SCRAPY = OUT / "scrapy"
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


def peer(proxy: Proxy, pages: int, connections: int) -> dict[str, float]:
    """One run of the Scrapy spider: pages_per_s, cpu, peak_mb."""
    command = [
        str(install_peer()),
        str(MEASURE / "scrapy_bestfirst.py"),
        str(topic_of(TASK)),
        str(plain_seeds(TASK, OUT)),
    ]
    command += ["--pages", str(pages), "--connections", str(connections)]
    env = {**os.environ, "http_proxy": proxy.url}
    printed = subprocess.run(command, capture_output=True, text=True, env=env, check=True).stdout
    figures = dict(re.findall(r"(pages/s|cpu|peak MB) ([\d.]+)", printed))
    return {
        "pages_per_s": float(figures["pages/s"]),
        "cpu": float(figures["cpu"]),
        "peak_mb": float(figures["peak MB"]),
    }


def ours(proxy: Proxy, pages: int, connections: int, store: str, strategy: str) -> dict[str, float]:
    """One run of `ontocrawl crawl`: pages_per_s, cpu (crawler alone), peak_mb and store_mb."""
    where = store
    if store == "embedded":
        where = str(OUT / "speed-store")
        shutil.rmtree(where, ignore_errors=True)
    command = [str(ONTOCRAWL), "crawl", "--ontology", str(topic_of(TASK)), "--seeds", str(plain_seeds(TASK, OUT))]
    command += ["--proxy", proxy.url, "--delay", "0", "--max-pages", str(pages), "--store", where, "--json"]
    command += ["--strategy", strategy]
    command += ["--connections", str(connections), "--per-host", str(connections)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    store_mb, crawler = _watch(run)
    figures = json.loads(run.communicate()[0])
    return {"pages_per_s": figures["pages_per_s"], "cpu": crawler[0], "peak_mb": crawler[1], "store_mb": store_mb}


def _watch(run: subprocess.Popen[str]) -> tuple[float, tuple[float, float]]:
    """Peak memory of the children in MB; CPU seconds and peak memory in MB of the process itself. (Reads /proc.)"""
    store, cpu, peak = 0.0, 0.0, 0.0
    while run.poll() is None:
        try:
            fields = Path(f"/proc/{run.pid}/stat").read_text().rsplit(")", 1)[1].split()
            cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            peak = max(peak, _peak(run.pid))
            children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
            store = max([store, *(_peak(int(child)) for child in children)])
        except (OSError, IndexError):
            pass
        time.sleep(0.1)
    return store, (cpu, peak)


def _peak(pid: int) -> float:
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--store", default="embedded")
    parser.add_argument("--strategy", default="fused")
    given = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    rows: dict[str, list[dict[str, float]]] = {"scrapy": [], "ontocrawl": []}
    with replay(TASK.parent.parent, OUT) as proxy:
        for _ in range(given.runs):
            rows["scrapy"].append(peer(proxy, given.pages, given.connections))
            rows["ontocrawl"].append(ours(proxy, given.pages, given.connections, given.store, given.strategy))
            print({name: runs[-1] for name, runs in rows.items()}, flush=True)
    middle = {name: {k: median(run[k] for run in runs) for k in runs[0]} for name, runs in rows.items()}
    for name, figures in middle.items():
        print(name, {key: round(value, 1) for key, value in figures.items()})
    print("pages/s, ours : peer =", round(middle["ontocrawl"]["pages_per_s"] / middle["scrapy"]["pages_per_s"], 2))


if __name__ == "__main__":
    main()
