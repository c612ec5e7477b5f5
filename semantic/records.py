"""What passes between the crawl and its record. Plain values, so that `crawler` and `graphdb` stay strangers.

Where a record has `reasons`, as people read them, its `shares` are the same as data (`semantic.records.shares_of`).

First the scores: how much a page is about the topic (`Relevance`), a link's place in the queue (`Priority`), and why.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Reason(NamedTuple):
    """One part of a score: `share` is what it adds, `what` names it, `detail` shows the evidence.

    `concept`: the IRI of what is named, where it is a concept: it may have several names, and share one.
    """

    share: float
    what: str
    detail: str = ""
    concept: str = ""

    def __str__(self) -> str:
        return f"{self.share:+.3f} {self.what}" + (f": {self.detail}" if self.detail else "")


Shares = tuple[tuple[str, float], ...]


def shares_of(reasons: Iterable[Reason]) -> Shares:
    """What each thing adds to a score: by its IRI, or by its name where it is no concept."""
    shares: dict[str, float] = {}
    for reason in reasons:
        of = reason.concept or reason.what
        shares[of] = shares.get(of, 0.0) + reason.share
    return tuple(shares.items())


@dataclass(frozen=True, slots=True)
class Relevance:
    """`score` >= 0, `on_topic` by the judge's threshold; the shares of `reasons` add up to the score."""

    score: float
    on_topic: bool
    reasons: tuple[Reason, ...] = ()


class Priority(NamedTuple):
    """The place of a link in the queue, higher first; the shares of `reasons` add up to the score."""

    score: float
    reasons: tuple[Reason, ...] = ()


Status = Literal["queued", "fetched", "failed", "refused", "redirected"]


ANCHOR = "anchor"  # among the positions of mentions; see `semantic.page.Position`


class LinkRecord(NamedTuple):
    """(page)-[:LINKS_TO]->(url); at most one a target and page. `priority` is None where the strategy discarded it."""

    url: str
    anchor: str
    context: str
    priority: float | None
    position: int
    reasons: tuple[str, ...] = ()
    shares: Shares = ()


@dataclass(frozen=True, slots=True)
class MentionRecord:
    """(page)-[:MENTIONS]->(concept). `where`: occurrences by position; `weight`: what the mentions add to relevance."""

    concept: str
    count: int
    weight: float
    where: Mapping[str, int]


class QueuedRecord(NamedTuple):
    """A page known and waiting: new to the crawl, or its priority raised (`raised`).

    `found`: rank of discovery; among equals the first found comes first. Loaded by priority (highest first), depth,
    `found`, url.
    """

    url: str
    priority: float
    depth: int
    parent: str | None = None
    redirects: int = 0
    raised: bool = False
    reasons: tuple[str, ...] = ()
    found: int = 0
    shares: Shares = ()


@dataclass(frozen=True, slots=True)
class RevisedRecord:
    """The new place of a waiting page, better or worse than before: the strategy knows more than when it was queued."""

    url: str
    priority: float
    reasons: tuple[str, ...] = ()
    shares: Shares = ()


@dataclass(frozen=True, slots=True)
class PageRecord:
    """The end of one address: `fetched` (read, 200), `failed`, `refused` or `redirected` (its one link says where).

    `chosen`: why it had its priority, where that is news to the store; `reasons`: of what became of it; `fingerprint`:
    its text's (`semantic.parsing.fingerprint`), None for a copy; `stale`: it says nothing new
    (`crawler.traps.trap_detection`); `etag` and `last_modified`: as the server gave them, to ask again whether the page
    has changed (RFC 9110, 8.8); `copy_of`: the page with the same text; `presents`: see
    `semantic.parsing.fingerprint`; `kind`: see `semantic.parsing.listings`.
    """

    url: str
    status: Status
    depth: int = 0
    priority: float = 0.0
    parent: str | None = None
    http_status: int | None = None
    fetched_at: str = ""
    order: int | None = None
    title: str = ""
    language: str | None = None
    canonical: str | None = None
    relevance: float | None = None
    on_topic: bool | None = None
    reasons: tuple[str, ...] = ()
    content: bytes | None = None
    links: tuple[LinkRecord, ...] = ()
    mentions: tuple[MentionRecord, ...] = ()
    queued: tuple[QueuedRecord, ...] = ()
    chosen: tuple[str, ...] = ()
    fingerprint: str | None = None
    stale: bool = False
    etag: str | None = None
    last_modified: str | None = None
    copy_of: str | None = None
    presents: str | None = None
    shares: Shares = ()
    kind: str | None = None


class MarkRecord(NamedTuple):
    """What is kept of a page to know copies of it, and which of them represents it best.

    See `crawler.dedup.duplicate_pages`. `withdrawn`: it asks not to be a result, or is gone; `order`: its rank, None
    for a page that had none.
    """

    url: str
    fingerprint: str
    order: int | None = None
    on_topic: bool = False
    withdrawn: bool = False
    canonical: str | None = None
    presents: str | None = None


class CopyRecord(NamedTuple):
    """A page of before that is a copy now: `copy_of`, which came later, has taken its place."""

    url: str
    copy_of: str
    reasons: tuple[str, ...] = ()


