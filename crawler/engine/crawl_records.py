"""Records of answered addresses, the batch that will be saved next, and the counts of a run.

- `ending`: from the one answer of an address to its record. No I/O; the session counts, and queues the links.
- `Unsaved`: what the store does not have yet.
- `Tally`, `RunCounts`, `Progress`: counts, and the crawl's state at one moment, for people and for `--json`.
"""

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from crawler.frontier.priority_queue import Entry
from crawler.ports import NOT_IN_ARCHIVE, Failed, Fetched, Outcome, Refused
from semantic.frame import Frame
from semantic.page import FEED
from semantic.parsing.document_types import has_page, is_redirect
from semantic.parsing.fingerprint import Fingerprint
from semantic.reasons import Evidence, PageError, Reason, Reasons, because, called
from semantic.records import (
    AskedRecord,
    Batch,
    CopyRecord,
    Counters,
    JudgedRecord,
    LinkRecord,
    OutsideRecord,
    PageRecord,
    Priority,
    RevisedRecord,
    SiteRecord,
    Status,
    TrapRecord,
)
from semantic.understanding import Understood
from semantic.urls import ROBOTS_PATH, domain_of, host_of, is_page_like, is_robots_url, normalise

NOINDEX = because("noindex", because("the page asks not to be a result"))
RESERVED = because("reserved", because("obeyed"))
LATELY, FEWEST = 200, 20  # pages by which the pace is told, and the fewest; chosen, not measured
NEEDS_SCRIPT = because("not rendered")
_SCRIPTS = {"rendered": "run", "not rendered": "needed"}  # by a remark's kind, `PageRecord.script`
MAX_REDIRECTS = 5  # in a row; the limit that RFC 9309, 2.3.1.2, names for robots.txt
LONGEST_VALIDATOR = 1000  # characters of an ETag or Last-Modified that is stored; chosen, not measured


@dataclass(frozen=True, slots=True)
class AddressEnding:
    """How an address ended.

    - `error`: the kind of error that is counted, '' for none.
    - `fingerprint`: the page's; None if it is not a page.
    - `sources`: addresses of the feed or sitemaps that it names.
    - `onward`: addresses that stand for the page (`semantic.frame.Frame`).
    - `titles`: see `semantic.parsing.fingerprint.presented_as`.
    """

    record: PageRecord
    error: str = ""
    fingerprint: Fingerprint | None = None
    sources: tuple[str, ...] = ()
    onward: tuple[str, ...] = ()
    titles: frozenset[str] = frozenset()


def ending(entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None) -> AddressEnding:
    """The end of an address by an answer that came at `stamp` (ISO text). `read`: what `Understanding` made of the
    answer.
    """
    if isinstance(outcome, Refused):
        return AddressEnding(refused(entry, outcome.reason, stamp))
    if isinstance(outcome, Failed):
        failed = _failed(entry, Reason(outcome.kind, evidence=_shown(outcome.detail)), stamp)
        return failed if outcome.asked else AddressEnding(failed.record)  # what was not asked for is no error
    if isinstance(read, Understood):
        return _fetched(entry, read, stamp, outcome)
    if is_redirect(outcome.status, outcome.headers):
        return _redirected(entry, outcome, stamp)
    if not has_page(outcome.status, outcome.headers):
        return _failed(entry, because("http", status=outcome.status), stamp, outcome.status)
    media_type = outcome.headers.get("content-type", "")
    why = because("no page", read.why) if read else Reason("not HTML", evidence=_shown(media_type))
    return _failed(entry, why, stamp, outcome.status)


def refused(entry: Entry, reason: Reason, stamp: str = "") -> PageRecord:
    """The record of an address that may not be fetched."""
    return _without_page(entry, "refused", stamp, None, reasons=(reason,))


def _failed(entry: Entry, reason: Reason, stamp: str, status: int | None = None) -> AddressEnding:
    record = _without_page(entry, "failed", stamp, status, reasons=(reason,))
    return AddressEnding(record, called(reason))


def _shown(detail: str | Reason) -> Evidence:
    return (detail,) if detail else ()


def _redirected(entry: Entry, outcome: Fetched, stamp: str) -> AddressEnding:
    location = outcome.headers["location"]
    target = normalise(location, entry.url)
    if target is None or target == entry.url or not (is_page(target) or _is_source(entry, target)):
        return _failed(entry, because("redirect", because("leads nowhere", where=location)), stamp, outcome.status)
    if entry.redirects >= MAX_REDIRECTS:
        return _failed(entry, because("redirect", because("too many redirects")), stamp, outcome.status)
    link = LinkRecord(target, "", "", entry.priority, 0, (Reason("redirect"),))
    said = (because("leads to", url=target),)
    return AddressEnding(_without_page(entry, "redirected", stamp, outcome.status, reasons=said, links=(link,)))


