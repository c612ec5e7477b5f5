"""Traps: what is cut, what is not, and how it comes back. Webs of pages that are made up when they are asked for."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from crawl_fakes import FakeStore, FakeUnderstanding, FakeWeb, Run, html, start

from cli.render.terminal import one_line
from cli.settings import make_settings
from crawler.engine.actions import Limits
from crawler.engine.crawl_records import Progress
from crawler.engine.driver import crawl as crawl_with_driver
from crawler.ports import Fetched, Outcome
from crawler.simulation.simulator import simulate
from crawler.traps.trap_detection import CREDIT, DEEPEST, DOMAIN, GAIN, STALE, Traps, shapes
from semantic.records import JudgedRecord, VisitRecord
from semantic.urls import normalise

FAST = Limits(max_pages=10_000, delay=0.0, connections=4, per_host=4)
BUDGET = CREDIT // STALE + FAST.connections
TEMPLATE = "Home, shop, contact, imprint. Every second Saturday we mend what you bring. " * 4


class EndlessWeb(FakeWeb):
    """Pages by rule: the first part of a path names the one that makes them."""

    def __init__(self, **rules: Callable[[str], Fetched]) -> None:
        super().__init__()
        self.rules = rules

    def answer(self, url: str) -> Outcome:
        self.asked.append(url)
        rule = self.rules.get(url.split("/")[3].partition("?")[0])
        return rule(url) if rule else Fetched(url, 404, {}, b"")

    def fetched_below(self, path: str) -> int:
        return sum(url.startswith(f"http://a/{path}") for url in self.asked)


def ignore(progress: Progress) -> None:
    pass


def home(*links: str) -> Callable[[str], Fetched]:
    return lambda url: html(url, {f"http://a/{link}": 0.5 for link in links})


def next_of(url: str, relevance: float = 0.0) -> Fetched:
    """A page of a numbered directory, with a link to the next one."""
    folder, _, name = url.rpartition("/")
    return html(url, {f"{folder}/{int(name.removesuffix('.html')) + 1}.html": 0.5}, relevance=relevance)


def calendar(url: str) -> Fetched:
    """A month, with links to the next and to the one before."""
    *_, year, month = map(int, url.removesuffix(".html").split("/")[4:])
    later = f"http://a/calendar/{year + (month == 12)}/{month % 12 + 1}.html"
    earlier = f"http://a/calendar/{year - (month == 1)}/{(month - 2) % 12 + 1}.html"
    return html(url, {later: 0.9, earlier: 0.9}, text=f"{month} of {year}. {TEMPLATE}")


def tiny_calendar(url: str) -> Fetched:
    day = int(url.rpartition("=")[2])
    return html(url, {f"http://a/tiny?day={day + 1}": 0.9}, text=f"Day {day}. Next")


def facets(url: str) -> Fetched:
    """Goods in the order asked for; every page offers one filter more or another value. All are on topic."""
    chosen = dict(part.split("=") for part in url.partition("?")[2].split("&") if part)
    links = {}
    for key in "abcdefghij":
        for value in range(3):
            query = "&".join(f"{k}={v}" for k, v in sorted({**chosen, key: str(value)}.items()))
            links[f"http://a/facets?{query}"] = 0.9
    goods = [f"Oolong {n} from the mountain of that name, picked in spring and roasted twice." for n in range(40)]
    turned = sum(map(int, chosen.values())) if chosen else 0
    return html(url, links, text=" ".join(goods[turned:] + goods[:turned]), relevance=1.0)


def sessions(url: str) -> Fetched:
    """Five pages; each link has a new session id, in the path or in the query."""
    page, _, query = url.partition("?")
    number = int(page.rpartition("/")[2])
    sid = int(query.rpartition("=")[2] or "0", 16)
    links = {f"http://a/sessions/{n}?sid={(sid + 1) * 5 + n:032x}": 0.9 for n in range(5)}
    return html(url, links, text=f"Page {number}. {TEMPLATE * number}")


def loops(url: str) -> Fetched:
    """A relative link that the server takes for a directory."""
    return html(url, {f"{url}about/us/": 0.9})


def deeper(url: str) -> Fetched:
    return html(url, {f"{url}{url.count('/')}x/": 0.9})


def shelf(url: str) -> Fetched:
    """A shop's goods: one text but for a number and a name."""
    number = int(url.rpartition("/")[2].removesuffix(".html"))
    links = {f"http://a/shelf/{number + 1}.html": 0.5} if number < 500 else {}
    return html(url, links, text=f"{TEMPLATE} Oolong {number}, lot {number * 7919}. {TEMPLATE}", relevance=1.0)


