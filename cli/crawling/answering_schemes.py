"""Whether a host answers by https, for seeds that were typed without a scheme."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from cli.render.language import tr
from cli.render.terminal import say
from crawler.politeness.robots_and_pace import LOST
from crawler.ports import Failed, Fetched, Source
from semantic.urls import host_of, robots_url


def http_for(urls: Sequence[str], make: Callable[[], Source]) -> Mapping[str, str]:
    """The http address of each https address whose host answers by http alone. `make`: gives the source to ask.

    One robots.txt is requested by https, and where that fails by http.
    """
    return asyncio.run(_http_for(urls, make))


async def _http_for(urls: Sequence[str], make: Callable[[], Source]) -> Mapping[str, str]:
    source = make()
    try:
        answers = await asyncio.gather(*[_needs_http(url, source) for url in urls])
    finally:
        await source.close()
    needing = [url for url, needs in zip(urls, answers, strict=True) if needs]
    for url in needing:
        say(tr("{host} does not answer by https: its seed is fetched by http", host=host_of(url)))
    return {url: _by_http(url) for url in needing}


async def _needs_http(url: str, source: Source) -> bool:
    secure = await source.fetch(robots_url(url), robots=True)
    if not isinstance(secure, Failed) or secure.kind in LOST:
        return False
    return isinstance(await source.fetch(robots_url(_by_http(url)), robots=True), Fetched)


def _by_http(url: str) -> str:
    return "http" + url.removeprefix("https")
