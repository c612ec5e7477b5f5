"""Fakes for tests of a crawl: a web of plain values, an understanding that reads them, a store in memory, a manual
clock.
"""

import heapq
import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from frames_at_hand import ANALYST, frame_of

from crawler.dedup.duplicate_pages import fingerprint_record
from crawler.engine.actions import Answer, Done, Fetch, Limits, ReadGraph, ReadQueue, Wait
from crawler.engine.session import HandedOn, Session
from crawler.ports import Conditions, Failed, Fetched, Outcome
from crawler.traps.trap_detection import Traps
from semantic.frame import Frame
from semantic.links.link_scorer import BY_SHARE, best_links
from semantic.page import Link, Page
from semantic.reasons import PageError, Reason, because
from semantic.records import (
    Batch,
    Counters,
    FingerprintRecord,
    JudgedRecord,
    LinkGraph,
    PageRecord,
    Priority,
    QueuedRecord,
    Relevance,
    Resumed,
    VisitRecord,
)
from semantic.understanding import Answer as Bytes
from semantic.understanding import Understood

HTML = {"content-type": "text/html; charset=utf-8"}
STAMP = "2026-01-01T00:00:00+00:00"
NEW = Resumed(previous=None, counters=Counters(), memory=b"")
NO_GRAPH = LinkGraph((), (), frozenset(), frozenset())


def html(
    url: str, links: Mapping[str, float | None] | Sequence[tuple[str, float | None]] = (), **about: object
) -> Fetched:
    """A page for FakeUnderstanding: its links, with the priorities that they will get."""
    pairs = list(links.items()) if isinstance(links, Mapping) else list(links)
    return Fetched(url, 200, HTML, json.dumps({"links": pairs, **about}).encode())


def moved(url: str, to: str, status: int = 301) -> Fetched:
    return Fetched(url, status, {"location": to}, b"")


def robots(origin: str, text: str) -> Fetched:
    return Fetched(f"{origin}/robots.txt", 200, {"content-type": "text/plain"}, text.encode())


class FakeUnderstanding:
    """Reads what `html` writes; its memory is the number of pages it has read.

    A page may say what is then revised (`revise`: address -> priority), and that the graph is wanted (`graph`).
    """

    any_way = enough = 0
    waits = BY_SHARE
    analyst = ANALYST

    def __init__(self) -> None:
        self.scorer = self
        self.recall: Callable[[Iterable[str]], None] = lambda urls: None
        self.pages = 0
        self.revised: dict[str, Priority] = {}
        self.forgotten: list[tuple[str, str | None]] = []
        self.missed: list[str] = []
        self.wanted = False
        self.graphs: list[LinkGraph] = []
        self.news: list[JudgedRecord] = []  # what `rejudged` and `settle` return next
        self.settled: list[JudgedRecord] = []
        self.withdrawn: list[str] = []

    def understand(self, answers: Sequence[Bytes]) -> list[Understood | PageError]:
        return list(map(self._understood, answers))

    def understand_frames(self, frames: Sequence[Frame], *, links: bool = True) -> list[Understood]:
        return [Understood(frame, Relevance(0.0, False), ()) for frame in frames]

    def _understood(self, answer: Bytes) -> Understood | PageError:
        body, url, _ = answer
        try:
            about = json.loads(body)
        except ValueError:
            return PageError(because("no text", url=url))
        self.pages += 1
        self.wanted |= about.get("graph", False)
        self.revised |= _places(about.get("revise", {}))
        score = about.get("relevance", 0.0)
        found = [
            *((target, "", "") for target, _ in about["links"]),
            *((target, "", "html/frameset/frame") for target in about.get("frames", ())),
            *((target, anchor, "html/body/h2.title/a") for target, anchor in about.get("headings", ())),
        ]
        plain = tuple(Link(target, anchor, "", 0, 0, "", "", path, frozenset(), 0) for target, anchor, path in found)
        more = {name: about[name] for name in ("canonical", "nofollow", "noindex", "feed", "source") if name in about}
        page = Page(url, about.get("title", url), about.get("text") or _text_of(url), (), plain, **more)
        links = tuple(
            Link(target, "anchor", "", 0, 0, "before ", " after", "", frozenset(about.get("rel", ())), order)
            for order, (target, _) in enumerate(about["links"])
        )
        priorities = [None if told is None else Priority(told, (Reason("anchor", told),)) for _, told in about["links"]]
        records = best_links(replace(page, links=links), priorities)
        return Understood(frame_of(page), Relevance(score, score >= 0.5, (Reason("anchor", score),)), records)

    def revise(self) -> Mapping[str, Priority]:
        revised, self.revised = self.revised, {}
        return revised

    def forget(self, url: str, successor: str | None) -> None:
        self.forgotten.append((url, successor))

    def rejudged(self) -> Sequence[JudgedRecord]:
        news, self.news = self.news, []
        return [record for record in news if record.url not in self.withdrawn]

    def end_learning(self) -> None:
        """Do nothing."""

    def settle(self) -> Iterator[JudgedRecord]:
        found, self.settled = self.settled, []
        return (record for record in found if record.url not in self.withdrawn)

    def withdraw(self, url: str) -> None:
        self.withdrawn.append(url)

    def choose(self, urls: Sequence[str]) -> None:
        """Learn nothing."""

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        return ()

    def miss(self, urls: Sequence[str]) -> None:
        self.missed += urls

    def interned(self, url: str) -> str:
        return url

    def lay_aside(self, held: Collection[str]) -> Sequence[tuple[str, bytes]]:
        return ()

    def bring_in(self, urls: Sequence[str], read: Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]) -> None:
        """Know nothing of links."""

    def wants_graph(self) -> bool:
        return self.wanted

    def receive_graph(self, graph: LinkGraph) -> None:
        """Give every page of the graph a different priority, the first one the highest."""
        self.wanted = False
        self.graphs.append(graph)
        self.revised = _places({url: 1 - n / 10 for n, url in enumerate(graph.pages)})

    def remember(self) -> bytes:
        return str(self.pages).encode()

    def restore(self, memory: bytes) -> None:
        self.pages = int(memory)


