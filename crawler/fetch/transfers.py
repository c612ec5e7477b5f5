"""HTTP requests by libcurl on the running event loop, many at once. Only this file imports pycurl.

libcurl does what a server sees: connections and their reuse, TLS, the proxy, the syntax of answers. It is configured to
follow no redirect, store no cookie, read neither `.netrc` nor the environment, undo no content coding (see
`crawler.fetch.content_coding`), and use HTTP/1.1 only: hosts are asked for one page at a time, so HTTP/2 would save
nothing. It is given the addresses of a name, and gets a socket for one of these or none. It accepts at most 300 KB and
5,000 fields in an answer's head (`lib/http.h`).

pycurl's `AsyncCurlMulti` waits for sockets and timers in the event loop, without threads or polling. Sockets in a
selector of our own would save a fifth of a request's time (measured: 0.11 instead of 0.14 ms) and cost 80 more lines.
"""

import errno
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

import pycurl  # type: ignore[import-untyped]

from semantic.reasons import Reason

CONNECT_SECONDS = 10.0  # for connecting, with TLS and the proxy's tunnel; chosen, not measured
SILENT_SECONDS = 15  # without a byte: half of `TRYING` in `robots_and_pace`, so that there is time for a second try
KEEP_ALIVE_SECONDS = 30  # for which an idle connection is used again; chosen, not measured
IDLE_CONNECTIONS = 128  # half of the 256 files that macOS allows a process to open
DEFAULT_PORTS = {"http": 80, "https": 443}  # RFC 9110, 4.2
LINE_ENDS = (b"\r\n", b"\n")
ANY_CIPHER = "ALL:@SECLEVEL=0"  # OpenSSL: also keys, signatures and protocols that it finds too weak by itself

_TLS_CUT = "error:0A000126"  # OpenSSL's SSL_R_UNEXPECTED_EOF_WHILE_READING: the connection ended without a TLS close
_TLS_FAILURES = (pycurl.E_SSL_CONNECT_ERROR, pycurl.E_PEER_FAILED_VERIFICATION, pycurl.E_SSL_CIPHER)
_TLS_VERSIONS = {True: pycurl.SSLVERSION_DEFAULT, False: pycurl.SSLVERSION_TLSv1_0}  # the oldest that is spoken
_NO_NETWORK = (errno.ENETUNREACH, errno.ENETDOWN)

_KINDS = {  # codes of libcurl-errors(3); any other is an answer that violates the protocol
    pycurl.E_URL_MALFORMAT: "no address",
    pycurl.E_COULDNT_RESOLVE_PROXY: "no proxy",
    pycurl.E_COULDNT_RESOLVE_HOST: "dns",
    pycurl.E_COULDNT_CONNECT: "connect",
    pycurl.E_OPERATION_TIMEDOUT: "timeout",
    pycurl.E_SSL_CONNECT_ERROR: "tls",
    pycurl.E_PEER_FAILED_VERIFICATION: "tls",
    pycurl.E_SSL_CIPHER: "tls",
    pycurl.E_GOT_NOTHING: "read",
    pycurl.E_PARTIAL_FILE: "read",
    pycurl.E_SEND_ERROR: "read",
}


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy (`scheme`: http or https), with user name and password, if any."""

    scheme: str
    host: str
    port: int
    user: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One GET.

    - `url`: ASCII. `headers`: all lines but those of Host and User-Agent.
    - `addresses`: those that may be connected to, as text.
    - `resolve`: `name:port` of the server or proxy with these addresses; '' if it is given by an address.
    - `seconds`: for the whole request. `verified`: whether the server must have a valid certificate, and TLS that is
      safe today.
    """

    url: str
    headers: Sequence[bytes]
    addresses: tuple[str, ...]
    resolve: str
    seconds: float
    verified: bool


