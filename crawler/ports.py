"""What the crawl needs from outside: a source that answers fetches, a store that keeps the record.

Header fields of an answer, whoever gave it: the network or a WARC file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from semantic.records import (
    Batch,
    ConceptRecord,
    CrawlRecord,
    KeptPage,
    LinkGraph,
    MarkRecord,
    MentionedRecord,
    OutsideRecord,
    QueuedRecord,
    Resumed,
    VisitRecord,
    WantedRecord,
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A whole answer, decompressed. Header names are lower case."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Failed:
    """No usable answer. `kind` is a short word that is counted (`timeout`, `dns`, ...); `detail` for people.

    `seconds`: for how long it was waited for. `asked`: whether a request was made; if not, none like it will be.
    """

    url: str
    kind: str
    detail: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    asked: bool = True


@dataclass(frozen=True, slots=True)
class Refused:
    """Not asked for: a private address, a scheme we do not speak."""

    url: str
    reason: str


Outcome = Fetched | Failed | Refused


def seconds_of(outcome: Outcome) -> float:
    """How long it took."""
    return 0.0 if isinstance(outcome, Refused) else outcome.seconds


Conditions = tuple[
    tuple[str, str], ...
]  # header fields that make a request conditional (RFC 9110, 13.1), to be answered by 304


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer as they went over the wire, the transfer coding undone; lines without their end.

    `sent`: when it was asked (UTC); `truncated`: why the body is not whole (see `crawler.archive.warc_format`), or ''.
    """

    url: str
    sent: datetime
    request_line: bytes
    request_headers: tuple[tuple[bytes, bytes], ...]
    status_line: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    truncated: str = ""


class Recorder(Protocol):
    """Keeps exchanges as they were."""

    async def record(self, exchange: Exchange) -> None:
        """Keep one, before its answer is used. Raises CrawlBroken where it cannot be kept."""
        ...

    def close(self) -> None:
        """Finish what was handed over."""
        ...


class Source(Protocol):
    """The network, an archive, or a test's fake. Redirects are answers (status 3xx), never followed here."""

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Answer one GET within the source's caps on time and size; never raises for what a server can do.

        `robots`: it is asked for as a robots.txt, wherever it has moved to.
        """
        ...

    async def close(self) -> None:
        """Free connections."""
        ...


class Record(Protocol):
    """What a crawl asks of its store while it runs. All block, and are called from threads: `waiting` from one of its
    own, the others from another, one at a time.
    """

    def save(self, batch: Batch) -> None:
        """Commit everything of the batch in one transaction. Raises StoreAway where the store may answer later."""
        ...

    def waiting(self) -> Iterator[QueuedRecord]:
        """All waiting pages, in no order."""
        ...

    def link_graph(self, most: int = 0) -> LinkGraph:
        """G_w of paper J, definition 5, from what was saved so far.

        Of at most `most` pages fetched it holds those on any way to a result, else those on the crawl's own ways.
        """
        ...


class Store(Record, Protocol):
    """The record of one crawl. All methods block."""

    def open_crawl(
        self, crawl: CrawlRecord, concepts: Sequence[ConceptRecord], seeds: Sequence[QueuedRecord]
    ) -> Resumed:
        """Begin, or go on with, the one crawl of this store. Raises StoreError if the store holds another topic."""
        ...

    def queued(self, most: int | None = None) -> Iterator[QueuedRecord]:
        """The waiting pages, best first; of many about the best `most`."""
        ...

    def known(self) -> Iterator[str]:
        """The addresses of all pages that are not waiting."""
        ...

    def discarded(self) -> Iterator[str]:
        """The addresses to which only links lead that the strategy discarded."""
        ...

    def outside(self) -> Iterator[OutsideRecord]:
        """The addresses that have not ended and are out of the crawl's scope."""
        ...

    def places_by_links(self, urls: Sequence[str]) -> Iterator[QueuedRecord]:
        """What these addresses, which do not wait, would wait as: by the place they had, else by their best link."""
        ...

    def keep_settings(self, settings: str) -> None:
        """The crawl goes on with these (JSON)."""
        ...

    def kept_pages(self) -> Iterator[KeptPage]:
        """Every address that ended, as it was kept: pages in the order of fetching, copies, then what was no page."""
        ...

    def fingerprints(self) -> Iterator[MarkRecord]:
        """What is kept of every page that is no copy, to know copies of it, in the order of fetching."""
        ...

    def unremembered(self) -> Iterator[KeptPage]:
        """What ended after the strategy's memory was saved: pages in the order of fetching, then what was no page."""
        ...

    def visits(self) -> Iterator[VisitRecord]:
        """Pages fetched, copies and feeds too, in their order, with parents of those on topic; then what failed."""
        ...

    def mentioned(self) -> Iterator[MentionedRecord]:
        """The pages that are no copies and mention a concept outside of links."""
        ...

    def away(self, now: str) -> Iterator[tuple[str, str]]:
        """Hosts that want to be left alone after `now`, and until when (ISO texts, UTC)."""
        ...

    def marks(self) -> dict[str, bool]:
        """Pages that the expert has marked, by address: whether they are good."""
        ...

    def mark_ways(self) -> None:
        """Mark the ways to results anew, as pages are judged now."""
        ...

    def decide(self, threshold: float) -> int:
        """Call a page on topic from this relevance on, as it was judged. Gives how many are."""
        ...

    def want_again(self) -> None:
        """Want again, once: pages on topic, seeds, feeds and sitemaps. Marks the ways to results anew."""
        ...

    def wanted(self) -> Iterator[WantedRecord]:
        """The pages that are wanted again and were not asked for since, most relevant first."""
        ...

    def make_whole(self) -> None:
        """Wait until the graph has all that was saved; whatever asks the store waits for that, too."""
        ...

    def close(self) -> None:
        """Release the store; nothing committed is lost."""
        ...


REDIRECTS = (300, 301, 302, 303, 307, 308)


def read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Names in lower case, repeated ones joined by a comma (RFC 9110, 5.3); values as UTF-8, else Latin-1.

    X-Robots-Tag by a line feed: a robot that one names is not meant by the next.
    """
    headers: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), _text(value)
        between = "\n" if key == "x-robots-tag" else ", "
        headers[key] = f"{headers[key]}{between}{text}" if key in headers else text
    return headers


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def is_redirect(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an answer leads elsewhere (RFC 9110, 15.4). A 304 leads nowhere, whatever Location it carries."""
    return status in REDIRECTS and "location" in headers
