"""The network as a source: requests of `crawler.fetch.transfers`, with caps on everything a server can send.

No cookies, no credentials; of the environment only SSL_CERT_FILE counts, which says whom to trust. Redirects are
answers here, never followed: each hop comes back as a fetch of its own, and so passes robots.txt, politeness and
`ssrf_guard` again. libcurl reads an address by its own rules: what those of WHATWG would have spelled otherwise (a
percent sign in the host, letters beyond ASCII) is not handed to it, so that it asks the host that was checked.
"""

import asyncio
import os
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from importlib.metadata import version
from urllib.parse import SplitResult, unquote, urlsplit

import certifi

from crawler.fetch.body_types import enough_of, is_wanted
from crawler.fetch.content_coding import ACCEPT, CodingError, Decoder, decoder_for
from crawler.fetch.name_lookup import Names
from crawler.fetch.ssrf_guard import (
    Allowed,
    RefusedAddress,
    address_refusal,
    is_inside_name,
    is_literal,
    names_this_machine,
    without_password,
)
from crawler.fetch.transfers import Broken, Gate, Request, Transfers
from crawler.politeness.pacing import PATIENCE
from crawler.ports import Conditions, Exchange, Failed, Fetched, Outcome, Recorder, Refused, read_headers
from ontology.errors import SettingsError

USER_AGENT = f"ontocrawl/{version('ontocrawl')} (+https://w3id.org/ontocrawl)"
MAX_BYTES = 5_000_000  # of a body, decompressed
SLACK_BYTES = 65_536  # that a body on its way may be larger than what it decodes to; of one that nobody wants
LENGTH_DIGITS = 19  # of Content-Length, as many as 64 bits hold
TUNNELS = 5  # ways to an https host that a proxy refuses, whatever the host, before it is asked for none any more
OUT_OF_REACH = (502, 503, 504)  # what a proxy answers where it is the host that is out of reach (RFC 9110, 15.6)
NO_TUNNELS = (400, 404, 405, 501)  # what answers one that does not know CONNECT, and so refuses every host
DEFAULT_PORTS = {"http": 80, "https": 443}
DETAIL_CHARACTERS = 200  # of an error's text, which a server can fill

_FIELDS = (
    ("Accept", "text/html,application/xhtml+xml;q=0.9,text/*;q=0.5,*/*;q=0.1"),
    ("Accept-Encoding", ACCEPT),
)

_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})(?=\s)")


