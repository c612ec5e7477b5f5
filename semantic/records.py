"""The values that pass between the crawl and its record. They are plain, so that `crawler` and `graphdb` need not
import each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from semantic.page import UNDECLARED, Declared
from semantic.reasons import Reason, Reasons


@dataclass(frozen=True, slots=True)
class Relevance:
    """How much a page is about the topic. `score` >= 0; `on_topic` if it reaches the judge's threshold. The shares of
    `reasons` add up to the score. `whole`: the score for its links, where the page itself counts for less (a listing or
    a hub); `leads`: whether that score reaches the threshold.
    """

    score: float
    on_topic: bool
    reasons: Reasons = ()
    whole: float | None = None
    leads: bool = False

    @property
    def for_links(self) -> float:
        """What the page counts for its links."""
        return self.score if self.whole is None else self.whole


class Priority(NamedTuple):
    """Priority of a link in the queue, higher first. The shares of `reasons` add up to the score."""

    score: float
    reasons: Reasons = ()


Mark = Literal["good", "bad", "hub"]  # the expert's of a page; a hub is no result, but its links lead to results
MARKS: tuple[Mark, ...] = get_args(Mark)
Status = Literal["queued", "fetched", "failed", "refused", "redirected"]


ANCHOR = "anchor"  # the position of mentions inside links; see `semantic.page.Position`


class LinkRecord(NamedTuple):
    """(page)-[:LINKS_TO]->(url), at most one for each page and target. `priority` is None where the strategy discarded
    the link.
    """

    url: str
    anchor: str
    context: str
    priority: float | None
    position: int
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class MentionRecord:
    """(page)-[:MENTIONS]->(concept): occurrences in what the page says itself. `where`: these by position. `weight`:
    what they add to the relevance.

    `places`: where each occurrence is (`semantic.parsing.repeated_blocks.place`); () if unknown. By these, occurrences
    in what the host repeats are left out later, so they identify the mention.
    """

    concept: str
    count: int = field(compare=False)
    weight: float
    where: Mapping[str, int] = field(compare=False)
    places: tuple[int, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, which would otherwise ask for the fields by name."""
        return MentionRecord, (self.concept, self.count, self.weight, self.where, self.places)


class QueuedRecord(NamedTuple):
    """An address that waits to be fetched: new to the crawl, or with a higher priority than before (`raised`).

    `found`: rank of discovery. The queue is loaded by priority (highest first), then `depth`, `found`, `url`.
    """

    url: str
    priority: float
    depth: int
    parent: str | None = None
    redirects: int = 0
    raised: bool = False
    reasons: Reasons = ()
    found: int = 0


@dataclass(frozen=True, slots=True)
class RevisedRecord:
    """The new priority of a waiting address, higher or lower: the strategy has learned more since the address was
    queued.
    """

    url: str
    priority: float
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRecord:
    """The outcome of one address: `fetched` (read, status 200), `failed`, `refused`, or `redirected` (its one link is
    the target).

    - `chosen`: why it had its priority, if the store does not have that yet.
    - `reasons`: why the page has its relevance, or why it failed or was refused.
    - `fingerprint`: of its text (`semantic.parsing.fingerprint`); None for a copy. `presents`: see the same module.
    - `stale`: it contains nothing new (`crawler.traps.trap_detection`).
    - `etag`, `last_modified`: as the server sent them, for conditional requests later (RFC 9110, 8.8).
    - `copy_of`: address of the page with the same text.
    - `kind`: article or listing (`semantic.parsing.page_kind`).
    - `reserved`: by what it is reserved for text and data mining, None if by nothing.
    - `script`: "needed" if its text needs scripts that were not run, or in vain; "run" if they made it; else None.
    - `parts`: those of its text (`semantic.parsing.repeated_blocks`); b"" if unknown.
    - `declared`: its dates, its author and the name of its site.
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
    reasons: Reasons = ()
    content: bytes | None = None
    parts: bytes = b""
    links: tuple[LinkRecord, ...] = ()
    mentions: tuple[MentionRecord, ...] = ()
    queued: tuple[QueuedRecord, ...] = ()
    chosen: Reasons = ()
    fingerprint: str | None = None
    stale: bool = False
    etag: str | None = None
    last_modified: str | None = None
    copy_of: str | None = None
    presents: str | None = None
    kind: str | None = None
    reserved: str | None = None
    script: str | None = None
    declared: Declared = UNDECLARED
    leads: bool = False

    @property
    def is_leading(self) -> bool:
        """Whether it is a result, a hub, or a listing that would be a result by all that it says, and has text."""
        return bool(self.on_topic) or (self.leads and self.content is not None)


class FingerprintRecord(NamedTuple):
    """What is needed of a page to recognise copies of it and to choose which of them is the original.

    See `crawler.dedup.duplicate_pages`. `withdrawn`: the page asks not to be a result, or is gone. `order`: its rank of
    fetching, None if it had none.
    """

    url: str
    fingerprint: str
    order: int | None = None
    on_topic: bool = False
    withdrawn: bool = False
    canonical: str | None = None
    presents: str | None = None


class CopyRecord(NamedTuple):
    """A page fetched earlier that has become a copy: `copy_of`, fetched later, is now the original."""

    url: str
    copy_of: str
    reasons: Reasons = ()


class OutsideRecord(NamedTuple):
    """An address without an outcome yet that is outside the crawl's scope. `why`: the option that excludes it."""

    url: str
    why: str


