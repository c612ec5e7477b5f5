"""A crawl in virtual time: the same `Session`, driven over recorded answers without waiting.

An answer takes as long as `latency` says; all other time comes from the session's politeness. A batch is saved when it
has `SAVE_PAGES` pages, not by the clock, so that the same web and settings give the same crawl.
"""

import heapq
import math
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from crawler.engine.actions import Done, Fetch, ReadGraph, ReadQueue
from crawler.engine.crawl_records import Progress
from crawler.engine.garbage_collection import rare_collections
from crawler.engine.session import Session
from crawler.ports import Outcome, Record

# of the seconds that answers take, so that one in ten takes 2.8 times the median; chosen, not measured
MEDIAN, SIGMA = 0.3, 0.8
SAVE_PAGES = 50  # as in `crawler.engine.driver`
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)  # when virtual time begins


def latencies(median: float, seed: int) -> Callable[[], float]:
    """The seconds that each answer takes, one after the other: log-normal, the same for the same seed."""
    chance = random.Random(seed)
    return lambda: median * chance.lognormvariate(0.0, SIGMA)


def simulate(
    session: Session,
    answer: Callable[[str], Outcome],
    store: Record,
    observe: Callable[[Progress], None],
    latency: Callable[[], float] = lambda: 0.05,
) -> Progress:
    """Run the session to its end. `observe`: called after every saved batch. Times in the progress are virtual
    seconds. `latency`: the seconds that the next answer takes.
    """
    with rare_collections():
        return _run(session, answer, store, observe, latency)


def _run(
    session: Session,
    answer: Callable[[str], Outcome],
    store: Record,
    observe: Callable[[Progress], None],
    latency: Callable[[], float],
) -> Progress:
    now = 0.0
    under_way: list[tuple[float, int, Fetch, float]] = []  # a heap: when the answer comes, number, what, its seconds
    number = 0
    while True:
        action = session.next_action(now)
        if isinstance(action, Fetch):
            number += 1
            seconds = latency()
            heapq.heappush(under_way, (now + seconds, number, action, seconds))
            continue
        if isinstance(action, ReadGraph):
            store.save(session.take_batch())
            session.receive_graph(store.link_graph(action.any_way))
            continue
        if isinstance(action, ReadQueue):
            store.save(session.take_batch())
            session.receive_queue(session.nearest())
            continue
        if isinstance(action, Done):
            is_cut_off = session.is_cut_off
            store.save(session.take_batch())
            while session.settle():
                store.save(session.take_batch())
            if is_cut_off and session.goes_on():
                continue
            store.decide_own_texts()
            return session.progress(now)
        if under_way and under_way[0][0] <= action.until:
            now, _, fetch, seconds = heapq.heappop(under_way)
            session.receive([(fetch, replace(answer(fetch.url), seconds=seconds))], now, _stamp(now))
        else:
            assert action.until < math.inf, "the session waits for nothing"
            now = action.until
        if session.unsaved[0] >= SAVE_PAGES:
            store.save(session.take_batch())
            observe(session.progress(now))


def seconds_since_begin(stamp: str) -> float:
    """The virtual time of a stamp in the record."""
    return (datetime.fromisoformat(stamp) - EPOCH).total_seconds()


def _stamp(now: float) -> str:
    return (EPOCH + timedelta(seconds=now)).isoformat(timespec="milliseconds")
