"""The network as a source: sends requests by `crawler.fetch.transfers`, with limits on everything a server can send.

No cookies and no credentials. Of the environment only SSL_CERT_FILE is used, which names the trusted certificates.
Redirects are returned as answers, never followed: each hop is a fetch of its own, and so passes robots.txt, politeness
and `ssrf_guard` again. libcurl parses addresses by rules of its own. An address that WHATWG would spell differently (a
percent sign in the host, characters beyond ASCII) is not passed to it, so that it asks the host that was checked.
"""

import asyncio
import os
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from importlib.metadata import version
from urllib.parse import SplitResult, unquote, urlsplit

import certifi

from crawler.fetch.content_coding import ACCEPT, MAX_BYTES, Body, CodingError, beginning
from crawler.fetch.lenient_answers import LENGTH_DIGITS
from crawler.fetch.lenient_transfers import LenientTransfers
from crawler.fetch.ssrf_guard import (
    Allowed,
    Names,
    RefusedAddress,
    address_refusal,
    is_inside_name,
    is_literal,
    names_this_machine,
)
from crawler.fetch.transfers import DEFAULT_PORTS, Broken, Proxy, Request, Transfers, path_and_host
from crawler.politeness.robots_and_pace import MAX_BYTES as ROBOTS_BYTES
from crawler.politeness.robots_and_pace import TRYING
from crawler.ports import (
    Conditions,
    Exchange,
    Failed,
    Fetched,
    Outcome,
    Recorder,
    Refused,
    read_headers,
)
from ontology.errors import SettingsError
from ontology.file_failures import are_files_left, is_short_of_files
from ontology.messages import message
from semantic.parsing.document_types import HEAD, has_page, is_readable, may_be_document, media_type, true_headers
from semantic.parsing.sitemaps import MOST_BYTES as SITEMAP_BYTES
from semantic.reasons import Reason, because
from semantic.urls import is_robots_url, without_password

USER_AGENT = f"ontocrawl/{version('ontocrawl')} (+https://w3id.org/ontocrawl)"
# Bytes by which an encoded body may exceed the limit for the decoded one, and bytes that are read of a body that
# is not wanted. Chosen, not measured.
SLACK_BYTES = 65_536
TUNNELS = 5  # CONNECT requests a proxy may refuse before it is asked for no more of them; chosen, not measured
OUT_OF_REACH = (502, 503, 504)  # a proxy's answers if the host is out of reach (RFC 9110, 15.6)
NO_TUNNELS = (400, 404, 405, 501)  # answers of a proxy that does not support CONNECT, and so refuses every host
NO_FILES = "no files"  # kind of failure: this process has too many files and connections open for another one
FILES_SECONDS, FILES_PAUSE = 60.0, 0.5  # for which such a request is made again, and between; chosen, not measured
DETAIL_CHARACTERS = 200  # of an error's text, which may come from the server; chosen, not measured

_PART_FIELDS = (("Accept", "*/*"),)  # instead of the same below: an API may send a page to whoever prefers pages
_FIELDS = (
    ("Accept", "text/html,application/xhtml+xml;q=0.9,text/*;q=0.5,*/*;q=0.1"),
    ("Accept-Encoding", ACCEPT),
)

BROKEN_OFF = Reason("broken off")

_DELIMITING = (b"content-length", b"transfer-encoding")  # fields by which a body's end is found
_TAIL = 2048  # bytes at a body's end in which its last tag must stand; chosen, not measured
# the end of HTML, a feed, a sitemap or a PDF file; behind it only comments
_END = re.compile(
    rb"(?:</(?:html|body|frameset|rss|feed|rdf:rdf|(?:\w+:)?urlset|(?:\w+:)?sitemapindex)\s*>"
    rb"(?:\s|<!--(?:(?!-->).)*+-->)*+|%%EOF\s*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})(?=\s)")


def user_agent(contact: str | None) -> str:
    """The User-Agent, with a contact (visible ASCII, no parentheses) in its comment (RFC 9110, 10.1.5)."""
    return f"{USER_AGENT[:-1]}; {contact})" if contact else USER_AGENT