def _text_of(url: str) -> str:
    """A text that no other page has."""
    return " ".join(sha256(f"{url} {n}".encode()).hexdigest() for n in range(4))


def _places(scores: Mapping[str, float]) -> dict[str, Priority]:
    return {url: Priority(score, (Reason("link graph", score),)) for url, score in scores.items()}


class FakeStore:
    """A store in memory; the test sets its link graph."""

    def __init__(self, *seeds: str) -> None:
        self.queue = {url: QueuedRecord(url, 1.0, 0) for url in seeds}
        self.pages: dict[str, PageRecord] = {}
        self.counters = Counters()
        self.memory = b""
        self.batches: list[Batch] = []
        self.graph = NO_GRAPH

    def save(self, batch: Batch) -> None:
        self.batches.append(batch)
        for page in batch.pages:
            assert page.url not in self.pages, f"{page.url} ended twice"
            self.queue.pop(page.url, None)
            self.pages[page.url] = page
            for found in page.queued:
                assert found.raised == (found.url in self.queue)
                if found.url not in self.pages:
                    self.queue[found.url] = found
        for copy in batch.copies:
            nothing = dict.fromkeys(("order", "content", "fingerprint", "presents")) | {"links": (), "mentions": ()}
            page = replace(self.pages[copy.url], copy_of=copy.copy_of, on_topic=False, stale=True, **nothing)
            self.pages[copy.url] = replace(page, reasons=copy.reasons, queued=())
            for url, other in self.pages.items():
                if other.copy_of == copy.url:
                    self.pages[url] = replace(other, copy_of=copy.copy_of)
        for place in batch.revised:
            assert place.url in self.queue
            held = self.queue[place.url]
            self.queue[place.url] = held._replace(priority=place.priority, reasons=place.reasons)
        for judged in batch.judged:
            held = self.pages[judged.url]
            changes = {"relevance": judged.relevance, "on_topic": judged.on_topic, "reasons": judged.reasons}
            self.pages[judged.url] = replace(held, **changes)
        self.counters = batch.counters
        self.memory = batch.memory or self.memory

    def queued(self, most: int | None = None) -> Iterator[QueuedRecord]:
        return iter(sorted(self.queue.values(), key=lambda one: (-one.priority, one.depth, one.found, one.url))[:most])

    def waiting(self) -> Iterator[QueuedRecord]:
        return iter(self.queue.values())

    def known(self) -> Iterator[str]:
        return iter(self.pages)

    def fingerprints(self) -> Iterator[FingerprintRecord]:
        pages = sorted((page for page in self.pages.values() if page.fingerprint), key=lambda page: page.order or 0)
        return iter([fingerprint_record(page) for page in pages])

    def visits(self) -> Iterator[VisitRecord]:
        for page in self.pages.values():
            if page.status == "fetched":
                stale = page.stale or page.order is None
                said_by = page.copy_of if page.order is None else page.url
                yield VisitRecord(page.url, page.parent, bool(page.on_topic), stale, said_by=said_by)
            elif page.status == "failed":
                yield VisitRecord(page.url, failed=True)

    def link_graph(self, most: int = 0) -> LinkGraph:
        return self.graph

    def decide_own_texts(self) -> None:
        pass

    def close(self) -> None:
        pass

    def resumed(self) -> Resumed:
        return Resumed(previous=None, counters=self.counters, memory=self.memory)


