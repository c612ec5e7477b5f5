"""Interfaces of the crawl to the outside: a source that answers requests, a store that records the crawl.

Also: reading the header fields of an answer, from the network or from a WARC file.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from urllib.parse import quote

from semantic.reasons import Reason
from semantic.records import (
    Batch,
    ConceptRecord,
    CrawlRecord,
    FingerprintRecord,
    HostRecord,
    LinkGraph,
    MentionedRecord,
    OutsideRecord,
    QueuedRecord,
    Resumed,
    StoredPage,
    TrapRecord,
    VisitRecord,
    WantedRecord,
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer, its body decompressed. Header names are lower case; `seconds`: duration of the request.

    `remark`: what is odd about the body (cut because it is too large); None if it is complete.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float = 0.0
    remark: Reason | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """No usable answer.

    - `kind`: a short word by which failures are counted (`timeout`, `dns`, ...); `detail`: what happened.
    - `seconds`: how long the crawl waited for the answer.
    - `asked`: whether a request was sent. If not, no other request with this scheme will be sent either.
    - `body`: of a robots.txt, what came of it.
    """

    url: str
    kind: str
    detail: str | Reason = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    asked: bool = True
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Refused:
    """A request that was not sent: the address is private, or its scheme is not supported."""

    url: str
    reason: Reason
    seconds: float = 0.0


Outcome = Fetched | Failed | Refused


# header fields (name, value) that make a request conditional (RFC 9110, 13.1); the answer may be 304
Conditions = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer as they were sent over the wire, transfer coding removed; lines without line ends.

    `sent`: when the request was sent (UTC). `truncated`: why the body is incomplete (see
    `crawler.archive.warc_format`), '' if it is complete.
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
    """Writes exchanges to an archive."""

    async def record(self, exchange: Exchange) -> None:
        """Write one exchange before its answer is used. Raises CrawlBroken if it cannot be written."""
        ...

    def close(self) -> None:
        """Finish writing the exchanges that were handed over."""
        ...


class Source(Protocol):
    """The network, an archive, or a fake in a test. A redirect is returned as an answer (status 3xx), never followed
    here.
    """

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Answer one GET within the source's limits on time and size. Never raises for anything a server can do.

        `robots`: the request is for a robots.txt, whatever address it was redirected to.
        """
        ...

    async def close(self) -> None:
        """Free connections."""
        ...


class Record(Protocol):
    """The methods of a store that a running crawl uses. All of them block and are called from threads: `waiting` from
    one thread, the others from another, one call at a time.
    """

    def save(self, batch: Batch) -> None:
        """Commit the whole batch in one transaction. Raises StoreAway if the store may answer again later."""
        ...

    def waiting(self) -> Iterator[QueuedRecord]:
        """All waiting pages, in no particular order."""
        ...

    def link_graph(
        self, most: int = 0, is_wanted: Callable[[], bool] = lambda: True, *, is_awaited: bool = False
    ) -> LinkGraph:
        """The link graph G_w (paper J, definition 5) of everything saved so far.

        If at most `most` pages were fetched, it contains every path to a result, otherwise only the paths by which
        pages were discovered. A store that has to wait for something first gives up with StoreError when the graph is
        no longer wanted. `is_awaited`: whether the crawl waits meanwhile, and saves nothing.
        """
        ...


