"""CPU of a request, the client's part alone: answers 200 and 404 from the replay proxy, 64 connections.

    python -m benchmarks.request_cpu [--requests 2000] [--runs 5]

As in a crawl there is other work between two answers (JSON is read for about 3 ms), whose time is left out: without it
dozens of answers come at once, and a request costs half. To compare two versions, run this in either, in turn.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import Iterator
from statistics import median
from urllib.parse import quote

from benchmarks.orders import OUT
from benchmarks.replayed import MEASURE, WEBS, Proxy, replay
from crawler.fetch.client import HttpSource
from crawler.ports import Fetched

WEB = WEBS / "archwiki"
CONNECTIONS = 64
WORK = json.dumps({str(row): list(range(20)) for row in range(300)})


def addresses(requests: int) -> dict[int, list[str]]:
    """By status: pages of the web, by chance the same ones every time, and addresses that it has not."""
    sys.path.insert(0, str(MEASURE))
    from replay import load  # type: ignore[import-not-found]

    pages = [key for key, page in load(str(WEB)).items() if page[0] == 200 and "html" in page[1]]
    chosen = random.Random(1).sample(pages, requests)
    there = [f"http://{quote(key, safe='/?=&:%;,@()')}" for key in chosen]
    return {200: there, 404: [f"http://{key.partition('/')[0]}/no/such/{n}" for n, key in enumerate(chosen)]}


async def cpu(proxy: Proxy, urls: list[str], status: int) -> float:
    """Milliseconds a request."""
    source = HttpSource(proxy.url)
    left = iter(urls)
    other = 0.0

    async def work(left: Iterator[str]) -> None:
        nonlocal other
        for url in left:
            outcome = await source.fetch(url)
            assert isinstance(outcome, Fetched)
            assert outcome.status == status
            began = time.process_time()
            for _ in range(12):
                json.loads(WORK)
            other += time.process_time() - began

    began = time.process_time()
    await asyncio.gather(*(work(left) for _ in range(CONNECTIONS)))
    spent = time.process_time() - began - other
    await source.close()
    return spent / len(urls) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    asked = addresses(given.requests)
    with replay(WEB, OUT) as proxy:
        asyncio.run(cpu(proxy, asked[404][:200], 404))
        for status, urls in asked.items():
            times = [asyncio.run(cpu(proxy, urls, status)) for _ in range(given.runs)]
            print(f"{status}: {median(times):.3f} ms, least {min(times):.3f}")


if __name__ == "__main__":
    main()