class WantedRecord(NamedTuple):
    """A page to be requested again, with its values from the last fetch."""

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
    """A page that was requested again without a new body.

    `at`: when it was found unchanged (ISO text), "" if there was no answer. `gone`: the HTTP status if it no longer
    exists; then it is no result any more, without relevance and mentions. Its text and its links stay stored.
    """

    url: str
    at: str = ""
    gone: int | None = None


@dataclass(frozen=True, slots=True)
class JudgedRecord:
    """The new judgement of a page fetched earlier. Where `mentions` or `kind` is None, the stored value stays.

    `unsaid`: the concepts whose stored mentions go before `mentions` are added; None: all go. `leads`: as in
    `Relevance`.
    """

    url: str
    relevance: float
    on_topic: bool
    reasons: Reasons
    mentions: tuple[MentionRecord, ...] | None = None
    kind: str | None = None
    unsaid: tuple[str, ...] | None = None
    leads: bool = False

    @property
    def is_leading(self) -> bool:
        """Whether it is a result, a hub, or a listing that would be a result by all that it says."""
        return self.on_topic or self.leads


class VisitRecord(NamedTuple):
    """A fetched page or a failed address, as `crawler.traps` counts it. `said_by`: the page with its text: itself, of a
    copy its page; None for what is no page, such as a feed. `leads`: it is on topic, or a listing that is by all that
    it says.
    """

    url: str
    parent: str | None = None
    on_topic: bool = False
    stale: bool = False
    failed: bool = False
    said_by: str | None = None
    leads: bool = False


class HostRecord(NamedTuple):
    """What a person wants of a host. `banned`: nothing is fetched from it. `raised`: what is added to the priorities of
    its links; 0 for nothing.
    """

    host: str
    banned: bool = False
    raised: float = 0.0


@dataclass(frozen=True, slots=True)
class TrapRecord:
    """A trap that links wait behind. `trap`: its name, for --allow-trap. `kind`: see `trap_detection.kind_of`.

    `why`: as data. `links`: the number of waiting links behind it; `first`: the best of them.
    """

    trap: str
    kind: str
    why: Reason
    first: str
    links: int = 0


class MentionedRecord(NamedTuple):
    """A page that is no copy: whether it is on topic, and the IRIs of the concepts that it mentions outside of
    links.
    """

    url: str
    on_topic: bool
    concepts: tuple[str, ...]


class Standing(NamedTuple):
    """How the record judges a page that may be a result. `verdict`: the expert's mark, as it is stored."""

    relevance: float
    on_topic: bool
    verdict: str | None
    kind: str | None


class StoredPage(NamedTuple):
    """The outcome of one address, read back from the record. `links` is filled only if there is no `content` that holds
    them. `mentions`: those in the graph; `standing`: of a page that may be a result; None if these were not read.
    """

    url: str
    status: Status
    http_status: int | None
    order: int | None
    title: str
    language: str | None
    reasons: Reasons
    content: bytes | None
    links: tuple[LinkRecord, ...] = ()
    depth: int = 0
    copy_of: str | None = None
    mentions: tuple[MentionRecord, ...] | None = None
    standing: Standing | None = None