def listing(url: str) -> Fetched:
    """Lists that say nothing themselves; each leads to an article, which is found worth less than the next list."""
    number = int(url.rpartition("=")[2])
    links = {f"http://a/articles/tea-{number}": 0.1}
    if number < 300:
        links[f"http://a/listing?page={number + 1}"] = 0.9
    return html(url, links, text=TEMPLATE + str(number))


TRAPS = {  # where it begins, how many fetches it may take, its name
    "calendar": ("calendar/2026/1.html", 12 + BUDGET, "a/calendar/#/#.html"),
    "tiny": ("tiny?day=1", BUDGET, "a/*?day"),
    "facets": ("facets?a=1", 4 * BUDGET + GAIN // STALE, "a/*?**"),
    "sessions": ("sessions/0", 5 + BUDGET, "a/sessions/#?sid"),
    "loops": ("loops/", 3, "a/...repeats"),
    "deeper": ("deeper/", DEEPEST, "a/...deep"),
}
WEB = {
    "": home(*[begin for begin, _, _ in TRAPS.values()], "shelf/1.html"),
    "calendar": calendar,
    "tiny": tiny_calendar,
}
WEB |= {"facets": facets, "sessions": sessions, "loops": loops, "deeper": deeper, "shelf": shelf}


def crawl(web: EndlessWeb, store: FakeStore | None = None, *, allow: tuple[str, ...] = (), steps: int = 100_000) -> Run:
    store = store or FakeStore("http://a/")
    done = Run(start(store, FAST, allow), web, store=store).steps(steps)
    store.save(done.session.take_batch())
    return done


def test_endless_webs_end_and_what_yields_is_taken_whole() -> None:
    web = EndlessWeb(**WEB)
    done = crawl(web)
    batch, traps = done.store.batches[-1], Traps(done.store.visits())
    assert {trap.trap: trap.links for trap in batch.traps} == Counter(map(traps.trap, done.store.queue))
    assert [traps.trap(trap.first) for trap in batch.traps] == [trap.trap for trap in batch.traps]
    assert done.ended == "queue-empty"
    assert web.fetched_below("shelf/") == 500
    for name, (_, most, _) in TRAPS.items():
        assert web.fetched_below(name) <= most, name
    progress = done.session.progress(done.now)
    assert progress.cut[0] == len(done.store.queue)
    assert progress.cut[1] >= len(TRAPS) - 1  # of the sessions only copies may be left
    assert (progress.queued, progress.inversions) == (0, 0)


@pytest.mark.parametrize("name", TRAPS)
def test_every_trap_is_told_from_what_the_store_holds(name: str) -> None:
    begin, _, trap = TRAPS[name]
    store = crawl(EndlessWeb(**{"": home(begin), name: WEB[name]})).store
    traps = Traps(store.visits())
    assert {traps.trap(url) for url in store.queue} == {trap}
    assert set(traps.of_each(store.queue)) == {trap}
    assert traps.why(trap)


def test_an_allowed_trap_is_open_again_and_others_are_not() -> None:
    web = EndlessWeb(**{"": home("calendar/2026/1.html", "tiny?day=1"), "calendar": calendar, "tiny": tiny_calendar})
    store = FakeStore("http://a/")
    crawl(web, store)
    before, tiny = web.fetched_below("calendar"), web.fetched_below("tiny")
    crawl(web, store, allow=("a/calendar/#/#.html",), steps=300)
    assert web.fetched_below("calendar") > before + 250
    assert web.fetched_below("tiny") == tiny


def test_lists_return_when_what_they_lead_to_is_on_topic() -> None:
    articles = {"articles": lambda url: html(url, relevance=1.0)}
    web = EndlessWeb(**{"": home("listing?page=1"), "listing": listing, **articles})
    done = crawl(web)
    assert web.fetched_below("listing") == 300
    assert web.fetched_below("articles") == 300
    assert done.session.progress(done.now).cut == (0, 0)


def test_a_directory_returns_with_a_page_later_judged_on_topic() -> None:
    understanding, store = FakeUnderstanding(), FakeStore("http://a/")

    def dry(url: str) -> Fetched:
        number = int(url.rpartition("/")[2].removesuffix(".html"))
        if number == CREDIT - 10:
            understanding.news = [JudgedRecord("http://a/dry/5.html", 0.9, True, reasons=())]
        return html(url, {f"http://a/dry/{number + 1}.html": 0.5} if number < CREDIT + GAIN // 2 else {})

    web = EndlessWeb(**{"": home("dry/1.html"), "dry": dry})
    done = Run(start(store, FAST, understanding=understanding), web, store=store).steps()
    assert done.session.progress(done.now).cut == (0, 0)
    assert web.fetched_below("dry") == CREDIT + GAIN // 2


def settled_late() -> tuple[EndlessWeb, FakeUnderstanding, FakeStore]:
    understanding = FakeUnderstanding()
    understanding.settled = [JudgedRecord("http://a/dry/5.html", 0.9, True, reasons=())]
    return EndlessWeb(**{"": home("dry/1.html"), "dry": next_of}), understanding, FakeStore("http://a/")


def test_a_directory_returns_with_a_page_settled_on_topic() -> None:
    """In both loops: the crawl ended with "no links are left" while links waited, and counted them as cut."""
    for with_driver in (True, False):
        web, understanding, store = settled_late()
        session = start(store, FAST, understanding=understanding)
        if with_driver:
            progress = asyncio.run(crawl_with_driver(session, web, store, ignore))
        else:
            progress = simulate(session, web.answer, store, ignore)
        assert web.fetched_below("dry") == CREDIT + GAIN
        assert (progress.stopped, progress.queued, progress.cut) == ("queue-empty", 0, (1, 1))
        (trap,) = next(batch.traps for batch in reversed(store.batches) if batch.traps is not None)
        assert trap.why == Traps(store.visits()).why(trap.trap)


def test_the_traps_of_a_full_crawl_are_those_after_settling() -> None:
    web, understanding, store = settled_late()
    full = replace(FAST, max_pages=CREDIT + 1)
    progress = asyncio.run(crawl_with_driver(start(store, full, understanding=understanding), web, store, ignore))
    assert (progress.stopped, progress.queued, progress.cut) == ("max-pages", 1, (0, 0))
    assert [batch.traps for batch in store.batches if batch.traps is not None][-1] == ()


def test_what_is_judged_later_counts_as_from_the_first() -> None:
    def accounts(*pages: VisitRecord) -> list[str]:
        return [str(traps.why(shape)) for traps in [Traps(pages)] for shape, _ in shapes("http://a/x/1")]

    poor, rich = (VisitRecord("http://a/x/1", on_topic=on_topic) for on_topic in (False, True))
    for before, on_topic in ((poor, True), (rich, False)):
        traps = Traps([before])
        assert traps.judge_again("http://a/x/1", leads=on_topic) == []
        told = [str(traps.why(shape)) for shape, _ in shapes("http://a/x/1")]
        assert told == accounts(rich if on_topic else poor)
    stale = VisitRecord("http://a/x/1", stale=True)
    assert Traps([stale] * 60).judge_again("http://a/x/1", leads=True) == []


def test_pages_taken_back_cost_first_what_was_beyond_the_limit() -> None:
    urls = [f"http://a/wiki/{number}" for number in range(CREDIT + 400)]

    def trap_after(on_topic: int, off_topic: int, taken_back: int) -> str | None:
        traps = Traps([VisitRecord(url, on_topic=i < on_topic) for i, url in enumerate(urls[: on_topic + off_topic])])
        for url in urls[:taken_back]:
            assert traps.judge_again(url, leads=False) == []
        return traps.trap("http://a/wiki/2000")

    assert trap_after(400, 0, taken_back=390) is None
    assert trap_after(10, CREDIT - 11, taken_back=10) is None
    assert trap_after(10, CREDIT - 10, taken_back=10) == "a/wiki/#"


def test_a_seed_is_fetched_whatever_it_looks_like() -> None:
    web = EndlessWeb(loops=loops)
    store = FakeStore("http://a/loops/x/x/x/")
    assert crawl(web, store).ended == "queue-empty"
    assert web.fetched_below("loops") == 1


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("https://a/", ["a/", "a/**"]),
        ("https://a/x/y/word.html", ["a/x/y/*", "a/x/y/**", "a/x/**", "a/**"]),
        ("https://a/article-123-1.html", ["a/article-#-#.html", "a/**"]),
        ("https://a/2026/07/05/title/", ["a/#/#/#/*/", "a/#/#/**", "a/#/**", "a/**"]),
        ("https://a/index.php?title=X&oldid=7", ["a/*?oldid&title", "a/*?**", "a/**"]),
        ("https://a/(S(lit3py55t21z5v55vlm25s55))/x.aspx", ["a/(S(#))/*", "a/(S(#))/**", "a/**"]),
        ("https://a/s/deadbeef01/x", ["a/s/#/*", "a/s/#/**", "a/s/**", "a/**"]),
        ("https://a/%E8%8C%B6/1", ["a/茶/#", "a/茶/**", "a/**"]),
    ],
)
def test_shapes_go_from_the_narrow_to_the_wide(url: str, names: list[str]) -> None:
    assert [name for name, _ in shapes(normalise(url) or "")] == names


