"""Interfaces of the crawl to the outside: a source that answers requests, the record of the crawl.

Also: reading the header fields of an answer, from the network or from a WARC file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable
from urllib.parse import quote

from semantic.reasons import Reason
from semantic.records import Batch, LinkGraph


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
NOT_IN_ARCHIVE = "not in the archive"  # kind of `Failed`: nobody knows what the address would have answered


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

    async def convert(self, url: str, html: bytes) -> None:
        """Write what the page recorded last under this address became by its scripts. Raises as `record`."""
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


@runtime_checkable
class PageRenderer(Source, Protocol):
    """A source that can also run the scripts of a page (`crawler.render.rendering_source`)."""

    async def rendered(self, page: Fetched) -> Fetched | Reason:
        """The answer with the page that its scripts make, or why there is none."""
        ...

    async def take(self, made: Fetched) -> None:
        """Note and record that a rendered page says more than before."""
        ...


class PartSource(Source, Protocol):
    """A source that also has what pages are put together from."""

    async def fetch_part(self, url: str) -> Outcome:
        """Answer one GET for a script, or for data that a script shows. Its body is given whatever its type."""
        ...

    async def convert(self, url: str, html: bytes) -> None:
        """As `Recorder`, if exchanges are recorded here."""
        ...


class Record(Protocol):
    """The methods of a store that a running crawl uses. What else works on a store says there what it needs of it.

    All of them block and are called from threads, one call at a time.
    """

    def save(self, batch: Batch) -> None:
        """Commit the whole batch in one transaction. Raises StoreAway if the store may answer again later."""
        ...

    def decide_own_texts(self) -> None:
        """Decide, at the end, which parts of all pages are their own text (`semantic.parsing.repeated_blocks`)."""
        ...

    def link_graph(self, most: int = 0) -> LinkGraph:
        """The link graph G_w (paper J, definition 5) of everything saved so far.

        If at most `most` pages were fetched, it contains every path to a result, otherwise only the paths by which
        pages were discovered.
        """
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
