"""What the dashboard costs a crawl: `python -m benchmarks.dashboard_cost [--pages 1500] [--runs 3] [--hosts 500]`.

A made web (`benchmarks.made_web`) is crawled as fast as it goes into memory, without network: in turn without the
dashboard, and with it while one viewer looks once a second, as the page does. Counted is the processor time of the
crawl's own process, in which the dashboard lives; readers and the viewer are other processes. Told beside it is what
one look costs, counted over the looks themselves, since two runs of a crawl differ by more than the dashboard costs;
and what its libraries cost once.
"""

import argparse
import asyncio
import subprocess
import sys
import time
from statistics import median

from benchmarks.made_web import MadeWeb, crawl_made
from cli.dashboard.live_state import LiveState
from cli.settings import Settings
from crawler.engine.steering import Steering
from examples.sites import ONTOLOGY

VIEWER = """
import sys, time, urllib.request
base, _, token = sys.argv[1].partition("#")
while True:
    try:
        asked = urllib.request.Request(base + "state", headers={"Authorization": "Bearer " + token})
        urllib.request.urlopen(asked, timeout=30).read()
    except OSError:
        break
    time.sleep(1)
"""
HAMMER = """
import http.client, sys
base, _, token = sys.argv[1].partition("#")
line = http.client.HTTPConnection(base.removeprefix("http://").rstrip("/"))
for _ in range(int(sys.argv[2])):
    line.request("GET", "/state", headers={"Authorization": "Bearer " + token})
    line.getresponse().read()
"""
PART = 5_000
REQUESTS = 400


def crawl(pages: int, hosts: int, port: int | None) -> tuple[float, float]:
    """CPU seconds of this process, and how many pages a second."""
    web = MadeWeb(hosts, PART)
    settings = Settings(
        ontology=str(ONTOLOGY),
        seeds=(web.address(0),),
        max_pages=pages,
        store="memory:",
        delay=0.0,
        per_host=16,
        dashboard=port,
    )
    cpu, clock = time.process_time(), time.monotonic()
    crawl_made(web, settings, lambda _: None)
    return time.process_time() - cpu, pages / (time.monotonic() - clock)


async def request_cost() -> float:
    """CPU seconds of a request alone: the state is told as it was."""
    from cli.dashboard.dashboard_server import Dashboard, listening

    state = LiveState(Steering(), lambda: 1, lambda: None, takes_marks=True)
    async with Dashboard(state, listening(0)) as dashboard:
        words = [sys.executable, "-c", HAMMER, dashboard.address, str(REQUESTS)]
        began = time.process_time()
        hammer = await asyncio.create_subprocess_exec(*words)
        await hammer.wait()
        return (time.process_time() - began) / REQUESTS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--hosts", type=int, default=500)
    given = parser.parse_args()
    began = time.process_time()
    from cli.dashboard import dashboard_server

    print(f"its libraries, once: {time.process_time() - began:.2f} s of CPU")
    request = asyncio.run(request_cost())
    print(f"a request, without what it tells: {1000 * request:.2f} ms")
    viewers: list[subprocess.Popen[bytes]] = []
    looks: list[float] = []

    def look(line: str) -> None:
        viewers.append(subprocess.Popen([sys.executable, "-c", VIEWER, line.partition(": ")[2]]))

    dashboard_server.say = look  # type: ignore[attr-defined, assignment]
    told = LiveState.told

    def timed(self: LiveState) -> bytes:
        start = time.thread_time()
        answer = told(self)
        looks.append(time.thread_time() - start)
        return answer

    LiveState.told = timed  # type: ignore[method-assign]
    cpu: dict[int | None, list[float]] = {None: [], 0: []}
    for _ in range(given.runs):
        for port, seconds in cpu.items():
            spent, speed = crawl(given.pages, given.hosts, port)
            seconds.append(spent)
            print(f"{'with' if port == 0 else 'without':>8}: {spent:.2f} s of CPU, {speed:.0f} pages/s", flush=True)
    for viewer in viewers:
        viewer.wait()
    without, with_it = median(cpu[None]), median(cpu[0])
    print(f"medians: {without:.2f} s without, {with_it:.2f} s with it ({with_it / without - 1:+.1%})")
    share = (sum(looks) + request * len(looks)) / sum(cpu[0])
    each = 1000 * (sum(looks) / max(1, len(looks)) + request)
    print(f"{len(looks)} looks, {each:.2f} ms each: {share:.2%} of the crawl's CPU")


if __name__ == "__main__":
    main()