@pytest.mark.parametrize(
    ("url", "trap"),
    [
        ("http://a/b/b/b/", "a/...repeats"),
        ("http://a/x/b/c/b/c/b/c", "a/...repeats"),
        ("http://a/b/b/c/b/b", None),
        ("http://a/11/11/11/", None),
        ("http://a/b?x=b/b/b", None),
        ("http://a/" + "b/c/" * 2 + "/".join("defghijklmnopqrstu"), "a/...deep"),
        ("http://a/" + "/".join("abcdefghijklmnopqrst") + "/", None),
    ],
)
def test_plain_rules(url: str, trap: str | None) -> None:
    assert Traps().trap(url) == trap
    assert list(Traps().of_each([url])) == [trap]
    assert list(Traps(allowed=["a/...repeats", "a/...deep"]).of_each([url])) == [None]
    assert Traps(allowed=["a/...repeats", "a/...deep"]).trap(url) is None


def test_accounts() -> None:
    """A page on topic pays for 400 others; what never gave is answered for by what is wider."""
    poor = [VisitRecord(f"http://a/{n}", None, False, False) for n in range(CREDIT)]
    rich = VisitRecord("http://a/x", "http://a/0", True, False)
    assert Traps(poor[1:]).trap("http://a/7") is None
    assert Traps(poor).trap("http://a/7") == "a/#"
    assert Traps(poor).trap("http://a/y") is None
    assert Traps([*poor, rich]).trap("http://a/7") is None
    assert Traps([rich, *poor, *poor[:GAIN]]).trap("http://a/7") == "a/#"
    assert Traps([rich] * 20 + [VisitRecord("http://a/x", None, True, True)]).trap("http://a/x") is None
    assert Traps(poor * 10).trap("http://a/new/y") == "a/**"
    assert Traps([*poor * 10, VisitRecord("http://a/new/x", None, True, False)]).trap("http://a/new/y") is None
    counts = re.findall(r"[\d,]+\d|\d", str(Traps(poor).why("a/#")))
    assert counts == ["1,000", "0", "0"]  # pages, nothing new, on topic