class HttpSource:
    """Fetches over HTTP/1.1, TLS verified, without cookies or credentials.

    `proxy`: an HTTP proxy's URL; it looks the names up, so only literal addresses and inside names can be checked here,
    and its own address is allowed. One that refuses CONNECT, by which https goes, is asked for it a few times only,
    and once where it does not know it. `allow`: host names and addresses, lower case, that may be private, with a port
    where they may at that port alone; `insecure`: those whose certificate is not verified. `max_bytes` of a body after
    decompression; `seconds` for a whole answer, headers and body.
    Raises SettingsError for what is no proxy's URL.
    """

    def __init__(
        self,
        proxy: str | None = None,
        allow: frozenset[str] = frozenset(),
        insecure: frozenset[str] = frozenset(),
        max_bytes: int = MAX_BYTES,
        seconds: float = PATIENCE,
    ) -> None:
        try:
            gate = None if proxy is None else _gate(proxy)
        except ValueError as error:
            what = f"no HTTP proxy: {without_password(proxy or '')}"
            raise SettingsError(what, "give its URL, such as http://127.0.0.1:8888") from error
        self._gate = None if gate is None else (gate.host, gate.port)
        self._allowed = Allowed(allow)
        self._names = Names(self._allowed if gate is None else None)
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._tunnels = 0  # refused; -1: one was opened
        self._recorder: Recorder | None = None
        self._insecure = insecure
        cafile = os.environ.get("SSL_CERT_FILE") or certifi.where()
        self._transfers = Transfers(USER_AGENT, [_line(*field) for field in _FIELDS], cafile, gate)

    def record_with(self, recorder: Recorder) -> None:
        """Hand every exchange from now on to a recorder, which is closed with this."""
        self._recorder = recorder

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Answer one GET; every failure is a value."""
        try:
            parts = urlsplit(url)
            refusal = self._refusal(url, parts)
        except ValueError as error:
            refusal = f"no address: {error}"
        if refusal:
            return Refused(url, refusal)
        if self._tunnels >= TUNNELS and parts.scheme == "https":
            return Failed(url, "no https", "https: the proxy refuses CONNECT", asked=False)
        answer = _Answer(url, self._max_bytes, robots=robots, kept=self._recorder is not None)
        return await self._asked(parts, _sendable(conditions), answer)

    async def close(self) -> None:
        """Close all connections, and the recorder."""
        await self._transfers.close()
        if self._recorder is not None:
            self._recorder.close()

    async def _asked(self, parts: SplitResult, conditions: Conditions, answer: "_Answer") -> Outcome:
        began = time.monotonic()
        url = answer.url
        try:
            await self._get(parts, conditions, answer)
        except RefusedAddress as error:
            return Refused(url, str(error))
        except UnicodeError as error:  # a host that WHATWG takes; DNS or IDNA does not
            return Refused(url, f"no address: {error}")
        except (Broken, CodingError, OSError) as error:
            if isinstance(error, Broken) and error.kind == "no address":
                return Refused(url, f"no address: {error}")
            self._count(getattr(error, "tunnel", 0))
            return Failed(url, self._kind(error), _detail(error), seconds=time.monotonic() - began)
        seconds = time.monotonic() - began
        if answer.is_too_large:
            return Failed(url, "too-large", f"more than {self._max_bytes:,} bytes", answer.headers, seconds)
        return Fetched(url, answer.status, answer.headers, bytes(answer.body), seconds)

    async def _get(self, parts: SplitResult, conditions: Conditions, answer: "_Answer") -> None:
        sent = datetime.now(UTC)
        ends = time.monotonic() + self._seconds
        addresses, resolve = await self._look_up(*(self._gate or _server(parts)))
        request = Request(
            answer.url,
            [_line(*field) for field in conditions],
            addresses,
            resolve,
            ends - time.monotonic(),
            not self._insecure or parts.hostname not in self._insecure,
        )
        truncated = "unspecified"
        try:
            await self._transfers.get(request, answer)
            self._tunnels = -1 if parts.scheme == "https" else self._tunnels
            truncated = answer.truncated
        except BaseException as error:
            truncated = _truncation(error)
            if isinstance(error, Broken) and error.barred:
                raise RefusedAddress(f"{parts.hostname} became {error.barred}") from error
            raise
        finally:
            if self._recorder is not None and answer.head:
                await self._recorder.record(_exchange(parts, sent, conditions, answer, truncated))

    async def _look_up(self, host: str, port: int) -> tuple[tuple[str, ...], str]:
        """The addresses of who is connected to, and for libcurl its `name:port`, if it has a name."""
        if is_literal(host):
            return (host,), ""
        async with asyncio.timeout(self._seconds):
            return await self._names.addresses(host, port), f"{host}:{port}"

    def _kind(self, error: Exception) -> str:
        """The word that is counted for an error."""
        if isinstance(error, Broken):
            return error.kind
        if isinstance(error, TimeoutError):
            return "timeout"
        return "encoding" if isinstance(error, CodingError) else "dns" if self._gate is None else "no proxy"

    def _count(self, status: int) -> None:
        """Count a tunnel that was refused with this status, if it is one."""
        if status and self._tunnels >= 0 and status not in OUT_OF_REACH:
            self._tunnels += TUNNELS if status in NO_TUNNELS else 1

    def _refusal(self, url: str, parts: SplitResult) -> str:
        if "@" in parts.netloc:  # a normalised address has none
            return "a user name or password in the address"
        if parts.scheme not in DEFAULT_PORTS or not url.isascii() or "%" in parts.netloc:
            return "no address of the web, or not normalised"
        host, port = _server(parts)
        host = host.rstrip(".")
        if self._allowed.has(host, port):
            return ""
        if is_literal(host):
            return address_refusal(host)
        if names_this_machine(host):
            return f"loopback name {host}"
        return f"inside name {host}" if is_inside_name(host) else ""


class _Answer:
    """An answer as it comes: a `Taker`. `kept`: whether the body is also kept as it came, as `coded`.

    `body`: decompressed, or what comes first of it where that is enough. `is_too_large`: also what decodes to nothing
    without end.
    """

    def __init__(self, url: str, max_bytes: int, *, robots: bool, kept: bool) -> None:
        self.url = url
        self.status = 0
        self.head: list[bytes] = []
        self.headers: Mapping[str, str] = {}
        self.body = bytearray()
        self.coded = bytearray()
        self.is_too_large = False
        self._received = 0
        self._promised = 0  # by Content-Length
        self._robots = robots
        self._kept = kept
        self._max_bytes = max_bytes
        self._enough: int | None = None
        self._decoder: Decoder | None = None  # where the body is wanted

    @property
    def truncated(self) -> str:
        """What WARC-Truncated says of an answer that has come."""
        if self._decoder is None:
            return "unspecified" if self.headers.get("content-length") != "0" else ""
        return "length" if self.is_too_large else ""

    @property
    def fields(self) -> tuple[tuple[bytes, bytes], ...]:
        """The fields of the head, as they came."""
        pairs = (line.partition(b":") for line in self.head[1:])
        return tuple((name, value.strip()) for name, _, value in pairs)

    def begin(self, head: list[bytes]) -> bool:
        """Take the head; raises CodingError for a coding that is not known, Broken for what is no status or length."""
        known = _STATUS_LINE.match(head[0]) if head else None
        if known is None:  # libcurl is content with less
            raise Broken("protocol", "no status line")
        self.head = head
        self.status = int(known[1])
        self.headers = read_headers(self.fields)
        length = self.headers.get("content-length", "").partition(",")[0]
        if len(length) > LENGTH_DIGITS:  # libcurl would read on to the connection's end
            raise Broken("protocol", f"Content-Length of {len(length)} digits")
        self._promised = int(length) if length.isdecimal() else 0
        if is_wanted(self.status, self.headers, self.url, robots=self._robots):
            self._enough = enough_of(self.headers, self.url, robots=self._robots)
            self._decoder = decoder_for(self.headers.get("content-encoding", ""))
        return self._decoder is not None

    def take(self, piece: bytes) -> bool:
        """Take a piece of the body; raises CodingError. A short one that is not wanted is received to its end, which
        costs less than another connection.
        """
        self._received += len(piece)
        if self._decoder is None:
            return max(self._received, self._promised) <= SLACK_BYTES
        if self._kept:
            self.coded += piece
        most = (self._enough or self._max_bytes) + 1
        self.body += self._decoder.feed(piece, most - len(self.body))
        is_full = len(self.body) >= most
        self.is_too_large = self._enough is None if is_full else self._received > most + SLACK_BYTES
        return not is_full and not self.is_too_large


def _exchange(parts: SplitResult, sent: datetime, conditions: Conditions, answer: _Answer, truncated: str) -> Exchange:
    """What is recorded; the request as libcurl writes it, but for what is the proxy's alone."""
    path = answer.url.partition("#")[0][len(f"{parts.scheme}://{parts.netloc}") :]
    path = path if path.startswith("/") else f"/{path}"
    port = f":{parts.port}" if parts.port not in (None, DEFAULT_PORTS[parts.scheme]) else ""
    host = parts.netloc.rpartition(":")[0] if parts.port is not None and not port else parts.netloc
    told = (("Host", host), ("User-Agent", USER_AGENT), *_FIELDS, *conditions)
    return Exchange(
        answer.url,
        sent,
        f"GET {path} HTTP/1.1".encode(),
        tuple((name.lower().encode(), value.encode()) for name, value in told),
        answer.head[0].rstrip(b"\r\n"),
        answer.fields,
        bytes(answer.coded),
        truncated,
    )