class HttpSource:
    """Fetches over HTTP/1.1, with TLS verification, without cookies or credentials.

    - `proxy`: URL of an HTTP proxy. It looks names up itself, so only literal addresses and internal names can be
      checked here; its own address is allowed. If it refuses CONNECT, which https needs, it is asked a few times only;
      once if it does not support it.
    - `allow`: host names and addresses (lower case) that may be private; with a port, at that port only.
    - `insecure`: hosts whose certificate is not verified.
    - `max_bytes`: of a decompressed body. `seconds`: for a whole answer, headers and body.
    - `contact`: where servers' owners reach the user, added to the User-Agent.

    Raises SettingsError if `proxy` is not the URL of an HTTP proxy.
    """

    def __init__(  # noqa: PLR0913 - all that a request is made by
        self,
        proxy: str | None = None,
        allow: frozenset[str] = frozenset(),
        insecure: frozenset[str] = frozenset(),
        max_bytes: int = MAX_BYTES,
        seconds: float = TRYING,
        *,
        contact: str | None = None,
    ) -> None:
        try:
            parsed = None if proxy is None else _parsed_proxy(proxy)
        except ValueError as error:
            what = message("not the URL of an HTTP proxy: {proxy}", proxy=without_password(proxy or ""))
            raise SettingsError(what, "give its URL, such as http://127.0.0.1:8888") from error
        self._proxy = None if parsed is None else (parsed.host, parsed.port)
        self._allowed = Allowed(allow)
        self._names = Names(self._allowed if parsed is None else None)
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._tunnels = 0  # number of refused CONNECTs; -1 once one succeeded
        self._recorder: Recorder | None = None
        self._insecure = insecure
        cafile = os.environ.get("SSL_CERT_FILE") or certifi.where()
        self._agent = user_agent(contact)
        self._transfers = Transfers(self._agent, cafile, parsed)
        self._lenient = LenientTransfers(self._agent, cafile)

    def record_with(self, recorder: Recorder) -> None:
        """Pass every exchange from now on to a recorder, which is closed with this source."""
        self._recorder = recorder

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Answer one GET; every failure is returned as a value."""
        answer = _HttpAnswer(url, self._max_bytes, robots=robots, kept=self._recorder is not None)
        return await self._fetch(url, conditions, answer)

    async def fetch_part(self, url: str) -> Outcome:
        """The same for a part of a page (`crawler.ports.PartSource`)."""
        answer = _HttpAnswer(url, self._max_bytes, part=True, kept=self._recorder is not None)
        return await self._fetch(url, _PART_FIELDS, answer)

    async def convert(self, url: str, html: bytes) -> None:
        """Record what a page became by its scripts."""
        if self._recorder is not None:
            await self._recorder.convert(url, html)

    async def _fetch(self, url: str, conditions: Conditions, answer: "_HttpAnswer") -> Outcome:
        try:
            parts = urlsplit(url)
            refusal = self._refusal(url, parts)
        except ValueError as error:
            refusal = because("no address", str(error))
        if refusal:
            return Refused(url, refusal)
        if self._tunnels >= TUNNELS and parts.scheme == "https":
            return Failed(url, "no https", because("no CONNECT"), asked=False)
        fields, began = _fields(conditions), time.monotonic()
        while True:
            outcome = await self._asked(parts, fields, answer)
            is_ours = isinstance(outcome, Failed) and (outcome.kind == NO_FILES or not are_files_left())
            if not is_ours or time.monotonic() - began > FILES_SECONDS:
                return outcome
            await asyncio.sleep(FILES_PAUSE)  # nothing of this is the host's failure
            answer.begin_again()

    async def close(self) -> None:
        """Close all connections, and the recorder."""
        await self._transfers.close()
        if self._recorder is not None:
            self._recorder.close()

    async def _asked(self, parts: SplitResult, fields: Conditions, answer: "_HttpAnswer") -> Outcome:
        began = time.monotonic()
        url = answer.url
        try:
            await self._get(parts, fields, answer)
        except RefusedAddress as error:
            return Refused(url, error.args[0])
        except UnicodeError as error:  # a host that WHATWG accepts, and DNS or IDNA does not
            return Refused(url, because("no address", str(error)))
        except (Broken, CodingError, OSError) as error:
            if isinstance(error, Broken) and error.kind == "no address":
                return Refused(url, because("no address", str(error)))
            self._count(getattr(error, "tunnel", 0))
            seconds = time.monotonic() - began
            told = _told(error, parts, is_verified=self._is_verified(parts))
            return Failed(url, self._kind(error), told, seconds=seconds, body=answer.rules)
        seconds = time.monotonic() - began
        if answer.is_too_large:
            return Failed(url, "too-large", because("many bytes", number=self._max_bytes), answer.headers, seconds)
        headers = true_headers(answer.headers, answer.body)
        return Fetched(url, answer.status, headers, answer.body, seconds, answer.remark)

    async def _get(self, parts: SplitResult, fields: Conditions, answer: "_HttpAnswer") -> None:
        sent = datetime.now(UTC)
        ends = time.monotonic() + self._seconds
        addresses, resolve = await self._look_up(*(self._proxy or _server(parts)))
        request = Request(
            answer.url,
            [f"{name}: {value}".encode() for name, value in fields],
            addresses,
            resolve,
            ends - time.monotonic(),
            self._is_verified(parts),
        )
        truncated = "unspecified"
        try:
            await self._transfer(request, answer, ends)
            self._tunnels = -1 if parts.scheme == "https" else self._tunnels
            truncated = answer.truncated
        except BaseException as error:
            truncated = _truncation(error)
            if isinstance(error, Broken) and error.barred:
                raise RefusedAddress(f"{parts.hostname} resolved to {error.barred}") from error
            raise
        finally:
            if self._recorder is not None and answer.head:
                await self._recorder.record(_exchange(sent, (("User-Agent", self._agent), *fields), answer, truncated))

    async def _transfer(self, request: Request, answer: "_HttpAnswer", ends: float) -> None:
        """Receive an answer, if it is broken in a second way. That is tried only here, so that it costs nothing else.

        An answer that breaks off after its own end (a length that is too large, no last chunk) is complete.
        """
        try:
            await self._transfers.get(request, answer)
        except Broken as error:
            if answer.has_all():
                return
            is_old_tls = error.is_tls and not request.verified
            if self._proxy is not None or error.barred or (error.kind != "protocol" and not is_old_tls):
                raise
            answer.begin_again()
            try:
                await self._lenient.get(replace(request, seconds=ends - time.monotonic()), answer)
            except Broken:
                if not answer.has_all():
                    raise
        answer.finish()

    async def _look_up(self, host: str, port: int) -> tuple[tuple[str, ...], str]:
        """The addresses of the server or proxy, and its `name:port` for libcurl; '' instead if it is given by an
        address.
        """
        if is_literal(host):
            return (host,), ""
        async with asyncio.timeout(self._seconds):
            return await self._names.addresses(host, port), f"{host}:{port}"

    def _kind(self, error: Exception) -> str:
        """The word by which an error is counted."""
        if is_short_of_files(error):
            return NO_FILES
        if isinstance(error, Broken):
            return error.kind
        if isinstance(error, TimeoutError):
            return "timeout"
        return "encoding" if isinstance(error, CodingError) else "dns" if self._proxy is None else "no proxy"

    def _is_verified(self, parts: SplitResult) -> bool:
        return not self._insecure or parts.hostname not in self._insecure

    def _count(self, status: int) -> None:
        """Count a refused CONNECT with this status; 0: there was none."""
        if status and self._tunnels >= 0 and status not in OUT_OF_REACH:
            self._tunnels += TUNNELS if status in NO_TUNNELS else 1

    def _refusal(self, url: str, parts: SplitResult) -> Reason | None:
        if "@" in parts.netloc:  # a normalised address has none
            return because("user name")
        if parts.scheme not in DEFAULT_PORTS or not url.isascii() or "%" in parts.netloc:
            return because("odd address")
        host, port = _server(parts)
        host = host.rstrip(".")
        if self._allowed.has(host, port):
            return None
        if is_literal(host):
            return address_refusal(host)
        if names_this_machine(host):
            return because("loopback", host=host)
        return because("inside name", host=host) if is_inside_name(host) else None


class _HttpAnswer:
    """An answer while it is received: a `Taker`.

    - `coded`: the body as it was sent, if `kept`.
    - `body`: decompressed, after `finish`; only its beginning if that suffices.
    """

    def __init__(self, url: str, max_bytes: int, *, kept: bool, robots: bool = False, part: bool = False) -> None:
        self.url = url
        self._robots = robots
        self._part = part
        self._kept = kept
        self._max_bytes = max_bytes
        self.begin_again()

    def begin_again(self) -> None:
        """Forget what was received."""
        self.status = 0
        self.head: list[bytes] = []
        self.headers: Mapping[str, str] = {}
        self.body = b""
        self.coded = bytearray()
        self._has_broken_off = False  # before the end that was told, and yet the body is complete
        self._received = 0
        self._promised = 0  # by Content-Length
        self._most = 0  # bytes of the decoded body that are wanted
        self._can_be_cut = False
        self._is_unsure = False  # whether the body is wanted at all, which its first bytes decide
        self._is_cut = False  # it is longer, or it is long and decodes to almost nothing
        self._taken: Body | None = None  # where the body is wanted

    @property
    def is_too_large(self) -> bool:
        """Whether the body exceeds its limit and its beginning is of no use."""
        return self._is_cut and not self.body

    @property
    def remark(self) -> Reason | None:
        """As of `Fetched`."""
        return because("cut", number=self._most) if self._is_cut else BROKEN_OFF if self._has_broken_off else None

    @property
    def truncated(self) -> str:
        """The value of WARC-Truncated for an answer that was received."""
        if self._taken is None:
            return "unspecified" if self.headers.get("content-length") != "0" else ""
        return "length" if self._is_cut else ""

    @property
    def rules(self) -> bytes:
        """What came of a robots.txt, after `finish`."""
        return self.body if self._robots else b""

    @property
    def fields(self) -> tuple[tuple[bytes, bytes], ...]:
        """The header fields, as they were sent."""
        pairs = (line.partition(b":") for line in self.head[1:])
        return tuple((name, value.strip()) for name, _, value in pairs)

    def begin(self, head: list[bytes]) -> bool:
        """Take the head. Raises Broken for an invalid status or length."""
        known = _STATUS_LINE.match(head[0]) if head else None
        if known is None:  # libcurl is content with less
            raise Broken("protocol", because("no status line"))
        self.head = head
        self.status = int(known[1])
        if self.status < 200:  # libcurl takes 101, which nobody asked for, as the answer
            raise Broken("protocol", "an interim answer")
        fields = self.fields
        self.headers = read_headers(fields)
        if any(name[-1:].isspace() and name.lower().rstrip() in _DELIMITING for name, _ in fields):
            raise Broken("protocol", "a blank behind the name of a header field")  # which libcurl does not know then
        length = self.headers.get("content-length", "").partition(",")[0]
        if len(length) > LENGTH_DIGITS:  # libcurl would read on to the connection's end
            raise Broken("protocol", f"Content-Length of {len(length)} digits")
        self._promised = int(length) if length.isdecimal() else 0
        wanted = is_wanted(self.status, self.headers, self.url, robots=self._robots, part=self._part)
        self._is_unsure = not wanted and self.status == 200 and may_be_document(media_type(self.headers))
        if wanted or self._is_unsure:
            enough = None if self._part else enough_of(self.headers, self.url, robots=self._robots)
            self._most = enough or self._max_bytes
            self._can_be_cut = enough is not None
            self._taken = Body(self.headers.get("content-encoding", ""), self._most + 1)
        return self._taken is not None

    def take(self, piece: bytes) -> bool:
        """Take a piece of the body.

        A short body that is not wanted is received to its end, because that costs less than another connection.
        """
        self._received += len(piece)
        if self._taken is None:
            return max(self._received, self._promised) <= SLACK_BYTES
        if self._kept:
            self.coded += piece
        was_complete = self._taken.is_complete
        self._taken.take(piece)
        if self._is_unsure and self._taken.length >= HEAD:
            self._is_unsure = False
            if true_headers(self.headers, self._taken.head) is self.headers:
                self._taken = None
                self.coded.clear()
                return max(self._received, self._promised) <= SLACK_BYTES
        is_full = self._taken.length > self._most or self._received > self._most + 1 + SLACK_BYTES
        self._is_cut = is_full and not self._can_be_cut
        if self._taken.is_complete and not was_complete and self._promised > self._received:
            # probably the length of the unpacked body: the rest is waited for only where the page does not show its end
            self.finish()
            self._has_broken_off = self._shows_its_end()
        return not is_full and not self._has_broken_off

    def finish(self) -> None:
        """Note that nothing more will come. Raises CodingError."""
        if self._taken is not None:
            self.body = self._taken.decoded(is_text=self._robots)
            if self._is_cut:
                self.body = beginning(self.body, self._most)

    def has_all(self) -> bool:
        """Whether the body has come to its own end, whatever length is named; it is finished then."""
        if self._taken is None:
            return False
        try:
            self.finish()
        except CodingError:
            return False
        self._has_broken_off = self._taken.is_complete or self._shows_its_end()
        return self._has_broken_off

    def _shows_its_end(self) -> bool:
        return bool(_END.search(self.body[-_TAIL:].replace(b"\0", b"")))


def _exchange(sent: datetime, asked: Conditions, answer: _HttpAnswer, truncated: str) -> Exchange:
    """The exchange to be recorded; the request as libcurl writes it, without the fields for the proxy."""
    path, host = path_and_host(answer.url)
    request_fields = (("Host", host), *asked)
    return Exchange(
        answer.url,
        sent,
        f"GET {path} HTTP/1.1".encode(),
        tuple((name.lower().encode(), value.encode()) for name, value in request_fields),
        answer.head[0].rstrip(b"\r\n"),
        answer.fields,
        bytes(answer.coded),
        truncated,
    )


def _server(parts: SplitResult) -> tuple[str, int]:
    """Host (without brackets) and port."""
    return parts.hostname or "", DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port


def _fields(conditions: Conditions) -> Conditions:
    """The fields of a request but for Host and User-Agent: the usual ones, unless a condition has the same name, and
    those conditions that fit on one line each, whatever the server gave.
    """
    sendable = tuple((name, value) for name, value in conditions if value.isprintable())
    named = {name for name, _ in sendable}
    return (*(field for field in _FIELDS if field[0] not in named), *sendable)


def _told(error: Exception, parts: SplitResult, *, is_verified: bool) -> str | Reason:
    """What is told of an error."""
    if is_verified and isinstance(error, Broken) and error.is_tls:
        return because("insecure", why=_detail(error), host=parts.hostname or "")
    return _detail(error)


def _detail(error: Exception) -> str | Reason:
    """An error's reason, or its text, shortened; for a proxy's refusal only its status."""
    if isinstance(error, Broken) and error.tunnel:
        known = error.tunnel in HTTPStatus._value2member_map_
        return f"{error.tunnel} {HTTPStatus(error.tunnel).phrase if known else ''}".strip()
    if error.args and isinstance(error.args[0], Reason):
        return error.args[0]
    return str(error).partition("\n")[0][:DETAIL_CHARACTERS]


def _truncation(error: BaseException) -> str:
    """The value of WARC-Truncated for a body that broke off with this error."""
    if isinstance(error, CodingError):
        return "unspecified"
    is_late = isinstance(error, asyncio.CancelledError) or (isinstance(error, Broken) and error.kind == "timeout")
    return "time" if is_late else "disconnect"


def _parsed_proxy(proxy: str) -> Proxy:
    parts = urlsplit(proxy)
    if not parts.hostname or parts.scheme not in DEFAULT_PORTS:
        raise ValueError("no host, or no HTTP proxy")
    return Proxy(parts.scheme, *_server(parts), unquote(parts.username or ""), unquote(parts.password or ""))


def is_wanted(status: int, headers: Mapping[str, str], url: str, *, robots: bool = False, part: bool = False) -> bool:
    """Whether a body is worth downloading: a good answer that is read or may be text.

    `robots`, here and below: it was requested as a robots.txt, whatever its address and type. `part`: as a part of a
    page.
    """
    if part or robots or is_robots_url(url):
        return 200 <= status < 300
    return has_page(status, headers) and (is_readable(headers, url) or media_type(headers).startswith("text/"))


def enough_of(headers: Mapping[str, str], url: str, *, robots: bool = False) -> int | None:
    """Number of bytes after which the rest of a body may be dropped; None if it is only useful as a whole."""
    if robots or is_robots_url(url):
        return ROBOTS_BYTES
    kind = media_type(headers)
    return SITEMAP_BYTES if kind.endswith("xml") and "html" not in kind else None