def _without_page(  # noqa: PLR0913 - what an answer without a page leaves
    entry: Entry,
    status: Status,
    stamp: str,
    http_status: int | None,
    *,
    reasons: Reasons = (),
    links: tuple[LinkRecord, ...] = (),
) -> PageRecord:
    """The record of an address that gave no page."""
    return PageRecord(
        url=entry.url,
        status=status,
        depth=entry.depth,
        priority=entry.priority,
        parent=entry.parent or None,
        http_status=http_status,
        fetched_at=stamp,
        reasons=reasons,
        links=links,
    )


def _fetched(entry: Entry, read: Understood, stamp: str, outcome: Fetched) -> AddressEnding:
    frame = read.frame
    record = _page_record(entry, read, stamp, outcome)
    if frame.source:
        return AddressEnding(_source_record(record, frame), sources=frame.sitemaps)
    sources = (frame.feed,) if frame.feed and not frame.nofollow else ()
    onward = tuple(filter(is_page, frame.onward)) if entry.redirects < MAX_REDIRECTS else ()
    return AddressEnding(record, fingerprint=frame.fingerprint, sources=sources, onward=onward, titles=frame.titles)


def _validator(given: str | None) -> str | None:
    """An ETag or Last-Modified, if it can be sent back in a request."""
    return given if given and len(given) <= LONGEST_VALIDATOR and given.isascii() and given.isprintable() else None


def _source_record(record: PageRecord, frame: Frame) -> PageRecord:
    """The record of a feed or sitemap: its links; it is not a result and does not count as a page.

    A feed may link to any host. A sitemap may only link to hosts of its own domain, and of the one whose robots.txt
    named it.
    """
    source = frame.source
    domains = {domain_of(host_of(url)) for url in (record.url, record.parent or record.url)}
    links = tuple(link for link in record.links if source == FEED or domain_of(host_of(link.url)) in domains)
    return replace(
        record,
        relevance=None,
        on_topic=False,
        reasons=(because(source),),
        content=frame.content,
        links=links,
        mentions=(),
        presents=None,
    )


_SOURCE_ENDINGS = (".xml", ".rss", ".atom")


def _is_source(entry: Entry, target: str) -> bool:
    """Whether a redirect may lead to this address, which does not look like a page: from a feed or a sitemap, or to one
    (`/feed` -> `/index.xml`).
    """
    is_named_so = target.partition("?")[0].lower().endswith(_SOURCE_ENDINGS)
    return (is_named_so or not is_page_like(entry.url)) and not is_robots_url(target)


def _page_record(entry: Entry, read: Understood, stamp: str, outcome: Fetched) -> PageRecord:
    frame, relevance, headers = read.frame, read.relevance, outcome.headers
    script = _SCRIPTS.get(outcome.remark.kind) if outcome.remark else None
    if script == "run":  # the server knows nothing of what its scripts show: the page is always fetched again
        headers = {}
    return PageRecord(
        url=entry.url,
        status="fetched",
        depth=entry.depth,
        priority=entry.priority,
        parent=entry.parent or None,
        http_status=outcome.status,
        fetched_at=stamp,
        title=frame.title,
        language=frame.language,
        canonical=frame.canonical,
        relevance=relevance.score,
        on_topic=relevance.on_topic and not frame.noindex,
        reasons=(*_withheld(frame), *((outcome.remark,) if outcome.remark else ()), *relevance.reasons),
        content=None if frame.noindex else frame.content,
        parts=frame.parts,
        links=() if frame.nofollow else _without_robots(read.links),
        mentions=() if frame.noindex else frame.mentions,
        etag=_validator(headers.get("etag")),
        last_modified=_validator(headers.get("last-modified")),
        presents=frame.presents,
        kind=frame.kind,
        reserved=frame.reserved or None,
        script=script,
        declared=frame.declared,
        leads=relevance.leads,
    )


def _withheld(frame: Frame) -> Reasons:
    """Why a page is no result whatever it is about."""
    if frame.error:
        return (because("error page", words=frame.error),)
    return (RESERVED,) if frame.obeyed else (NOINDEX,) if frame.noindex else ()


def _without_robots(links: tuple[LinkRecord, ...]) -> tuple[LinkRecord, ...]:
    if not any([ROBOTS_PATH in link.url for link in links]):
        return links
    return tuple([link for link in links if not is_robots_url(link.url)])


def is_page(url: str) -> bool:
    """Whether an address may be a page of the crawl."""
    return is_page_like(url) and not is_robots_url(url)


