"""Fetches that were not of the best link at hand, under politeness: `python -m benchmarks.inversions`.

    [--pages 5000] [--hosts 1000] [--delay 1] [--connections 64] [--strategy fixed]

The crawl's session runs in virtual time over a made web. The count is this file's own, from nothing but what the
session says to the outside: links as they go to the store, fetches, answers. A link is at hand where its host's
robots.txt is answered, nothing of the host is open, and the delay since its last answer is over. Fetches of robots.txt
do not count. The session's own count stands beside it.
"""

import argparse
import heapq
import math
from collections import Counter

from benchmarks.made_web import NO_GRAPH, MadeWeb
from cli.inputs.crawl_topic import read_about
from crawler.engine.actions import Done, Fetch, Limits, ReadGraph
from crawler.engine.session import Session
from examples.sites import ONTOLOGY
from semantic.records import Batch, Counters, QueuedRecord, Resumed
from semantic.strategies.strategy_table import build_understanding
from semantic.urls import host_of

LATENCY = 0.05
STAMP = "2026-01-01T00:00:00"


class Watch:
    """What waits and which hosts rest, as one sees it from outside."""

    def __init__(self, delay: float) -> None:
        self.pages = self.worse = 0
        self._delay = delay
        self._places: dict[str, tuple[float, int]] = {}  # waiting address -> minus priority, rank of finding
        self._of_host: dict[str, list[tuple[float, int, str]]] = {}
        self._open: Counter[str] = Counter()
        self._free: dict[str, float] = {}  # host -> when it may be asked; none before its robots.txt

    def saved(self, batch: Batch) -> None:
        """What the session hands to the store."""
        for page in batch.pages:
            for queued in page.queued:
                self.wait(queued.url, queued.priority, queued.found)
        for revised in batch.revised:
            self.wait(revised.url, revised.priority, self._places[revised.url][1])

    def wait(self, url: str, priority: float, found: int) -> None:
        """A link waits, or has another place."""
        self._places[url] = -priority, found
        heapq.heappush(self._of_host.setdefault(host_of(url), []), (-priority, found, url))

    def fetch(self, url: str, now: float) -> None:
        """A page is asked for; was there a better one?"""
        self.pages += 1
        place = self._places.pop(url)
        self.worse += any(
            top < place for host in self._of_host if self._at_hand(host, now) and (top := self._top(host)) is not None
        )
        self._open[host_of(url)] += 1

    def answered(self, url: str, now: float, *, robots: bool) -> None:
        """An answer came."""
        host = host_of(url)
        self._open[host] -= not robots
        self._free[host] = now + self._delay

    def _at_hand(self, host: str, now: float) -> bool:
        return not self._open[host] and self._free.get(host, math.inf) <= now

    def _top(self, host: str) -> tuple[float, int] | None:
        heap = self._of_host[host]
        while heap and self._places.get(heap[0][2]) != heap[0][:2]:
            heapq.heappop(heap)
        return heap[0][:2] if heap else None


def run(strategy: str, pages: int, hosts: int, delay: float, connections: int) -> tuple[Watch, Session]:
    """One crawl, watched."""
    web = MadeWeb(hosts, 50_000)
    seeds = [QueuedRecord(web.address(n), 10.0, 0, found=n + 1) for n in range(20)]
    about = read_about(ONTOLOGY)
    understanding = build_understanding(strategy, about.topic, about.lexicon, seeds=[seed.url for seed in seeds])
    limits = Limits(max_pages=pages, delay=delay, connections=connections)
    session = Session(understanding, limits, Resumed(previous=None, counters=Counters(), memory=b""), seeds, ())
    watch, now = Watch(delay), 0.0
    for seed in seeds:
        watch.wait(seed.url, seed.priority, seed.found)
    under_way: list[tuple[float, str, bool, Fetch]] = []
    while not isinstance(action := session.next_action(now), Done):
        if isinstance(action, ReadGraph):
            session.receive_graph(NO_GRAPH)
        elif isinstance(action, Fetch):
            if not action.robots:
                watch.fetch(action.url, now)
            heapq.heappush(under_way, (now + LATENCY, action.url, action.robots, action))
        elif under_way and under_way[0][0] <= action.until:
            now, url, robots, fetch = heapq.heappop(under_way)
            session.receive([(fetch, web.answer(url))], now, STAMP)
            watch.answered(url, now, robots=robots)
            watch.saved(session.take_batch())
        else:
            now = action.until
    return watch, session


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--hosts", type=int, default=1000)
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--strategy", default="fixed")
    given = parser.parse_args()
    watch, session = run(given.strategy, given.pages, given.hosts, given.delay, given.connections)
    progress = session.progress(0.0)
    print(
        f"{given.strategy}: {watch.pages:,} pages of {given.hosts:,} hosts, {progress.queued:,} links wait; "
        f"{watch.worse} fetches ({watch.worse / watch.pages:.2%}) were not of the best link at hand; "
        f"the crawl's own count is {progress.inversions}"
    )


if __name__ == "__main__":
    main()
