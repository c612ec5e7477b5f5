"""Parameters that change and never matter: learned for each host, and never taken for those that name a page."""

from collections.abc import Callable
from itertools import count
from zlib import crc32

import pytest
from crawl_fakes import FakeStore, FakeWeb, Run, html, start

from crawler.engine.actions import Limits
from crawler.ports import Fetched, Outcome
from crawler.traps import idle_parameters
from crawler.traps.idle_parameters import MOST, ONE_IN, PAGES, PAIRS, SURE
from crawler.traps.trap_detection import Traps, kind_of
from semantic.records import VisitRecord

FAST = Limits(max_pages=10_000, delay=0.0, connections=1)
ARTICLES = 12


def article(number: object) -> str:
    return f"Article {number}. " + " ".join(f"word{number}n{at}" for at in range(100))


class LinkedWeb(FakeWeb):
    """A site of articles, each with links to all others, which are named anew at each answer. `path_of`: the address of
    an article from its number and a number that was never used. `number_of`: the article at an address.
    """

    def __init__(
        self, path_of: Callable[[int, int], str], number_of: Callable[[str], str] = lambda path: path.strip("/a")
    ) -> None:
        super().__init__()
        self.path_of, self.number_of, self.new = path_of, number_of, count(1000)

    def answer(self, url: str) -> Outcome:
        self.asked.append(url)
        path = url.removeprefix("http://a")
        if path == "/robots.txt":
            return Fetched(url, 404, {}, b"")
        text = article("home" if path == "/" else self.number_of(path))
        links = {f"http://a{self.path_of(number, next(self.new))}": 0.5 for number in range(ARTICLES)}
        return html(url, links, text=text, relevance=1.0)


def crawl(web: FakeWeb, store: FakeStore | None = None, allow: tuple[str, ...] = ()) -> FakeStore:
    store = store or FakeStore("http://a/")
    done = Run(start(store, FAST, allow), web, store=store).steps(10_000)
    assert done.ended == "queue-empty"
    store.save(done.session.take_batch())
    return store


def before_query(path: str) -> str:
    return path.partition("?")[0].partition(";")[0]


def its_id(path: str) -> str:
    return path.partition("id=")[2].partition("&")[0]


SITES: dict[str, tuple[Callable[[int, int], str], Callable[[str], str]]] = {
    "session id": (lambda n, new: f"/a{n}?sid={new:08x}", before_query),
    "session id and counter": (lambda n, new: f"/a{n}?sid={new // ARTICLES:x}&ref={new}", before_query),
    "cache buster without a name": (lambda n, new: f"/a{n}?{new}", before_query),
    "where it was clicked": (lambda n, new: f"/a{n}" + (f"?from=teaser{new % 7}" if new % 3 else ""), before_query),
    "beside an id": (lambda n, new: f"/show?id={n}&_={new}", its_id),
    "before an id": (lambda n, new: f"/show?t={new}&id={n}", its_id),
    "parted by semicolons": (lambda n, new: f"/show?id={n};sid={new}".replace(";", "&;"), its_id),
    "of the path": (lambda n, new: f"/a{n};sid={new}", before_query),
}


@pytest.mark.parametrize("kind", SITES)
def test_a_site_with_idle_parameters_is_fetched_once(kind: str) -> None:
    path_of, number_of = SITES[kind]
    web = LinkedWeb(path_of, number_of)
    store = crawl(web)
    assert store.counters.pages == 1 + ARTICLES
    assert len(web.asked) <= 40
    traps = Traps(store.visits())
    names = {traps.trap(url) for url in store.queue}
    assert names == set(traps.of_each(store.queue))
    assert {kind_of(name) for name in names if name} == {"idle parameter"}
    assert len(names) == 1
    before = len(web.asked)
    crawl(web, store)
    assert len(web.asked) == before  # a resumed crawl knows the same