class OutsideRecord(NamedTuple):
    """An address that has not ended and is out of the crawl's scope: `why`, by the option that says so."""

    url: str
    why: str


class WantedRecord(NamedTuple):
    """A page that the crawl has and that is to be asked for again, as it was when it was fetched."""

    url: str
    order: int | None
    priority: float
    depth: int
    parent: str | None
    relevance: float
    on_topic: bool
    fingerprint: str | None
    etag: str | None
    last_modified: str | None


class AskedRecord(NamedTuple):
    """A page that was asked for again: not changed at `at` (ISO text), no answer (''), or `gone` with this status.

    What was read of it stays; what is gone is no result any more.
    """

    url: str
    at: str = ""
    gone: int | None = None


@dataclass(frozen=True, slots=True)
class JudgedRecord:
    """What is now said of a page that was fetched before; `mentions` or `kind` None: they stay as they are."""

    url: str
    relevance: float
    on_topic: bool
    reasons: tuple[str, ...]
    mentions: tuple[MentionRecord, ...] | None = None
    shares: Shares = ()
    kind: str | None = None


class VisitRecord(NamedTuple):
    """A page that was fetched, as `crawler.traps.trap_detection` counts it, or an address that failed."""

    url: str
    parent: str | None = None
    on_topic: bool = False
    stale: bool = False
    failed: bool = False


class MentionedRecord(NamedTuple):
    """A page that is no copy, whether it is on topic, and the concepts that it mentions outside of links, by IRI."""

    url: str
    on_topic: bool
    concepts: tuple[str, ...]


class KeptPage(NamedTuple):
    """The end of one address as the record has it. `links`: only where there is no `content` that holds them."""

    url: str
    status: Status
    http_status: int | None
    order: int | None
    title: str
    language: str | None
    reasons: tuple[str, ...]
    content: bytes | None
    links: tuple[LinkRecord, ...] = ()
    depth: int = 0
    copy_of: str | None = None


@dataclass(frozen=True, slots=True)
class SiteRecord:
    """(:Site): `delay` in seconds between fetches, `robots` the text of robots.txt ("" : none)."""

    host: str
    delay: float
    robots: str = ""


@dataclass(frozen=True, slots=True)
class ConceptRecord:
    """(:Concept) with its direct hyponyms as (c)-[:NARROWER]->(d). `names`: all it is called, in every language.

    `label` is the name to show, `label_zh` and `label_en` one in either language, where there is one.
    """

    iri: str
    label: str
    weight: float | None = None
    layer: int | None = None
    narrower: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    label_zh: str | None = None
    label_en: str | None = None


@dataclass(frozen=True, slots=True)
class CrawlRecord:
    """(:Crawl). `topic`: the topic's IRI or the ontology's; `ontology`: the file's name; `fingerprint`: its hash.

    `settings` is JSON text.
    """

    id: str
    topic: str
    ontology: str
    fingerprint: str
    strategy: str
    settings: str
    started_at: str


@dataclass(frozen=True, slots=True)
class Counters:
    """The crawl's running totals, over all its sessions."""

    pages: int = 0
    on_topic: int = 0
    requests: int = 0
    errors: int = 0
    inversions: int = 0
    seconds: float = 0.0
    copies: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """One transaction: pages with their links, mentions and queue entries, sites, totals, and the strategy's memory.

    `revised`: what has changed for pages that wait, each address once; it holds over what `pages` queued. `asked` and
    `judged`: pages fetched before of which nothing new was read, and what is now said of them. `away`: hosts that want
    to be left alone, and until when (ISO text, UTC). `revived`: what waits by links that were discarded before.
    `copies`: pages that are copies now, of this batch or before it, in the order in which they became it; this holds
    over what `pages` says of them. `outside`: addresses out of the crawl's scope, which wait no more if they did; it
    holds over what `pages` queued. `scope`: the scope by which the store's addresses wait or do not, None: as before.
    """

    pages: tuple[PageRecord, ...] = ()
    sites: tuple[SiteRecord, ...] = ()
    counters: Counters = Counters()
    memory: bytes = b""
    revised: tuple[RevisedRecord, ...] = ()
    asked: tuple[AskedRecord, ...] = ()
    judged: tuple[JudgedRecord, ...] = ()
    away: tuple[tuple[str, str], ...] = ()
    revived: tuple[QueuedRecord, ...] = ()
    copies: tuple[CopyRecord, ...] = ()
    outside: tuple[OutsideRecord, ...] = ()
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """What an opened store already holds. `previous` is the crawl as it was stored, None in a new store.

    `waiting`: how many pages wait; `found`: the last rank of discovery among them; `scope`: as the last batch that had
    one said.
    """

    previous: CrawlRecord | None
    counters: Counters
    memory: bytes
    changed: tuple[str, ...] = ()
    waiting: int = 0
    found: int = 0
    scope: str = ""


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """G_w of paper J, definition 5: pages on a way from a seed to a result, and the links among them.

    `any_way`: on whatever way; else on those by which the crawl came to its results. `texts`: page -> anchor text and
    context of the link by which it was found; none for a seed.
    """

    pages: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    results: frozenset[str]
    seeds: frozenset[str]
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    any_way: bool = False
