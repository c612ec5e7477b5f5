"""The network as a source: aiohttp, with caps on everything a server can send.

No cookies, no credentials; of the environment only SSL_CERT_FILE counts, which says whom to trust. Redirects are
answers here, never followed: each hop comes back as a fetch of its own, and so passes robots.txt, politeness and
`ssrf_guard` again. Only this file imports aiohttp.

Measured (CPU of a request that answers 404, through a proxy on this machine): 0.37 ms, with httpx over it 0.73 ms.
"""

import asyncio
import contextlib
import errno
import os
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any
from urllib.parse import SplitResult, urlsplit

import aiohttp
import certifi
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.hdrs import PROXY_AUTHORIZATION
from yarl import URL

from crawler.fetch.body_types import enough_of, is_wanted
from crawler.fetch.content_coding import ACCEPT, CodingError, decoder_for
from crawler.fetch.ssrf_guard import (
    Allowed,
    RefusedAddress,
    address_refusal,
    first_refusal,
    is_inside_name,
    is_literal,
    names_this_machine,
    without_password,
)
from crawler.http_headers import read_headers
from crawler.politeness.pacing import PATIENCE
from crawler.ports import Conditions, Exchange, Failed, Fetched, Outcome, Recorder, Refused
from ontology.errors import SettingsError

USER_AGENT = f"ontocrawl/{version('ontocrawl')} (+https://w3id.org/ontocrawl)"
MAX_BYTES = 5_000_000  # of a body, decompressed
SLACK_BYTES = 65_536  # that a body on its way may be larger than what it decodes to
CONNECT_SECONDS = 10.0
SILENT_SECONDS = 15.0  # without a byte: half of what an address may take, so that it can be asked again
KEEP_ALIVE_SECONDS = 30.0
DNS_SECONDS = 300
TUNNELS = 5  # ways to an https host that a proxy refuses, whatever the host, before it is asked for none any more
OUT_OF_REACH = (502, 503, 504)  # what a proxy answers where it is the host that is out of reach (RFC 9110, 15.6)
DEFAULT_PORTS = {"http": 80, "https": 443}
DETAIL_CHARACTERS = 200  # of an error's text, which a server can fill

_HEADERS = {
    "User-Agent": USER_AGENT,
    "Accept": "text/html,application/xhtml+xml;q=0.9,text/*;q=0.5,*/*;q=0.1",
    "Accept-Encoding": ACCEPT,
}
_KINDS: tuple[tuple[type[BaseException], str], ...] = (  # the first that fits
    (TimeoutError, "timeout"),
    (aiohttp.ClientConnectorDNSError, "dns"),
    (aiohttp.ClientSSLError, "tls"),
    (aiohttp.ClientProxyConnectionError, "no proxy"),
    (aiohttp.ClientConnectorError, "connect"),
    (aiohttp.ClientHttpProxyError, "proxy"),
    (aiohttp.ClientConnectionError, "read"),
    (aiohttp.ClientPayloadError, "read"),
    (OSError, "read"),
    (CodingError, "encoding"),
)
_NO_NETWORK = (errno.ENETUNREACH, errno.ENETDOWN)