class Unsaved:
    """Collects one batch, in order; of several changes to a waiting page only the last one counts."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._pages: list[PageRecord] = []
        self._sites: list[SiteRecord] = []
        self._away: dict[str, str] = {}
        self._revised: dict[str, tuple[float, Reasons]] = {}
        self._asked: list[AskedRecord] = []
        self._judged: dict[str, JudgedRecord] = {}
        self._copies: list[CopyRecord] = []
        self._outside: dict[str, str] = {}
        self._laid_aside: list[tuple[str, bytes]] = []
        self._raised: list[tuple[str, float]] = []
        self._links = 0

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of pages (with hosts to be left alone), and of links (with other small changes)."""
        pages = len(self._pages) + len(self._asked) + len(self._away)
        return pages, self._links + len(self._revised) + len(self._judged) + len(self._outside)

    @property
    def has_laid_aside(self) -> bool:
        """Whether the next batch has what the strategy knew of links that it holds no more."""
        return bool(self._laid_aside)

    def lay_aside(self, known: Iterable[tuple[str, bytes]]) -> None:
        """Add what the strategy knew of waiting links that it holds no more."""
        self._laid_aside.extend(known)

    def raise_host(self, host: str, by: float) -> None:
        """Add to the priorities of a host's waiting links that were saved before."""
        self._raised.append((host, by))

    def end(self, record: PageRecord, why: Sequence[Reason] = ()) -> None:
        """Add an answered address. `why` it was chosen; if not given, the reasons of its last priority are used."""
        revised = self._revised.pop(record.url, None)
        reasons = why or (revised[1] if revised else ())
        if reasons:
            record = replace(record, chosen=tuple(reasons))
        self._judged.pop(record.url, None)
        self._pages.append(record)
        self._links += len(record.links)

    def judge(self, record: JudgedRecord) -> None:
        """Add a new relevance of a page fetched before."""
        self._judged[record.url] = record

    def withdraw(self, url: str) -> None:
        """Drop the new relevance of a page that is no result any more."""
        self._judged.pop(url, None)

    def asked(self, record: AskedRecord) -> None:
        """Add a page that was fetched again and did not change."""
        self._asked.append(record)

    def outside(self, url: str, why: str) -> None:
        """Add an address that is out of scope."""
        self._revised.pop(url, None)
        self._outside[url] = why

    def replaced(self, record: CopyRecord) -> None:
        """Add a former page that became a copy."""
        self._copies.append(record)

    def site(self, record: SiteRecord) -> None:
        """Add what is known about a site."""
        self._sites.append(record)

    def away(self, host: str, until: str) -> None:
        """Add a host that wants to be left alone until a time (ISO text)."""
        self._away[host] = until

    def revise(self, url: str, priority: Priority) -> None:
        """Add a new priority of a waiting page."""
        self._revised[url] = priority

    def raise_again(self, link: LinkRecord) -> None:
        """Note that a link raised a waiting page: priorities revised since the last batch no longer apply."""
        if link.url in self._revised:
            self._revised[link.url] = link.priority or 0.0, link.reasons

    def take(self, counters: Counters, memory: bytes, traps: tuple[TrapRecord, ...] | None) -> Batch:
        """The batch; then the next one begins."""
        batch = Batch(
            pages=tuple(self._pages),
            sites=tuple(self._sites),
            counters=counters,
            memory=memory,
            revised=tuple(RevisedRecord(url, *place) for url, place in self._revised.items()),
            asked=tuple(self._asked),
            judged=tuple(self._judged.values()),
            away=tuple(self._away.items()),
            copies=tuple(self._copies),
            outside=tuple(OutsideRecord(*told) for told in self._outside.items()),
            traps=traps,
            laid_aside=self._laid_aside,
            raised=tuple(self._raised),
        )
        self._begin()
        return batch


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of the crawl. Totals are over all its sessions; `pages_per_s`, `errors_by_kind` and `refusals` are of
    this run.

    - `left`: seconds, from and to, in which the pages left will probably come; None if nothing tells yet.
    - `awaited`: the host that is waited for, and for how many seconds yet; None if none is. `open`: open requests.
    - `seconds`: of crawling. `queued`: waiting links; `best`: the best of them, with its priority.
    - `before_settling`: pages on topic before all were judged again at the end, None before that.
    - `missing`: addresses that the archive does not have, in this run.
    - `refusals`: by reason. `outside`: addresses out of scope that this run found, by the option that says so.
    - `stopped`: '' while running, then `max-pages`, `max-minutes`, `enough` (results), `covered` (every concept),
      `queue-empty`, `unreachable` (what waits is out of reach), `interrupted`, or `changed` (another session continues
      the run).
    - `cut`: links that wait behind traps, and the number of these traps: while it runs those whose turn came, at the
      end all of them, as in the last batch. `too_deep`: links beyond the crawl's depth.
    - `wanted`: pages still to be fetched again; `asked`: what happened to the others (`crawler.recrawl.revisits`).
    - `graph_at`: the number of pages on topic when this run first read the link graph G_w, None if it never did.
    - `copies`: addresses with the text of another page. `given_up`: what is no longer requested, and why.
    - `covered`: covered concepts and all that can be covered, None without a coverage goal; `lacking`: at the end, the
      concepts that are not covered, with their pages (`crawler.engine.coverage_goal`).
    """

    pages: int = 0
    on_topic: int = 0
    before_settling: int | None = None
    requests: int = 0
    errors: int = 0
    inversions: int = 0
    seconds: float = 0.0
    pages_per_s: float = 0.0
    left: tuple[float, float] | None = None
    awaited: tuple[str, float] | None = None
    open: int = 0
    queued: int = 0
    best: tuple[str, float] | None = None
    errors_by_kind: Mapping[str, int] = field(default_factory=dict)
    missing: int = 0
    refusals: Mapping[Reason, int] = field(default_factory=dict)
    stopped: str = ""
    cut: tuple[int, int] = (0, 0)
    wanted: int = 0
    asked: Mapping[str, int] = field(default_factory=dict)
    graph_at: int | None = None
    too_deep: int = 0
    copies: int = 0
    given_up: str = ""
    covered: tuple[int, int] | None = None
    lacking: Sequence[tuple[str, int]] = ()
    outside: Mapping[str, int] = field(default_factory=dict)

    @property
    def harvest_rate(self) -> float:
        """Pages on topic / pages; 0 before the first page."""
        return self.on_topic / self.pages if self.pages else 0.0


@dataclass(slots=True)
class RunCounts:
    """Counts of one run, over all its sessions.

    - `began`: the crawl's totals when the run began.
    - `errors`: by kind; `missing`: addresses that the archive lacks; `refusals`: by reason.
    - `outside`: addresses out of scope, by the option that says so.
    - `asked`: what happened to pages that were fetched again.
    - `graph_at`: pages on topic when the link graph was first read.
    - `given_up`: what is no longer requested, and why.
    - `lately`: when the last pages came, in seconds of the session's clock.
    """

    began: Counters
    errors: Counter[str] = field(default_factory=Counter)
    missing: int = 0
    refusals: Counter[Reason] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    graph_at: int | None = None
    given_up: str = ""
    outside: Counter[str] = field(default_factory=Counter)
    lately: deque[float] = field(default_factory=lambda: deque(maxlen=LATELY))


class Tally:
    """The totals of the crawl during this session. Times are seconds of the session's clock."""

    def __init__(self, before: Counters, run: RunCounts) -> None:
        """`before`: the totals when this session began."""
        self.run = run
        self.pages, self.requests = before.pages, before.requests
        self.errors, self.copies = before.errors, before.copies
        self.now = 0.0
        self._before = before
        self._began: float | None = None

    def tick(self, now: float) -> bool:
        """Set the time; returns whether this is the first call."""
        is_first = self._began is None
        if is_first:
            self._began = now
        self.now = now
        return is_first

    def fail(self, kind: str) -> None:
        """Count an error. That an archive lacks an address is none, and is counted apart."""
        if kind == NOT_IN_ARCHIVE:
            self.run.missing += 1
            return
        self.errors += 1
        self.run.errors[kind] += 1

    def totals(self, on_topic: int, inversions: int) -> Counters:
        """The totals. `inversions`: those of this session."""
        seconds = 0.0 if self._began is None else self.now - self._began
        return Counters(
            pages=self.pages,
            on_topic=on_topic,
            requests=self.requests,
            errors=self.errors,
            inversions=self._before.inversions + inversions,
            seconds=self._before.seconds + seconds,
            copies=self.copies,
        )

    @property
    def seconds(self) -> float:
        """Of this run."""
        return self.totals(0, 0).seconds - self.run.began.seconds

    def count(self, pages: int) -> None:
        """Count pages that came now."""
        self.pages += pages
        self.run.lately.extend([self.now] * pages)

    def rate(self) -> float:
        """Pages per second in this run; 0 before any time has passed."""
        return (self.pages - self.run.began.pages) / self.seconds if self.seconds > 0 else 0.0

    def pace(self) -> float:
        """Pages per second, of the last `LATELY` pages; inf before there are as many as tell anything."""
        if len(self.run.lately) < FEWEST:
            return math.inf
        seconds = self.now - self.run.lately[0]
        return (len(self.run.lately) - 1) / seconds if seconds > 0 else math.inf