@dataclass(frozen=True, slots=True)
class SiteRecord:
    """(:Site). `delay`: seconds between fetches. `robots`: the text of robots.txt, "" for none."""

    host: str
    delay: float
    robots: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptRecord:
    """(:Concept) with its direct hyponyms as (c)-[:NARROWER]->(d).

    `label` is the name to show; `label_zh` and `label_en` are names in these languages, where there are any. `names`:
    all names in every language.
    """

    iri: str
    label: str
    weight: float | None = None
    layer: int | None = None
    narrower: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    label_zh: str | None = None
    label_en: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlRecord:
    """(:Crawl). `topic`: IRI of the topic, or of the ontology. `ontology`: name of the file. `fingerprint`: hash of the
    file. `settings`: JSON text.
    """

    id: str
    topic: str
    ontology: str
    fingerprint: str
    strategy: str
    settings: str
    started_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """The crawl's totals over all its sessions. `seconds`: of crawling."""

    pages: int = 0
    on_topic: int = 0
    requests: int = 0
    errors: int = 0
    inversions: int = 0
    seconds: float = 0.0
    copies: int = 0


class Nearest(NamedTuple):
    """The part of a long queue that a crawl holds in memory, by the record. A place in the queue is the priority,
    negative, and the rank of finding.

    - `links`: the waiting pages in it, without reasons. `total`: the number of all waiting pages.
    - `end`: all others have this place or a later one, except those left out on purpose and those of `beyond`. None:
      all were looked at.
    - `beyond`: hosts with too many pages, and the first place of those that are not in it.
    """

    links: Sequence[QueuedRecord]
    total: int
    end: tuple[float, int] | None = None
    beyond: Mapping[str, tuple[float, int]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """One transaction: pages with their links, mentions and queue entries, sites, totals, and the strategy's memory.

    - `revised`: new priorities of waiting addresses, each address once; they override those in `pages`.
    - `asked`: pages requested again without a new body. `judged`: new judgements of pages fetched earlier.
    - `away`: hosts that asked not to be contacted, and until when (ISO text, UTC).
    - `revived`: addresses that wait again because links to them were discarded earlier and are not now.
    - `copies`: pages that have become copies, of this batch or of earlier ones, in the order in which they did; they
      override what `pages` says of them.
    - `outside`: addresses outside the crawl's scope, which no longer wait; they override the queue entries in `pages`.
    - `scope`: the scope under which the store's addresses wait; None if unchanged.
    - `traps`: those that links wait behind, instead of those of before; None if unchanged.
    - `laid_aside`: addresses of waiting pages that the strategy holds no more, and what it knew of them; belongs to
      `memory`.
    - `raised`: hosts, and what is added to the priorities of their waiting pages that were saved before.
    """

    pages: tuple[PageRecord, ...] = ()
    sites: tuple[SiteRecord, ...] = ()
    counters: Counters = Counters()
    revised: tuple[RevisedRecord, ...] = ()
    asked: tuple[AskedRecord, ...] = ()
    judged: tuple[JudgedRecord, ...] = ()
    away: tuple[tuple[str, str], ...] = ()
    revived: tuple[QueuedRecord, ...] = ()
    copies: tuple[CopyRecord, ...] = ()
    outside: tuple[OutsideRecord, ...] = ()
    scope: str | None = None
    traps: tuple[TrapRecord, ...] | None = None
    laid_aside: Sequence[tuple[str, bytes]] = ()
    raised: tuple[tuple[str, float], ...] = ()
    memory: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """What a store contains when it is opened.

    `previous`: the crawl as stored, None in a new store. `waiting`: number of waiting addresses. `found`: the highest
    rank of discovery among them. `scope`: from the last batch that had one.
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
    """G_w of paper J, definition 5: the pages on a path from a seed to a result, and the links between them.

    `any_way`: whether all such paths are included, or only those by which the crawl discovered its results. `texts`:
    page -> anchor text and context of the link by which it was found; seeds have no entry.
    """

    pages: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    results: frozenset[str]
    seeds: frozenset[str]
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    any_way: bool = False