class HttpSource:
    """Fetches over HTTP/1.1, TLS verified, without cookies or credentials.

    `proxy`: an HTTP proxy's URL; it looks the names up, so only literal addresses and inside names can be checked here,
    and its own address is allowed. One that refuses CONNECT, by which https goes, is asked for it a few times only.
    `allow`: host names and addresses, lower case, that may be private, with a port where they may at that port alone;
    `insecure`: those whose certificate is not verified. `max_bytes` of a body after decompression; `seconds` for a
    whole answer, headers and body.
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
            self._proxy = None if proxy is None else _proxy(proxy)
        except ValueError as error:
            what = f"no HTTP proxy: {without_password(proxy or '')}"
            raise SettingsError(what, "give its URL, such as http://127.0.0.1:8888") from error
        self._allowed = Allowed(allow)
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._tunnels = 0  # refused; -1: one was opened
        self._recorder: Recorder | None = None
        self._insecure = insecure
        self._session: aiohttp.ClientSession | None = None
        self._tls = ssl.create_default_context(cafile=os.environ.get("SSL_CERT_FILE") or certifi.where())

    def record_with(self, recorder: Recorder) -> None:
        """Hand every exchange from now on to a recorder, which is closed with this."""
        self._recorder = recorder

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Answer one GET; every failure is a value."""
        refusal = self._refusal(urlsplit(url))
        if refusal:
            return Refused(url, refusal)
        if self._tunnels >= TUNNELS and urlsplit(url).scheme == "https":
            return Failed(url, "no https", "https: the proxy refuses CONNECT", asked=False)
        return await self._asked(url, conditions, robots=robots)

    async def _asked(self, url: str, conditions: Conditions, *, robots: bool) -> Outcome:
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._seconds):
                status, headers, body = await self._get(url, conditions, robots=robots)
        except RefusedAddress as error:
            return Refused(url, str(error))
        except (aiohttp.InvalidURL, UnicodeError) as error:  # a host that WHATWG takes; DNS or IDNA does not
            return Refused(url, f"no address: {error}")
        except (aiohttp.ClientError, CodingError, OSError) as error:
            if self._tunnels >= 0 and isinstance(error, aiohttp.ClientHttpProxyError):
                self._tunnels += error.status not in OUT_OF_REACH
            return Failed(url, _kind(error), _detail(error), seconds=time.monotonic() - began)
        if body is None:
            return Failed(url, "too-large", f"more than {self._max_bytes:,} bytes", headers, time.monotonic() - began)
        return Fetched(url, status, headers, body, time.monotonic() - began)

    async def close(self) -> None:
        """Close all connections, and the recorder."""
        if self._session is not None:
            await self._session.close()
        if self._recorder is not None:
            self._recorder.close()

    async def _get(
        self, url: str, conditions: Conditions, *, robots: bool
    ) -> tuple[int, Mapping[str, str], bytes | None]:
        if self._session is None:
            self._session = self._opened()
        sent = datetime.now(UTC)
        target = URL(url, encoded=True)
        response = await self._session.get(
            target,
            headers=dict(conditions),
            allow_redirects=False,
            proxy=self._proxy,
            ssl=target.raw_host not in self._insecure,
        )
        if target.scheme == "https":
            self._tunnels = -1
        headers = read_headers(response.raw_headers)
        coded = bytearray() if self._recorder is not None else None
        truncated = "unspecified" if headers.get("content-length") != "0" else ""
        try:
            body: bytes | None = b""
            if is_wanted(response.status, headers, url, robots=robots):
                body = await self._read(response, headers, coded, enough_of(headers, url, robots=robots))
                truncated = "length" if body is None else ""
            return response.status, headers, body
        except BaseException as error:
            truncated = _truncation(error)
            raise
        finally:
            response.release()
            if self._recorder is not None:
                await self._recorder.record(_exchange(url, sent, response, bytes(coded or b""), truncated))

    async def _read(
        self, response: aiohttp.ClientResponse, headers: Mapping[str, str], coded: bytearray | None, enough: int | None
    ) -> bytes | None:
        """The body, decompressed, or what comes first of it where that is `enough`; None if it is too large.

        Too large is also what decodes to nothing without end. `coded` gets it as it came.
        """
        body = await _begin(response, headers, (enough or self._max_bytes) + 1, coded)
        return body if body is not None and (enough or len(body) <= self._max_bytes) else None

    def _refusal(self, parts: SplitResult) -> str:
        host = (parts.hostname or "").rstrip(".")
        if "@" in parts.netloc:  # a normalised address has none
            return "a user name or password in the address"
        if self._allowed.has(host, parts.port or DEFAULT_PORTS.get(parts.scheme)):
            return ""
        if is_literal(host):
            return address_refusal(host)
        if names_this_machine(host):
            return f"loopback name {host}"
        return f"inside name {host}" if is_inside_name(host) else ""

    def _opened(self) -> aiohttp.ClientSession:
        """Made at the first request, inside the event loop."""
        resolver: AbstractResolver = PatientResolver()
        connector = aiohttp.TCPConnector(
            limit=0,  # the session decides how many fetches are open
            ssl=self._tls,
            resolver=resolver if self._proxy is not None else GuardedResolver(resolver, self._allowed),
            keepalive_timeout=KEEP_ALIVE_SECONDS,
            ttl_dns_cache=DNS_SECONDS,
        )
        return aiohttp.ClientSession(
            connector=connector,
            headers=_HEADERS,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(
                sock_connect=min(CONNECT_SECONDS, self._seconds), sock_read=min(SILENT_SECONDS, self._seconds)
            ),
        )


