"""What servers see of a crawl: their own log tells whether it kept its promises, directly and through a proxy."""

import asyncio
import json
import time
from itertools import pairwise

import pytest
from aiohttp import web
from crawl_fakes import FakeStore, start

from crawler.engine.actions import Limits
from crawler.engine.crawl_records import Progress
from crawler.engine.driver import crawl
from crawler.fetch.client import HttpSource

pytestmark = pytest.mark.slow

ROBOTS = "\ufeffUser-agent: *\nDisallow: /\n\nUser-agent: ontocrawl\nDisallow: /no\nAllow: /no/but\nDisallow: /*.cgi$\n"
LINKS = ("/1", "/2", "/3", "/no", "/no/1", "/no/but", "/x.cgi", "/x.cgi?y")  # of every page
SLACK = 0.005  # seconds: the clocks' grain


class Site:
    """One host that keeps a log: when each request began and ended, for what path; and how many were open at once."""

    def __init__(self, robots: tuple[web.Response, ...] = (), seconds: float = 0.01) -> None:
        self.robots = list(robots)
        self.seconds = seconds
        self.log: list[tuple[float, float, str]] = []
        self.open = self.most = 0

    async def answer(self, request: web.BaseRequest) -> web.Response:
        self.open += 1
        self.most = max(self.most, self.open)
        began = time.monotonic()
        await asyncio.sleep(self.seconds)
        self.open -= 1
        self.log.append((began, time.monotonic(), request.path_qs))
        if request.path == "/robots.txt":
            return self.robots.pop(0) if self.robots else web.Response(text=ROBOTS)
        return self.page(request)

    def page(self, request: web.BaseRequest) -> web.Response:
        here = f"http://{request.host}"
        links = [(f"{here}{path}", 1 - n / 10) for n, path in enumerate(LINKS)]
        return web.Response(text=json.dumps({"links": links, "text": request.path_qs}), content_type="text/html")

    @property
    def paths(self) -> list[str]:
        return [path for _, _, path in self.log]

    @property
    def gaps(self) -> list[float]:
        """From the end of one answer to the begin of the next request."""
        times = sorted((begin, end) for begin, end, _ in self.log)
        return [begin - end for (_, end), (begin, _) in pairwise(times)]


def visit(sites: dict[str, Site], limits: Limits, proxied: bool) -> tuple[FakeStore, Progress]:
    """Crawl sites, through a proxy by the names they have here, else at an address of their own each."""

    async def go() -> tuple[FakeStore, Progress]:
        runners = []
        hosts: dict[str, str] = {}
        for number, (name, site) in enumerate(sites.items(), 2):
            runner = web.ServerRunner(web.Server(site.answer))
            await runner.setup()
            await web.TCPSite(runner, f"127.0.0.{number}", 0).start()
            runners.append(runner)
            hosts[name] = f"127.0.0.{number}:{runner.addresses[0][1]}"

        async def forward(request: web.BaseRequest) -> web.Response:
            return await sites[request.host].answer(request)

        gate = web.ServerRunner(web.Server(forward))
        await gate.setup()
        await web.TCPSite(gate, "127.0.0.1", 0).start()
        proxy = f"http://127.0.0.1:{gate.addresses[0][1]}" if proxied else None
        store = FakeStore(*[f"http://{name if proxied else hosts[name]}/" for name in sites])
        source = HttpSource(proxy, frozenset(host.split(":")[0] for host in hosts.values()))
        try:
            return store, await crawl(start(store, limits), source, store, lambda _: None)
        finally:
            await source.close()
            for runner in [*runners, gate]:
                await runner.cleanup()

    return asyncio.run(go())


ALLOWED = {"/robots.txt", "/", "/1", "/2", "/3", "/no/but", "/x.cgi?y"}


@pytest.mark.parametrize("proxied", [False, True])
def test_servers_log_one_connection_full_gaps_and_nothing_forbidden(proxied: bool) -> None:
    slower = web.Response(text=ROBOTS + "Crawl-delay: 0.5\n")
    sites = {"one.test": Site(), "two.test": Site(robots=(slower,)), "slow.test": Site(seconds=0.3)}
    store, progress = visit(sites, Limits(max_pages=1000, delay=0.1, connections=16), proxied)
    assert progress.stopped == "queue-empty"
    for site in sites.values():
        assert sorted(site.paths) == sorted(ALLOWED)
        assert site.most == 1
    assert min(sites["one.test"].gaps) >= 0.1 - SLACK
    assert min(sites["two.test"].gaps) >= 0.5 - SLACK
    assert min(sites["slow.test"].gaps) >= 0.25  # as long as its answers take
    assert sum(page.status == "refused" for page in store.pages.values()) == 3 * 3


@pytest.mark.parametrize("kind", ["application/octet-stream", "text/html", "text/plain"])
def test_a_moved_robots_txt_holds_whatever_its_type_and_size(kind: str) -> None:
    rules = f"{ROBOTS}{'#' * 6_000_000}".encode()
    moved = web.Response(status=302, headers={"Location": "/files/robots"})

    class Moved(Site):
        def page(self, request: web.BaseRequest) -> web.Response:
            if request.path == "/files/robots":
                return web.Response(body=rules, content_type=kind, status=203)
            return super().page(request)

    site = Moved(robots=(moved,))
    store, _ = visit({"moved.test": site}, Limits(max_pages=1000, delay=0.01), proxied=False)
    assert set(site.paths) == ALLOWED | {"/files/robots"}
    assert sum(page.status == "refused" for page in store.pages.values()) == 3
