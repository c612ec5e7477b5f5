"""Which pages are rendered, what is kept of it, and what becomes of a page without it; the engine is a fake."""

import asyncio
from collections.abc import Sequence

import pytest
from crawl_fakes import STAMP, FakeUnderstanding, html

from crawler.engine.crawl_records import NEEDS_SCRIPT, ending
from crawler.frontier.priority_queue import Entry
from crawler.ports import Conditions, Fetched, Outcome
from crawler.render.rendering_engines import RenderingFailed
from crawler.render.rendering_source import AGAIN, TRIES, RenderingSource
from crawler.render.requested_parts import PageParts
from crawler.sandbox.sandboxed_reading import ReadingSource
from semantic.reasons import Reason, because

BARE = b"<div id=root></div><script src=a.js></script>"
WORDS = "<p>" + "green tea " * 20


class Web:
    """Every page needs a script but those called plain. `converted`: addresses of what was recorded."""

    def __init__(self) -> None:
        self.converted: list[str] = []
        self.is_closed = False

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        body = WORDS.encode() if "plain" in url else BARE
        return Fetched(url, 200, {"content-type": "text/html", "etag": '"1"'}, body)

    async def fetch_part(self, url: str) -> Outcome:
        raise NotImplementedError

    async def convert(self, url: str, html: bytes) -> None:
        self.converted.append(url)

    async def close(self) -> None:
        self.is_closed = True


class FakeEngine:
    """Makes of each page what `made` says, by the number of the page; fails where it is a reason."""

    def __init__(self, *made: str | Reason) -> None:
        self.made = made
        self.seen: list[str] = []

    async def rendered(self, page: Fetched, parts: PageParts) -> str:
        self.seen.append(page.url)
        made = self.made[(len(self.seen) - 1) % len(self.made)]
        if isinstance(made, Reason):
            raise RenderingFailed(made)
        return made

    async def close(self) -> None:
        pass


def read(urls: Sequence[str], engine: FakeEngine) -> tuple[list[tuple[str, Reason | None]], Web]:
    """The text of each page and what was remarked on it, and the web."""

    async def go() -> list[tuple[str, Reason | None]]:
        source = ReadingSource(RenderingSource(web, engine, 0.0))
        found = []
        try:
            for url in urls:
                outcome = await source.fetch(url)
                assert isinstance(outcome, Fetched)
                found.append((source.read(b"", url, outcome.headers).text, outcome.remark))
        finally:
            await source.close()
        return found

    web = Web()
    return asyncio.run(go()), web


def test_only_a_page_that_needs_it_is_rendered():
    engine = FakeEngine(WORDS)
    found, web = read(["http://a.org/plain", "http://a.org/bare"], engine)
    assert engine.seen == web.converted == ["http://a.org/bare"]
    assert found[0][0] == found[1][0] == ("green tea " * 20).strip()
    assert found[0][1] is None
    assert found[1][1] == because("rendered", words=0)
    assert web.is_closed


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (because("render lost"), because("render lost")),
        (BARE.decode(), because("render no more")),
    ],
)
def test_a_page_that_cannot_be_rendered_stays_as_it_is(made, why):
    found, web = read(["http://a.org/bare"], FakeEngine(made))
    assert found == [("", because("not rendered", why))]
    assert web.converted == []


def test_what_three_pages_won_decides_for_their_template():
    engine = FakeEngine(BARE.decode())
    pages = [f"http://a.org/item/{number}" for number in range(TRIES + 2 * AGAIN)]
    found, _ = read([*pages, "http://a.org/list?page=2", "http://b.org/item/1"], engine)
    looked_again = [pages[TRIES + AGAIN - 1], pages[TRIES + 2 * AGAIN - 1]]
    assert engine.seen == [*pages[:TRIES], *looked_again, "http://a.org/list?page=2", "http://b.org/item/1"]
    assert found[TRIES][1] == because("not rendered", because("render in vain", number=TRIES))


def test_a_page_that_gains_opens_its_template_again():
    engine = FakeEngine(*[BARE.decode()] * TRIES, WORDS)
    pages = [f"http://a.org/item/{number}" for number in range(TRIES + AGAIN + 3)]
    read(pages, engine)
    assert engine.seen == [*pages[:TRIES], *pages[TRIES + AGAIN - 1 :]]


@pytest.mark.parametrize(("remark", "script"), [(because("rendered", words=0), "run"), (NEEDS_SCRIPT, "needed")])
def test_a_rendered_page_is_not_asked_for_on_conditions(remark, script):
    page = html("http://a.org/bare")
    (read_as,) = FakeUnderstanding().understand([(page.body, page.url, page.headers)])
    answer = Fetched(page.url, 200, {**page.headers, "etag": '"1"'}, b"", remark=remark)
    record = ending(Entry(1.0, 0, 0, page.url, "", 0), answer, STAMP, read_as).record
    assert (record.script, record.etag) == (script, None if script == "run" else '"1"')
