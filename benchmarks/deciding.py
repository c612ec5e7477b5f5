"""What it costs to decide which link is next: `python -m benchmarks.deciding [--hosts 200] [--links 1000000]`.

The crawl's own admission over waiting links with random priorities, a delay of a second and sixteen connections; each
answer takes 0.3 s of virtual time. Prints the milliseconds of processor time a request, with patience and without.
"""

import heapq
import math
import random
import time

from benchmarks.options import options
from crawler.engine.actions import Fetch, Limits
from crawler.engine.admission import Admission, Hosts
from crawler.frontier.priority_queue import Entry
from crawler.politeness.robots_and_pace import Gate, Politeness, Tries
from crawler.ports import Fetched
from crawler.recrawl.revisits import Revisits
from crawler.traps.trap_detection import Traps

REQUESTS, ANSWER, STAMP = 20_000, 0.3, "2026-01-01T00:00:00+00:00"


def measure(hosts: int, links: int, patience: float, *, by_rank: bool) -> tuple[float, float]:
    """Milliseconds a request, and virtual seconds of all."""
    chance = random.Random(1)
    limits = Limits(max_pages=links)
    about = Hosts(Politeness(limits.delay, limits.per_host), Gate(), Tries())
    admission = Admission(limits, about, Traps(), Revisits((), {}), lambda _: None)  # type: ignore[arg-type]
    for number in range(links):
        admission.push_new(Entry(chance.random(), number, 1, f"http://host-{number % hosts}.example/{number}", "", 0))
    open_now: list[tuple[float, int, Fetch]] = []
    now, done = 0.0, 0
    began = time.process_time()
    while done < min(REQUESTS, links):
        is_full = admission.is_full(links)
        until = math.inf if is_full else admission.waits_until(now, patience, links, by_rank=by_rank)
        if until <= now and (popped := admission.frontier.pop(now)):
            fetch = admission.admit(*popped, now)
            if isinstance(fetch, Fetch):
                heapq.heappush(open_now, (now + ANSWER, done, fetch))
                done += 1
            continue
        until = math.inf if is_full else admission.frontier.next_wake()
        if not open_now or open_now[0][0] > until:
            now = until
            continue
        now, _, fetch = heapq.heappop(open_now)
        outcome = Fetched(fetch.url, 404, {}, b"")
        admission.finish(fetch, outcome, now, STAMP)
        if fetch.robots:
            admission.receive_robots(outcome, now, STAMP)
        admission.reschedule(fetch.url.split("/")[2])
    return 1000 * (time.process_time() - began) / done, now


def main() -> None:
    given = options(__doc__, hosts=200, links=1_000_000)
    for patience, by_rank in ((0.0, False), (0.98, False), (0.98, True)):
        cost, seconds = measure(given.hosts, given.links, patience, by_rank=by_rank)
        how = " by rank" if by_rank else ""
        print(f"patience {patience:g}{how}: {cost:.3f} ms a request, {seconds:,.0f} virtual seconds", flush=True)


if __name__ == "__main__":
    main()