class PatientResolver(AbstractResolver):
    """Asks the system for names, each in a thread that nobody waits for.

    A look-up cannot be cancelled and may take half a minute where no name server answers. The event loop's own threads
    are waited for at the end, and are few; these hold up neither Ctrl-C nor other names.
    """

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Addresses of a name; raises OSError for one that is unknown, UnicodeError for what is no name."""
        answer: asyncio.Future[list[ResolveResult]] = asyncio.get_running_loop().create_future()
        threading.Thread(target=_look_up, args=(answer, host, port, family), daemon=True, name="look-up").start()
        return await answer

    async def close(self) -> None:
        """Nothing to free."""


class GuardedResolver(AbstractResolver):
    """Looks names up, and gives only answers that may be connected to: what was checked is what is connected to."""

    def __init__(self, inner: AbstractResolver, allowed: Allowed) -> None:
        self._inner = inner
        self._allowed = allowed

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Addresses of a name; raises RefusedAddress if one of them is refused and neither it nor the name allowed."""
        found = await self._inner.resolve(host, port, family)
        if not self._allowed.has(host, port):
            addresses = sorted({answer["host"] for answer in found})
            refusal = first_refusal(one for one in addresses if not self._allowed.has(one, port))
            if refusal:
                raise RefusedAddress(f"{host} is the {refusal}")
        return found

    async def close(self) -> None:
        """Release the resolver."""
        await self._inner.close()


def _look_up(answer: asyncio.Future[list[ResolveResult]], host: str, port: int, family: int) -> None:
    """Fill `answer`, from another thread than its loop's, unless that has ended."""
    found: list[ResolveResult] | Exception
    try:
        infos = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
        found = [_resolved(host, port, info) for info in infos]
    except Exception as error:
        found = error
    with contextlib.suppress(RuntimeError):
        answer.get_loop().call_soon_threadsafe(_fill, answer, found)


def _resolved(host: str, port: int, info: tuple[Any, ...]) -> ResolveResult:
    numbers = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    address, _ = socket.getnameinfo(info[4], socket.NI_NUMERICHOST | socket.NI_NUMERICSERV)
    return ResolveResult(hostname=host, host=address, port=port, family=info[0], proto=info[2], flags=numbers)


def _fill(answer: asyncio.Future[list[ResolveResult]], found: list[ResolveResult] | Exception) -> None:
    if answer.done():  # cancelled
        return
    if isinstance(found, Exception):
        answer.set_exception(found)
    else:
        answer.set_result(found)


async def _begin(
    response: aiohttp.ClientResponse, headers: Mapping[str, str], most: int, coded: bytearray | None
) -> bytes | None:
    """The first bytes of a body, decompressed; None where too much was received that decodes to nothing.

    `coded` gets it as it came.
    """
    decoder = decoder_for(headers.get("content-encoding", ""))
    body = bytearray()
    received = 0
    async for piece in response.content.iter_any():
        received += len(piece)
        if coded is not None:
            coded += piece
        body += decoder.feed(piece, most - len(body))
        if len(body) >= most:
            break
        if received > most + SLACK_BYTES:
            return None
    return bytes(body)


def _exchange(url: str, sent: datetime, response: aiohttp.ClientResponse, coded: bytes, truncated: str) -> Exchange:
    """What is recorded."""
    request = response.request_info
    told = (field for field in request.headers.items() if field[0] != PROXY_AUTHORIZATION)  # that is the proxy's alone
    return Exchange(
        url,
        sent,
        f"GET {request.url.raw_path_qs} HTTP/1.1".encode(),
        tuple((name.lower().encode(), value.encode()) for name, value in told),
        f"HTTP/1.1 {response.status} {response.reason or ''}".encode("utf-8", "surrogateescape"),  # as aiohttp read it
        tuple(response.raw_headers),
        coded,
        truncated,
    )


def _detail(error: BaseException) -> str:
    """What an error says, in short; a proxy's own refusal without its address, which may hold a password."""
    said = f"{error.status} {error.message}" if isinstance(error, aiohttp.ClientResponseError) else str(error)
    return said.partition("\n")[0][:DETAIL_CHARACTERS]


def _truncation(error: BaseException) -> str:
    """What WARC-Truncated says of a body that broke off like this."""
    if isinstance(error, CodingError):
        return "unspecified"
    return "time" if isinstance(error, asyncio.CancelledError) else "disconnect"


def _proxy(proxy: str) -> URL:
    gate = URL(proxy)
    if not gate.raw_host or gate.scheme not in ("http", "https"):
        raise ValueError("no host, or no HTTP proxy")
    return gate


def _kind(error: BaseException) -> str:
    """The word that is counted for an error: by what was raised first."""
    if isinstance(error, aiohttp.ClientConnectorError) and error.errno in _NO_NETWORK:
        return "no network"
    causes = (error.__cause__, error)
    return next((word for kind, word in _KINDS for cause in causes if isinstance(cause, kind)), "protocol")
