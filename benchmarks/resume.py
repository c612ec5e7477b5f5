"""How soon a crawl with a long queue goes on: `python -m benchmarks.resume [--waiting N] [--runs 3] [--keep DIR]`.

The queue of `benchmarks.queue_memory` is filled by the crawl's own session and saved to an embedded store, with what
`fused` has learned. Then the command goes on with it, through a proxy here that answers 404 to everything: the time
from its start to its first request, and the memory of its process when all of the queue has been read.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.code_hash import ROOT
from benchmarks.processes import peak_mb, resident_mb
from benchmarks.queue_memory import FILLING, SEED, Crawl
from cli.crawling.crawl import make_plan
from cli.settings import Settings
from crawler.engine.garbage_collection import rare_collections
from examples.sites import ONTOLOGY
from graphdb.stores import open_store

WATCHED = 120.0  # seconds from the first request to the second look at the memory


class Proxy(ThreadingHTTPServer):
    """Answers 404; `asked` is set by the first request."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Gone)
        self.asked = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_: object) -> None:
        """The crawl has ended, and its connections with it."""


class Gone(BaseHTTPRequestHandler):
    """An address that is not there."""

    protocol_version = "HTTP/1.1"
    server: Proxy

    def do_GET(self) -> None:
        self.server.asked.set()
        time.sleep(0.05)
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def fill(folder: Path, waiting: int) -> int:
    """Make a store in which so many links wait; how many do."""
    plan = make_plan(Settings(str(ONTOLOGY), (SEED,), 10**9))
    store = open_store(str(folder))
    try:
        store.open_crawl(plan.record, plan.concepts, plan.seeds)
        crawl = Crawl("fused", store.save)
        crawl.web.links = FILLING
        while crawl.waiting < waiting:
            crawl.pages(1)
        crawl.end()
        store.wait_until_filled()  # a crawl ends when its graph is whole
        return crawl.waiting
    finally:
        store.close()


def go_on(folder: Path, watched: float) -> tuple[float, float, float]:
    """Seconds to the first request; MB of the process `watched` seconds later, and at most."""
    proxy = Proxy()
    words = f"crawl --ontology {ONTOLOGY} --seeds {SEED} --store {folder} --max-pages 1000000000 --delay 0"
    words += f" --proxy http://127.0.0.1:{proxy.server_port}"
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", "from cli.main import main; main()", *words.split()],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        if not proxy.asked.wait(600):
            raise SystemExit("nothing was asked for within ten minutes")
        seconds = time.monotonic() - began
        time.sleep(watched)
        return seconds, resident_mb(process.pid), peak_mb(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        proxy.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how soon a crawl with a long queue goes on.")
    parser.add_argument("--waiting", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="a folder for the store; one that is there is gone on with")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, rare_collections():
        store = given.keep or Path(folder) / "store"
        if not store.exists():
            began = time.monotonic()
            print(f"{fill(store, given.waiting):,} links wait; made in {time.monotonic() - began:.0f} s", flush=True)
        for run in range(given.runs):
            seconds, now, most = go_on(store, WATCHED if run == given.runs - 1 else 0.0)
            print(f"first request after {seconds:.1f} s; {now:.0f} MB now, {most:.0f} MB at most", flush=True)


if __name__ == "__main__":
    main()
