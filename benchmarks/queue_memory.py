"""What waiting links cost: `python -m benchmarks.queue_memory [--strategy fused] [--waiting 10000,100000,1000000]`.

A web that is made as it is asked for, on 50,000 hosts, is crawled by the crawl's own session; no network, and a store
that keeps nothing. Pages of 1,000 new links fill the queue; at each mark 500 pages of 20 links (half of them new) are
measured. Prints for each mark the memory of the process now and at most so far, CPU a page (reading, judging, learning,
the queue), and what one copy of the strategy's memory takes, which is made every 1,000 pages, or more seldom where more
links wait (`crawler.engine.session.WAITING_A_PAGE`).
"""

import argparse
import os
import random
import resource
import time
from collections.abc import Callable
from typing import Any

from benchmarks.made_web import NO_GRAPH
from benchmarks.processes import resident_mb
from cli.inputs.crawl_topic import read_about
from crawler.engine.actions import Fetch, Limits, ReadGraph
from crawler.engine.driver import BACKLOG_LINKS, SAVE_PAGES
from crawler.engine.garbage_collection import rare_collections
from crawler.engine.glibc_memory import keep_in_one_place
from crawler.engine.session import Session
from crawler.ports import Fetched
from examples.sites import ONTOLOGY
from semantic.records import Batch, Counters, QueuedRecord, Resumed
from semantic.strategies.strategy_table import build_understanding

HOSTS = 50_000
FILLING, USUAL, MEASURED = 1000, 20, 500
WORDS = ["tea", "leaf", "garden", "water", "cup", "news", "people", "city", "about", "contact", "market", "price"]
SEED = "http://start.example/"
STAMP = "2026-01-01T00:00:00"


class Web:
    """Makes pages up; half of the links of a usual page lead where others have led before."""

    seed = SEED

    def __init__(self) -> None:
        self.links = FILLING
        self._chance = random.Random(1)
        self._made = 0

    def answer(self, url: str) -> Fetched:
        if url.endswith("/robots.txt"):
            return Fetched(url, 404, {}, b"")
        text = " ".join(self._chance.choices(WORDS, k=150))
        links = "\n".join(self._link() for _ in range(self.links))
        body = f"<title>{text[:40]}</title><h1>{text[40:60]} {self._made}</h1><p>{text}</p><ul>{links}</ul>"
        return Fetched(url, 200, {"content-type": "text/html; charset=utf-8"}, body.encode())

    def _link(self) -> str:
        known = self.links == USUAL and self._chance.random() < 0.5
        number = self._chance.randrange(self._made) if known else self._made
        self._made += not known
        anchor, before = (" ".join(self._chance.choices(WORDS, k=size)) for size in (3, 8))
        return f'<li>{before} <a href="{address(number)}">{anchor}</a></li>'


def address(number: int) -> str:
    """About 60 characters, a few folders a host."""
    return f"http://host-{number * 7919 % HOSTS}.example/section-{number % 3}/{WORDS[number % 12]}-{number}.html"


class Crawl:
    """The session, fed; `keep` takes its batches."""

    def __init__(self, strategy: str, keep: Callable[[Batch], None] = lambda _: None, web: Any = None) -> None:
        """`web`: what answers, as `Web`."""
        self._keep = keep
        about = read_about(ONTOLOGY)
        self.web = web or Web()
        self.understanding = build_understanding(strategy, about.topic, about.lexicon, seeds=[self.web.seed])
        seeds = [QueuedRecord(self.web.seed, 10.0, 0, found=1)]
        resumed = Resumed(previous=None, counters=Counters(), memory=b"")
        self.session = Session(
            self.understanding, Limits(max_pages=10**9, delay=0.0, connections=1), resumed, seeds, ()
        )
        self._now = 0.0

    @property
    def waiting(self) -> int:
        return self.session.progress(self._now).queued

    def pages(self, count: int) -> float:
        """Crawl so many pages; CPU seconds of it, without the making of pages."""
        began, making = time.process_time(), 0.0
        for _ in range(count):
            done = self.session.unsaved[0]
            while self.session.unsaved[0] == done:
                action = self.session.next_action(self._now)
                if isinstance(action, ReadGraph):
                    self.session.receive_graph(NO_GRAPH)
                    continue
                assert isinstance(action, Fetch)
                start = time.process_time()
                answer = self.web.answer(action.url)
                making += time.process_time() - start
                self._now += 0.001
                self.session.receive([(action, answer)], self._now, STAMP)
            pages, links = self.session.unsaved
            if pages >= SAVE_PAGES or links > BACKLOG_LINKS:
                self._keep(self.session.take_batch())
        return time.process_time() - began - making

    def end(self) -> None:
        """Hand over the rest, with what was learned."""
        self.session.stop("interrupted")
        self._keep(self.session.take_batch())


def most() -> float:
    """The most memory that this process has had, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what waiting links cost.")
    parser.add_argument("--strategy", default="fused")
    parser.add_argument("--waiting", default="10000,100000,1000000")
    given = parser.parse_args()
    keep_in_one_place()
    with rare_collections():
        crawl = Crawl(given.strategy)
        print(f"{'waiting':>9} {'MB now':>7} {'MB most':>7} {'ms a page':>9}   copy of what is learned")
        for mark in map(int, given.waiting.split(",")):
            measure(crawl, mark)


def measure(crawl: Crawl, mark: int) -> None:
    crawl.web.links = FILLING
    while crawl.waiting < mark:
        crawl.pages(1)
    crawl.web.links = USUAL
    each = 1000 * crawl.pages(MEASURED) / MEASURED
    line = f"{crawl.waiting:>9,} {resident_mb(os.getpid()):>7.0f} {most():>7.0f} {each:>9.1f}"
    start = time.process_time()
    size = len(crawl.understanding.remember())
    print(f"{line}   {time.process_time() - start:.1f} s, {size / 1e6:.1f} MB, at most {most():.0f} MB", flush=True)


if __name__ == "__main__":
    main()