class FakeWeb:
    """Answers by address. Those of a list are given in turn, the last one repeatedly; a missing address answers 404."""

    def __init__(self, *answers: Outcome) -> None:
        self.answers: dict[str, list[Outcome]] = {}
        for answer in answers:
            self.answers.setdefault(answer.url, []).append(answer)
        self.asked: list[str] = []

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        return self.answer(url)

    async def close(self) -> None:
        pass

    def answer(self, url: str) -> Outcome:
        self.asked.append(url)
        known = self.answers.get(url)
        if not known:
            return Fetched(url, 404, {}, b"")
        return known.pop(0) if len(known) > 1 else known[0]


@dataclass
class Run:
    """A crawl under a clock by hand. `log`: when each address was asked for, and when its answer came.

    `at_once`: answers that come at the same time are received together, at most so many.
    """

    session: Session
    web: FakeWeb
    latency: float = 0.1
    now: float = 0.0
    log: list[tuple[float, float, str]] = field(default_factory=list)
    ended: str = ""
    store: FakeStore | None = None
    at_once: int = 1
    _open: list[tuple[float, str, bool, Fetch]] = field(default_factory=list)

    def steps(self, most: int = 100_000) -> "Run":
        """Run until this many answers have come, or to the end."""
        for _ in range(most):
            until = self._start()
            if until is None:
                break
            if self._open and self._open[0][0] <= until:
                self.now = self._open[0][0]
                self.session.receive(self._answers(), self.now, STAMP)
            else:
                assert until < math.inf, "the session waits for nothing"
                self.now = until
        return self

    def _answers(self) -> list[Answer]:
        answers: list[Answer] = []
        while self._open and self._open[0][0] <= self.now and len(answers) < self.at_once:
            *_, fetch = heapq.heappop(self._open)
            answers.append((fetch, self.web.answer(fetch.url)))
        return answers

    def _start(self) -> float | None:
        while True:
            match self.session.next_action(self.now):
                case Fetch(url, robots) as fetch:
                    heapq.heappush(self._open, (self.now + self.latency, url, robots, fetch))
                    self.log.append((self.now, self.now + self.latency, url))
                case ReadGraph(any_way):
                    assert self.store is not None
                    self.store.save(self.session.take_batch())
                    self.session.receive_graph(self.store.link_graph(any_way))
                case ReadQueue():
                    if self.store is not None:
                        self.store.save(self.session.take_batch())
                    self.session.receive_queue(self.session.nearest())
                case Wait(until):
                    if until == self.now:  # it has checked many links and started none
                        continue
                    assert until > self.now
                    return until
                case Done(reason):
                    self.ended = reason
                    return None

    @property
    def pages(self) -> list[str]:
        """The addresses requested, without robots.txt."""
        return [url for _, _, url in self.log if not url.endswith("/robots.txt")]


def run(
    web: FakeWeb,
    *seeds: str,
    limits: Limits | None = None,
    store: FakeStore | None = None,
    at_once: int = 1,
    understanding: FakeUnderstanding | None = None,
) -> tuple[Run, FakeStore]:
    """Crawl to the end and save."""
    store = store or FakeStore(*seeds)
    session = start(store, limits, understanding=understanding)
    crawl = Run(session, web, store=store, at_once=at_once).steps()
    store.save(session.take_batch())
    return crawl, store


def start(
    store: FakeStore,
    limits: Limits | None = None,
    allow_traps: Sequence[str] = (),
    understanding: FakeUnderstanding | None = None,
    after: HandedOn | None = None,
) -> Session:
    return Session(
        understanding or FakeUnderstanding(),
        limits or Limits(max_pages=1000),
        store.resumed(),
        store.queued(),
        store.known(),
        fingerprints=store.fingerprints(),
        traps=Traps(store.visits(), allow_traps),
        results=[visit.url for visit in store.visits() if visit.on_topic],
        after=after,
    )


def failed(url: str, kind: str) -> Failed:
    return Failed(url, kind)
