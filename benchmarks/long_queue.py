"""What waiting links cost, and how soon a crawl goes on with them: `python -m benchmarks.long_queue`.

    [--waiting 10000,100000,1000000] [--runs 3] [--keep FOLDER]

A made web on 50,000 hosts is crawled by the crawl's own session, without network, into a store. Pages of 1,000 new
links fill the queue; at each mark 500 pages of 20 links are measured: memory of the process now and at most, CPU a page
(reading, judging, learning, the queue), and one copy of the strategy's memory. Then the command goes on with the last
queue, through a proxy here that answers 404 to everything: the time from its start to its first request, and in the
last run the memory of its process two minutes later. A store that `--keep` names
and that is there is gone on with.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.made_web import NO_GRAPH, MadeWeb
from benchmarks.options import options
from benchmarks.processes import memory_mb
from benchmarks.replayed import ONTOCRAWL
from cli.crawling.crawl import make_plan
from cli.settings import Settings
from crawler.engine.actions import Fetch, Limits, ReadGraph, ReadQueue
from crawler.engine.driver import BACKLOG_LINKS, SAVE_PAGES
from crawler.engine.garbage_collection import rare_collections
from crawler.engine.glibc_memory import keep_in_one_place
from crawler.engine.session import Session
from examples.sites import ONTOLOGY
from graphdb.stores import open_store
from semantic.records import Counters, Resumed

FILLING, USUAL, MEASURED = 1000, 20, 500
STAMP = "2026-01-01T00:00:00"
WATCHED = 120.0  # seconds from the first request to the second look at the memory


class Crawl:
    """The session, fed by a made web, and saved."""

    def __init__(self, store: str) -> None:
        self.web = MadeWeb(50_000, 10**9, FILLING)
        plan = make_plan(Settings(str(ONTOLOGY), (self.web.seed,), 10**9))
        self._store, self.understanding = open_store(store), plan.understanding
        self._store.open_crawl(plan.record, plan.concepts, plan.seeds)
        resumed = Resumed(previous=None, counters=Counters(), memory=b"")
        limits = Limits(max_pages=10**9, delay=0.0, connections=1)
        self.session = Session(plan.understanding, limits, resumed, plan.seeds, (), store=self._store)
        self._now = 0.0

    def pages(self, count: int) -> float:
        """Crawl so many pages; CPU seconds of it, without the making of pages and the saving."""
        began, left_out = time.process_time(), 0.0
        for _ in range(count):
            done = self.session.unsaved[0]
            while self.session.unsaved[0] == done:
                action = self.session.next_action(self._now)
                if isinstance(action, ReadGraph):
                    self.session.receive_graph(NO_GRAPH)
                    continue
                if isinstance(action, ReadQueue):
                    left_out += self._save()
                    self.session.receive_queue(self.session.nearest())
                    left_out += self._save()
                    done = 0
                    continue
                assert isinstance(action, Fetch)
                start = time.process_time()
                answer = self.web.answer(action.url)
                left_out += time.process_time() - start
                self._now += 0.001
                self.session.receive([(action, answer)], self._now, STAMP)
            pages, links = self.session.unsaved
            if pages >= SAVE_PAGES or links > BACKLOG_LINKS:
                left_out += self._save()
        return time.process_time() - began - left_out

    def _save(self) -> float:
        """Save a batch; CPU seconds of the saving."""
        batch, start = self.session.take_batch(), time.process_time()
        self._store.save(batch)
        return time.process_time() - start

    def measure(self, mark: int) -> None:
        """Fill the queue, and print a line."""
        self.web.links = FILLING
        while self.session.progress(self._now).queued < mark:
            self.pages(1)
        self.web.links = USUAL
        each = 1000 * self.pages(MEASURED) / MEASURED
        start, size = time.process_time(), len(self.understanding.remember())
        copy = f"{time.process_time() - start:.1f} s, {size / 1e6:.1f} MB"
        now, most = (memory_mb(os.getpid(), peak=peak) for peak in (False, True))
        waiting = self.session.progress(self._now).queued
        print(f"{waiting:,} wait: {now:.0f} MB, at most {most:.0f}; {each:.1f} ms a page; a copy {copy}", flush=True)

    def end(self) -> None:
        """Save the rest, with what was learned, and wait until all is where questions read it."""
        self.session.stop("interrupted")
        self._store.save(self.session.take_batch())
        self._store.close()


class Gone(BaseHTTPRequestHandler):
    """An address that is not there; `asked` is set by the first request."""

    protocol_version = "HTTP/1.1"
    asked = threading.Event()

    def do_GET(self) -> None:
        self.asked.set()
        time.sleep(0.05)
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def go_on(store: Path, watched: float) -> None:
    """Print the seconds to the first request, and the MB of the process `watched` seconds later."""
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Gone)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    Gone.asked.clear()
    words = f"crawl --ontology {ONTOLOGY} --seeds {MadeWeb(50_000, 1).seed} --store {store} --max-pages 1000000000"
    words += f" --delay 0 --proxy http://127.0.0.1:{proxy.server_port}"
    began = time.monotonic()
    said = subprocess.DEVNULL
    process = subprocess.Popen([str(ONTOCRAWL), *words.split()], stdout=said, stderr=said)
    try:
        if not Gone.asked.wait(600):
            raise SystemExit("nothing was asked for within ten minutes")
        seconds = time.monotonic() - began
        time.sleep(watched)
        now, most = (memory_mb(process.pid, peak=peak) for peak in (False, True))
        print(f"first request after {seconds:.1f} s; {now:.0f} MB {watched:g} s later, at most {most:.0f}", flush=True)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        proxy.shutdown()


def main() -> None:
    given = options(__doc__, waiting="10000,100000,1000000", runs=3, keep=Path)
    with tempfile.TemporaryDirectory() as folder:
        store = given.keep or Path(folder) / "store"
        if not store.exists():
            keep_in_one_place()
            with rare_collections():
                crawl = Crawl(str(store))
                for mark in map(int, given.waiting.split(",")):
                    crawl.measure(mark)
                crawl.end()
        for run in range(given.runs):
            go_on(store, WATCHED if run == given.runs - 1 else 0.0)


if __name__ == "__main__":
    main()