def _server(parts: SplitResult) -> tuple[str, int]:
    """Host (without brackets) and port."""
    return parts.hostname or "", DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port


def _line(name: str, value: str) -> bytes:
    return f"{name}: {value}".encode()


def _sendable(conditions: Conditions) -> Conditions:
    """Those that are one line each, whatever the server said that they are made of."""
    return tuple((name, value) for name, value in conditions if value.isprintable())


def _detail(error: Exception) -> str:
    """What an error says, in short; a proxy's own refusal by its status alone."""
    if isinstance(error, Broken) and error.tunnel:
        known = error.tunnel in HTTPStatus._value2member_map_
        return f"{error.tunnel} {HTTPStatus(error.tunnel).phrase if known else ''}".strip()
    return str(error).partition("\n")[0][:DETAIL_CHARACTERS]


def _truncation(error: BaseException) -> str:
    """What WARC-Truncated says of a body that broke off like this."""
    if isinstance(error, CodingError):
        return "unspecified"
    is_late = isinstance(error, asyncio.CancelledError) or (isinstance(error, Broken) and error.kind == "timeout")
    return "time" if is_late else "disconnect"


def _gate(proxy: str) -> Gate:
    parts = urlsplit(proxy)
    if not parts.hostname or parts.scheme not in DEFAULT_PORTS:
        raise ValueError("no host, or no HTTP proxy")
    return Gate(parts.scheme, *_server(parts), unquote(parts.username or ""), unquote(parts.password or ""))