def test_an_allowed_parameter_is_fetched_again() -> None:
    web = LinkedWeb(*SITES["session id and counter"])
    store = crawl(web)
    (name,) = {trap for trap in Traps(store.visits()).of_each(store.queue) if trap}
    waiting, before = len(store.queue), len(web.asked)
    crawl(web, store, allow=(name,))
    assert len(web.asked) - before >= waiting // 3  # until the pattern is a trap


def pairs(path: str = "/a{}?sid={}", pages: int = 5, values: int = 3) -> list[VisitRecord]:
    """Pages of a host `a`, each under several values of a parameter."""
    urls = [["http://a" + path.format(page, 10 * page + value) for value in range(values)] for page in range(pages)]
    return [VisitRecord(url, said_by=same[0]) for same in urls for url in same]


def of(url: str, said_by: str = "") -> VisitRecord:
    return VisitRecord(url, said_by=said_by or url)


OTHER = "http://a/a1?sid=new"


@pytest.mark.parametrize(
    ("visits", "trap"),
    [
        (pairs(), "a/...?sid"),
        (pairs(pages=PAGES - 1, values=9), None),  # of few pages
        (pairs(pages=PAIRS - 1, values=2), None),  # few pairs
        ([*pairs(path="/a{}?sid=1&lang={}"), of("http://a/a1?sid=2")], None),  # another parameter
        ([*pairs(), of("http://a/x?sid=1"), of("http://a/x?sid=2")], None),  # mattered once
        ([of("http://a/x?sid=1"), of("http://a/x?sid=2"), *pairs()], None),
        ([of("http://a/x"), *pairs(), of("http://a/x?sid=2")], None),  # against the page without it
        ([*pairs(), of("http://a/x?sid=2"), of("http://a/x")], None),
        ([*pairs(), of("http://a/x?sid=2&id=1"), of("http://a/x?sid=3&id=2")], "a/...?sid"),  # because of the id
        ([*pairs(), VisitRecord("http://a/x?sid=2"), of("http://a/x?sid=3")], "a/...?sid"),  # a feed, then a page
        ([*pairs(), VisitRecord("http://a/x?sid=2", failed=True), of("http://a/x?sid=3")], "a/...?sid"),
        ([*pairs(path="/a{0}?sid={1}&n={1}"), of("http://a/a1?sid=new&n=1")], None),  # known without `n` only
        ([*[of(f"http://a/a{n}") for n in range(9)], *[of(f"http://a/a{n}?sid=1", f"http://a/a{n}") for n in range(9)]],
         None),  # with it and without: it may be the default, as in ?page=1
    ],
)  # fmt: skip
def test_when_a_parameter_is_idle(visits: list[VisitRecord], trap: str | None) -> None:
    assert crc32(OTHER.encode()) % ONE_IN
    assert Traps(visits).trap(OTHER) == trap


def test_repeats_of_pages_and_failures_wait() -> None:
    failed = VisitRecord("http://a/gone?sid=1", failed=True)
    traps = Traps([*pairs(values=4), failed, of("http://a/b"), of("http://other/a1?sid=1")])
    urls = ["http://a/gone?sid=2", "http://a/b?sid=2", "http://a/a2", "http://a/a2?x=1&sid=5", "http://a/new?sid=2"]
    urls += ["http://other/a1?sid=2", "http://a/a1?x=1"]
    assert [traps.trap(url) for url in urls] == ["a/...?sid"] * 2 + [None] * 5


def test_error_pages_do_not_close_what_ids_name() -> None:
    """All pages of /item are one page that says that nothing was found; /other has texts."""
    lost = [of(f"http://a/item?id={n}", "http://a/item?id=0") for n in range(40)]
    assert Traps(lost).trap("http://a/other?id=1") is None
    assert Traps([*lost, of("http://a/other?id=1")]).trap("http://a/other?id=2") is None
    kinds = [of(f"http://a/{kind}?id={n}", f"http://a/{kind}?id=0") for kind in "abcdefg" for n in range(9)]
    texts = [of("http://a/other?id=1"), of("http://a/other?id=2")]
    assert Traps([*texts, *kinds]).trap("http://a/other?id=3") is None