class Store(Record, Protocol):
    """The record of one crawl. All methods block."""

    def open_crawl(
        self, crawl: CrawlRecord, concepts: Sequence[ConceptRecord], seeds: Sequence[QueuedRecord]
    ) -> Resumed:
        """Begin or resume the one crawl of this store. Raises StoreError if the store holds a crawl about another
        topic.
        """
        ...

    def queued(self, most: int | None = None) -> Iterator[QueuedRecord]:
        """The waiting pages, best first. `most`: if many wait, give only about this many."""
        ...

    def known(self) -> Iterator[str]:
        """The addresses of all pages that are not waiting."""
        ...

    def discarded(self) -> Iterator[str]:
        """The addresses whose incoming links were all discarded by the strategy."""
        ...

    def outside(self) -> Iterator[OutsideRecord]:
        """The addresses that are out of the crawl's scope and were not fetched."""
        ...

    def places_by_links(self, urls: Sequence[str]) -> Iterator[QueuedRecord]:
        """Queue entries for these addresses, which are not waiting: with their former priority, or that of the best
        link.
        """
        ...

    def save_traps(self, traps: Sequence[TrapRecord]) -> None:
        """Store the traps that links wait behind, instead of those of before."""
        ...

    def hosts_wanted(self) -> Iterator[HostRecord]:
        """The hosts that a person has banned or raised."""
        ...

    def save_hosts(self, hosts: Sequence[HostRecord]) -> None:
        """Store what a person wants of these hosts now; the others stay as they are."""
        ...

    def save_settings(self, settings: str) -> None:
        """Store the settings (JSON) with which the crawl continues."""
        ...

    def stored_pages(self) -> Iterator[StoredPage]:
        """Every answered address as it was stored: pages in the order of fetching, then copies, then what was not a
        page.
        """
        ...

    def pages_to_judge(self) -> Iterator[StoredPage]:
        """The same as far as judging needs it: of addresses without a page perhaps only how they ended, of pages
        perhaps also their mentions and how they are judged.
        """
        ...

    def fingerprints(self) -> Iterator[FingerprintRecord]:
        """For each page that is not a copy, what is needed to recognise copies of it; in the order of fetching."""
        ...

    def unremembered(self) -> Iterator[StoredPage]:
        """What was answered after the strategy's memory was saved: pages in the order of fetching, then what was not a
        page.
        """
        ...

    def visits(self) -> Iterator[VisitRecord]:
        """Pages fetched, copies and feeds included, in their order, with the parents of those on topic; then the
        failures.
        """
        ...

    def mentioned(self) -> Iterator[MentionedRecord]:
        """The pages, without copies, that mention a concept outside link texts."""
        ...

    def away(self, now: str) -> Iterator[tuple[str, str]]:
        """Hosts whose Retry-After lasts beyond `now`, with its end (ISO texts, UTC)."""
        ...

    def marks(self) -> dict[str, bool]:
        """The expert's marks: address of a page -> whether it is good."""
        ...

    def update_paths(self) -> int:
        """Recompute which pages lie on a path to a result, by the current relevance of pages. Returns the number of
        results.
        """
        ...

    def set_threshold(self, threshold: float) -> int:
        """Set each page's `on_topic` by this threshold on its stored relevance. Returns the number of pages on
        topic.
        """
        ...

    def mark_for_recrawl(self) -> None:
        """Mark the pages to be fetched again: pages on topic, seeds, feeds and sitemaps. Also recomputes the paths to
        results.
        """
        ...

    def wanted(self) -> Iterator[WantedRecord]:
        """The pages marked to be fetched again that were not requested since, most relevant first."""
        ...

    def wait_until_filled(self) -> None:
        """Wait until the graph contains everything that was saved. Every query of the store waits for the same."""
        ...

    def close(self) -> None:
        """Release the store; nothing committed is lost."""
        ...


def read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Header fields by lower-case name. Repeated fields are joined by a comma (RFC 9110, 5.3). Values are UTF-8; bytes
    of those that are not are %-coded, as browsers do with an address in `Location`.

    Repeated X-Robots-Tag fields are joined by a line feed, because a robot named in one does not apply to the next. Of
    repeated Location fields the first counts, of several media types the last (WHATWG, Fetch, "extract a MIME type").
    """
    headers: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower().strip(), _text(value)
        if key not in headers:
            headers[key] = text
        elif key != "location":
            between = "\n" if key == "x-robots-tag" else ", "
            headers[key] = f"{headers[key]}{between}{text}"
    if "," in headers.get("content-type", ""):
        headers["content-type"] = _media_type(headers["content-type"])
    return headers


_ASCII = "".join(map(chr, range(128)))


def _media_type(listed: str) -> str:
    """The last media type of a list, with the charset that was named for it before, if it has none itself."""
    last, charset = "", ""
    for value in listed.split(","):
        kind, _, rest = value.strip().partition(";")
        if "/" in kind and kind.strip() != "*/*":
            charset = rest or (charset if kind.strip().lower() == last.lower() else "")
            last = kind.strip()
        elif "charset" in value.lower() and not charset:  # a comma where a semicolon is meant
            charset = value
    return f"{last};{charset}" if charset else last


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return quote(value, safe=_ASCII)