@pytest.mark.parametrize(
    "address", ["http://web.archive.org/web/2020/http://a.org/cal/{}?month={}", "http://a/x%20%20y%0A/{}?p={}"]
)
def test_every_trap_can_be_opened_by_its_shown_name(address: str) -> None:
    visits = [VisitRecord(address.format(n, n), None, False, True) for n in range(60)]
    other = address.format(99, 99)
    name = Traps(visits).trap(other)
    assert name is not None
    assert one_line(name) == name
    given = make_settings({"seeds": ["http://a/"], "max_pages": 1, "ontology": "x", "allow_trap": [name]})
    assert Traps(visits, given.allow_trap).trap(other) is None


def test_a_calendar_of_hosts_by_month_is_cut_by_domain() -> None:
    """What it says was said on other hosts of the domain: it is stale from the second host on."""

    class Wildcard(FakeWeb):
        def answer(self, url: str) -> Outcome:
            if not url.startswith("http://d") or url.endswith("/robots.txt"):
                return super().answer(url)
            number = int(url.partition("://d")[2].partition(".")[0])
            return html(url, {f"http://d{number + 1}.cal.example/": 0.9}, text=f"{TEMPLATE} {number}")

    web, store = Wildcard(html("http://a/", {"http://d0.cal.example/": 0.9})), FakeStore("http://a/")
    done = Run(start(store, FAST), web, store=store).steps(20_000)
    assert done.ended == "queue-empty"
    pages = DOMAIN * CREDIT // STALE
    assert pages < sum(url.startswith("http://d") for url in done.pages) < pages + 10
    store.save(done.session.take_batch())
    assert Traps(store.visits()).trap("http://d99999.cal.example/") == "*.cal.example/**"