def test_some_repeats_are_fetched_until_a_parameter_is_sure() -> None:
    urls = [f"http://a/a1?sid={n}x" for n in range(400)]
    free = Traps(pairs(values=2)).of_each(urls)
    assert 0.5 < sum(name is None for name in free) * ONE_IN / len(urls) < 2
    assert None not in set(Traps(pairs(pages=SURE, values=2)).of_each(urls))


class Manual(LinkedWeb):
    """Articles in three languages; those that are fetched first are not translated."""

    def answer(self, url: str) -> Outcome:
        if url != "http://a/":
            self.asked.append(url)
            written = url if url.startswith("http://a/t") else before_query(url)
            return html(url, {}, text=article(crc32(written.encode())), relevance=1.0)
        names = {f"a{n}": 0.9 for n in range(5)} | {f"t{n}": 0.1 for n in range(20)}
        links = {f"http://a/{name}?lang={lang}": how for name, how in names.items() for lang in ("de", "en", "fr")}
        return html(url, links, text=article("home"), relevance=1.0)


def test_what_was_closed_by_mistake_is_opened() -> None:
    web = Manual(lambda n, new: "")
    store = crawl(web)
    assert store.counters.pages == 1 + 5 + 60
    assert not store.queue
    assert web.asked.index("http://a/t3?lang=en") < web.asked.index("http://a/t0?lang=en")  # it was closed meanwhile


def test_what_is_stored_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_parameters, "KNOWN", 3 * MOST)
    parameters = idle_parameters.Parameters()
    for number in range(5 * MOST):
        parameters.receive(f"http://h{number % 7}/x?id={number}", f"http://h{number % 7}/x?id={number}")
    for number in range(3 * MOST):
        parameters.receive(f"http://a/a{number}?sid={number}", f"http://a/a{number}?sid={number}")
        parameters.receive(f"http://a/a{number}?sid=0{number}", f"http://a/a{number}?sid={number}")
    assert parameters.trap("http://a/a1?sid=x") == "a/...?sid"  # of the first pages a hash is left
    assert parameters.is_beset("a")
    assert not parameters.is_beset("h1")


def test_a_page_that_gave_way_is_no_evidence_against() -> None:
    parameters = idle_parameters.Parameters()
    for visit in pairs():
        parameters.receive(visit.url, visit.said_by)
    parameters.receive("http://a/x?sid=1", "http://a/x?sid=1")
    parameters.replace("http://a/x?sid=1", "http://a/x?sid=2")
    assert parameters.receive("http://a/x?sid=2", "http://a/x?sid=2") == []
    assert parameters.receive("http://a/x?sid=3", "http://a/x?sid=2") == []
    assert parameters.trap(OTHER) == "a/...?sid"
    assert parameters.receive("http://a/x?sid=4", "http://a/x?sid=4") == ["a/...?sid"]
    assert parameters.trap(OTHER) is None


def test_pages_that_count_visitors_are_copies_later() -> None:
    """Their links have other values of it, and so are not known; they are no reason to open what is closed."""

    class Counting(LinkedWeb):
        def answer(self, url: str) -> Outcome:
            found = super().answer(url)
            if not isinstance(found, Fetched) or found.status != 200 or len(self.asked) < 27:
                return found
            links = {f"http://a/a{n}?sid={next(self.new)}": 0.5 for n in range(ARTICLES)}
            return html(url, links, text=f"{article(before_query(url))} visitor {len(self.asked)}", relevance=1.0)

    store = crawl(Counting(lambda n, new: f"/a{n}?sid={new}", before_query))
    assert store.counters.pages == 1 + ARTICLES
