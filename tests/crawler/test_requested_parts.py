"""What pages ask for while they are rendered: by robots.txt of its origin, in its host's pace, scripts once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from crawler.ports import Conditions, Failed, Fetched, Outcome
from crawler.render.requested_parts import PageParts

FILES = {
    "http://a.org/robots.txt": (301, {"location": "http://b.org/robots.txt"}, b""),
    "http://b.org/robots.txt": (200, {}, b"User-agent: *\nDisallow: /private/\nCrawl-delay: 0.01"),
    "http://a.org/app.js": (200, {}, b"script"),
    "http://a.org/rows.json": (200, {}, b"[]"),
    "http://a.org/private/rows.json": (200, {}, b"[]"),
    "http://away.org/rows.json": (200, {}, b"[]"),
    "http://a.org/busy.json": (429, {"retry-after": "3600"}, b""),
}


class Files:
    """Answers from FILES; `most`: the largest number of requests that were open at once."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.open = self.most = 0

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        self.asked.append(url)
        self.open += 1
        self.most = max(self.most, self.open)
        await asyncio.sleep(0.01)
        self.open -= 1
        if url not in FILES:
            return Failed(url, "connect")
        status, headers, body = FILES[url]
        return Fetched(url, status, headers, body)

    async def fetch_part(self, url: str) -> Outcome:
        return await self.fetch(url)

    async def convert(self, url: str, html: bytes) -> None:
        pass

    async def close(self) -> None:
        pass


def asking(ask: Callable[[PageParts], Awaitable[Any]]) -> tuple[Any, Files]:
    """What `ask` returns, and what was asked for."""

    async def go() -> tuple[Any, Files]:
        files = Files()
        parts = PageParts(files, 0.0)
        try:
            return await ask(parts), files
        finally:
            await parts.close()

    return asyncio.run(go())


def test_what_robots_txt_forbids_is_never_asked_for():
    async def ask(parts: PageParts) -> list[Fetched | None]:
        urls = ("http://a.org/private/rows.json", "http://a.org/rows.json")
        return await asyncio.gather(*(parts.get(url, is_script=False) for url in urls))

    (forbidden, allowed), files = asking(ask)
    assert forbidden is None
    assert allowed.body == b"[]"
    assert files.asked == ["http://a.org/robots.txt", "http://b.org/robots.txt", "http://a.org/rows.json"]


def test_an_origin_without_robots_txt_gives_nothing():
    got, files = asking(lambda parts: parts.get("http://away.org/rows.json", is_script=False))
    assert got is None
    assert files.asked == ["http://away.org/robots.txt"]


def test_one_request_at_a_time_and_each_script_once():
    async def ask(parts: PageParts) -> list[Fetched | None]:
        first = await asyncio.gather(*(parts.get("http://a.org/rows.json", is_script=False) for _ in range(3)))
        scripts = [await parts.get("http://a.org/app.js", is_script=True) for _ in range(3)]
        return [*first, *scripts]

    got, files = asking(ask)
    assert [part.body for part in got] == [b"[]"] * 3 + [b"script"] * 3
    assert files.asked.count("http://a.org/rows.json") == 3
    assert files.asked.count("http://a.org/app.js") == 1
    assert files.most == 1


def test_a_host_that_rests_for_long_is_not_waited_for():
    async def ask(parts: PageParts) -> Any:
        await parts.get("http://a.org/busy.json", is_script=False)
        async with asyncio.timeout(5):
            return await parts.get("http://a.org/rows.json", is_script=False)

    found, files = asking(ask)
    assert found is None and "http://a.org/rows.json" not in files.asked


def test_a_page_that_ends_leaves_robots_txt_to_the_next():
    async def ask(parts: PageParts) -> Fetched | None:
        first = asyncio.create_task(parts.get("http://a.org/rows.json", is_script=False))
        await asyncio.sleep(0.005)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        return await parts.get("http://a.org/rows.json", is_script=False)

    got, files = asking(ask)
    assert got.body == b"[]"
    assert files.asked.count("http://a.org/robots.txt") == 1