class Broken(Exception):
    """A request without a complete answer.

    `kind`: as in `Failed`. `tunnel`: the status with which a proxy refused CONNECT, or 0. `barred`: an address that
    libcurl wanted to connect to and was not allowed to, or ''. `is_tls`: no connection could be made secure.
    """

    def __init__(
        self, kind: str, detail: str | Reason, tunnel: int = 0, barred: str = "", *, is_tls: bool = False
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.tunnel = tunnel
        self.barred = barred
        self.is_tls = is_tls


class Taker(Protocol):
    """Receives an answer while it arrives."""

    def begin(self, head: list[bytes]) -> bool:
        """Take the status line and header fields, with line ends; returns whether the body is wanted."""
        ...

    def take(self, piece: bytes) -> bool:
        """Take some bytes of the body, transfer coding removed; returns False if the rest is not wanted."""
        ...


class Transfers:
    """The open requests of one event loop, and their connections.

    `agent`: User-Agent, also sent to the proxy. `cafile`: trusted certificates (PEM).
    """

    def __init__(self, agent: str, cafile: str, proxy: Proxy | None) -> None:
        self._options = _options(agent, cafile, proxy)
        self._proxy = proxy
        self._multi: Any = None  # created inside the event loop
        self._idle: list[_Transfer] = []

    async def get(self, request: Request, taker: Taker) -> None:
        """Pass an answer to `taker`, completely before this returns; raises Broken, and whatever `taker` raises.

        If `taker` wants no more, that is not a failure. If cancelled, the request ends at once, with its connection.
        """
        if self._multi is None:
            try:
                self._multi = pycurl.AsyncCurlMulti()
            except pycurl.error as error:  # it needs a file, and too many are open
                raise Broken("connect", str(error)) from error
            self._multi.setopt(pycurl.M_MAXCONNECTS, IDLE_CONNECTIONS)
        transfer = self._idle.pop() if self._idle else _Transfer(self._options, has_proxy=self._proxy is not None)
        transfer.prepare(request, taker)
        code, detail = pycurl.E_OK, ""
        try:
            await self._multi.add_handle(transfer.curl)
        except pycurl.error as error:
            code, detail = error.args
        except BaseException:
            transfer.curl.close()
            raise
        self._idle.append(transfer)
        transfer.finish(code, detail)

    async def close(self) -> None:
        """End open requests, and close all connections."""
        if self._multi is not None:
            await self._multi.aclose()
        for transfer in self._idle:
            transfer.curl.close()
        self._idle.clear()


class _Transfer:
    """A handle of libcurl, reused for one request after another: setting all options costs as much as a request."""

    def __init__(self, options: Sequence[tuple[int, Any]], *, has_proxy: bool) -> None:
        self._has_proxy = has_proxy
        self._lines: list[bytes] = []
        self._headers: Sequence[bytes] = ()
        self._verified = True
        self.curl = pycurl.Curl()
        for option, value in options:
            self.curl.setopt(option, value)
        self.curl.unsetopt(pycurl.CAPATH)  # only the certificates in the file are trusted
        self.curl.setopt(pycurl.HEADERFUNCTION, self._lines.append)
        self.curl.setopt(pycurl.WRITEFUNCTION, self._take)
        self.curl.setopt(pycurl.OPENSOCKETFUNCTION, self._open)

    def prepare(self, request: Request, taker: Taker) -> None:
        self._lines.clear()
        self._taker = taker
        self._begun = self._stopped = self._is_wanted = False
        self._raised: BaseException | None = None
        self._addresses = request.addresses
        self._barred = ""
        self.curl.setopt(pycurl.URL, request.url)
        self.curl.setopt(pycurl.TIMEOUT_MS, max(0, int(request.seconds * 1000)) + 1)
        if request.headers != self._headers:
            self._headers = request.headers
            self.curl.setopt(pycurl.HTTPHEADER, request.headers)
        if request.resolve:  # "+": the entry expires
            self.curl.setopt(pycurl.RESOLVE, [f"+{request.resolve}:{','.join(map(_bracketed, request.addresses))}"])
        if request.verified != self._verified:
            self._verified = request.verified
            self.curl.setopt(pycurl.SSL_VERIFYPEER, int(request.verified))
            self.curl.setopt(pycurl.SSL_VERIFYHOST, 2 * request.verified)
            self.curl.setopt(pycurl.SSLVERSION, _TLS_VERSIONS[request.verified])
            if request.verified:
                self.curl.unsetopt(pycurl.SSL_CIPHER_LIST)
            else:
                self.curl.setopt(pycurl.SSL_CIPHER_LIST, ANY_CIPHER)

    def finish(self, code: int, detail: str) -> None:
        """Evaluate how libcurl ended the request; raises what `Transfers.get` does."""
        if self._raised is None and not self._begun and (code == pycurl.E_OK or self._has_head()):
            self._begin()
        if self._raised is not None:
            raise self._raised
        if code == pycurl.E_OK:
            return
        if self._begun and (self._stopped or not self._is_wanted or self._ends_so(detail)):
            return
        tunnel = self.curl.getinfo(pycurl.HTTP_CONNECTCODE)
        if tunnel and not 200 <= tunnel < 300:
            raise Broken("proxy", detail, tunnel)
        raise Broken(self._kind(code, detail), detail, barred=self._barred, is_tls=code in _TLS_FAILURES)

    def _has_head(self) -> bool:
        """Whether the server's own answer has begun; a proxy's answer to CONNECT and answers 1xx do not count."""
        return self.curl.getinfo(pycurl.RESPONSE_CODE) >= 200 and bool(_head(self._lines))

    def _begin(self) -> None:
        self._begun = True
        try:
            self._is_wanted = self._taker.begin(_head(self._lines))
        except Exception as error:
            self._raised = error

    def _ends_so(self, detail: str) -> bool:
        """Whether the answer may be complete: many servers close without a TLS close if they gave no length."""
        names = {line.partition(b":")[0].lower() for line in _head(self._lines)}
        return _TLS_CUT in detail and not names & {b"content-length", b"transfer-encoding"}

    def _kind(self, code: int, detail: str) -> str:
        number = self.curl.getinfo(pycurl.OS_ERRNO)
        is_cut = number != 0 or _TLS_CUT in detail
        if code == pycurl.E_COULDNT_CONNECT and number in _NO_NETWORK:
            return "no network"
        if code == pycurl.E_COULDNT_CONNECT and self._has_proxy:
            return "no proxy"
        if code == pycurl.E_SSL_CONNECT_ERROR and is_cut:
            return "connect"
        if code == pycurl.E_RECV_ERROR and (
            is_cut or not self._lines
        ):  # otherwise the bytes received are not an answer
            return "read"
        return _KINDS.get(code, "protocol")

    def _take(self, piece: bytes) -> int | None:
        """Called by libcurl, which prints exceptions and continues; so an exception is stored, and raised at the
        end.
        """
        try:
            if not self._begun:
                self._begin()
            if self._raised is None and self._taker.take(piece):
                return None
        except BaseException as error:
            self._raised = error
        self._stopped = True
        return 0

    def _open(self, purpose: int, target: Any) -> int:
        """Give libcurl a socket if it is for an address that was checked; called like `_take`."""
        try:
            address = target.addr[0]
            if any(_same(address, one) for one in self._addresses):
                return socket.socket(target.family, target.socktype, target.protocol).detach()
            self._barred = str(address)
        except BaseException as error:
            self._raised = error
        return int(pycurl.SOCKET_BAD)


def path_and_host(url: str) -> tuple[str, str]:
    """What stands in a request's first line and in its Host field."""
    parts = urlsplit(url)
    path = url.partition("#")[0][len(f"{parts.scheme}://{parts.netloc}") :]
    has_port = parts.port not in (None, DEFAULT_PORTS[parts.scheme])
    host = parts.netloc if has_port or parts.port is None else parts.netloc.rpartition(":")[0]
    return path if path.startswith("/") else f"/{path}", host


def _options(agent: str, cafile: str, proxy: Proxy | None) -> list[tuple[int, Any]]:
    """The options of every request."""
    web = pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS
    options = [
        (pycurl.PROTOCOLS, web),
        (pycurl.REDIR_PROTOCOLS, web),
        (pycurl.FOLLOWLOCATION, 0),
        (pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_1_1),
        (pycurl.PATH_AS_IS, 1),
        (pycurl.HTTP_CONTENT_DECODING, 0),
        (pycurl.USERAGENT, agent),
        (pycurl.NETRC, pycurl.NETRC_IGNORED),
        (pycurl.NOSIGNAL, 1),
        (pycurl.CONNECTTIMEOUT_MS, int(CONNECT_SECONDS * 1000)),
        (pycurl.LOW_SPEED_LIMIT, 1),
        (pycurl.LOW_SPEED_TIME, SILENT_SECONDS),
        (pycurl.MAXAGE_CONN, KEEP_ALIVE_SECONDS),
        (pycurl.CAINFO, cafile),
        (pycurl.SSL_VERIFYPEER, 1),
        (pycurl.SSL_VERIFYHOST, 2),
        (pycurl.PROXY, "" if proxy is None else f"{proxy.scheme}://{_bracketed(proxy.host)}:{proxy.port}"),
        (pycurl.NOPROXY, ""),  # "", here and above: ignore the environment
    ]
    if proxy is not None:
        options += [(pycurl.PROXY_CAINFO, cafile), (pycurl.PROXYHEADER, ["Proxy-Connection:"])]
    if proxy is not None and (proxy.user or proxy.password):
        options += [(pycurl.PROXYUSERNAME, proxy.user), (pycurl.PROXYPASSWORD, proxy.password)]
    return options


def _head(lines: list[bytes]) -> list[bytes]:
    """The lines of the last complete head. Before it may come heads of a proxy's tunnel and of interim answers (1xx),
    after it a body's trailers.
    """
    begin = end = 0
    is_first = True
    for number, line in enumerate(lines):
        if is_first and line.startswith(b"HTTP/"):
            begin = end = number
        is_first = line in LINE_ENDS
        if is_first and end == begin:
            end = number
    return lines[begin:end]


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _same(one: str, other: str) -> bool:
    return one == other or ipaddress.ip_address(one) == ipaddress.ip_address(other)
