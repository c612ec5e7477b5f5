"""Requests by libcurl on the running event loop, many at once. Only this file imports pycurl.

libcurl does what a server sees: connections and their reuse, TLS, the proxy, the syntax of answers. It follows no
redirect, keeps no cookie, reads no `.netrc` and nothing of the environment, undoes no content coding (see
`crawler.fetch.content_coding`), and speaks HTTP/1.1 only: hosts are asked for one page at a time, so that HTTP/2 would
save nothing. It is told the addresses of a name, and opens a socket for one of these or for none. Of an answer's head
it takes 300 KB and 5,000 fields at most (`lib/http.h`).

pycurl's own `AsyncCurlMulti` waits for sockets and timers in the event loop: no thread, no polling. Sockets in a
selector of their own would save a fifth of a request (measured: 0.14 ms to 0.11) for 80 lines more.
"""

import errno
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pycurl  # type: ignore[import-untyped]

CONNECT_SECONDS = 10.0  # TLS and the proxy's tunnel included
SILENT_SECONDS = 15  # without a byte: half of what an address may take, so that it can be asked again
KEEP_ALIVE_SECONDS = 30
IDLE_CONNECTIONS = 128  # kept open: half of the 256 files that macOS lets a process open
LINE_ENDS = (b"\r\n", b"\n")

_TLS_CUT = "error:0A000126"  # OpenSSL's SSL_R_UNEXPECTED_EOF_WHILE_READING: the connection ended, TLS did not
_NO_NETWORK = (errno.ENETUNREACH, errno.ENETDOWN)

_KINDS = {  # by libcurl-errors(3); what is not here is an answer that breaks the protocol
    pycurl.E_URL_MALFORMAT: "no address",
    pycurl.E_COULDNT_RESOLVE_PROXY: "no proxy",
    pycurl.E_COULDNT_RESOLVE_HOST: "dns",
    pycurl.E_COULDNT_CONNECT: "connect",
    pycurl.E_OPERATION_TIMEDOUT: "timeout",
    pycurl.E_SSL_CONNECT_ERROR: "tls",
    pycurl.E_PEER_FAILED_VERIFICATION: "tls",
    pycurl.E_GOT_NOTHING: "read",
    pycurl.E_PARTIAL_FILE: "read",
    pycurl.E_SEND_ERROR: "read",
}


@dataclass(frozen=True, slots=True)
class Gate:
    """An HTTP proxy (`scheme`: http or https), and the user name and password that it is told, if any."""

    scheme: str
    host: str
    port: int
    user: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One GET. `url`: ASCII; `headers`: beside those that all have; `addresses`: may be connected to, as text.

    `resolve`: `name:port` of the server or the proxy, whose addresses these are; '' where it is named by its address.
    `seconds`: for all; `verified`: whether the server has to have a good certificate.
    """

    url: str
    headers: Sequence[bytes]
    addresses: tuple[str, ...]
    resolve: str
    seconds: float
    verified: bool


class Broken(Exception):
    """A request without a whole answer. `kind`: as of `Failed`; `tunnel`: the status with which a proxy refused
    CONNECT, or 0; `barred`: an address that libcurl wanted and did not get, or ''.
    """

    def __init__(self, kind: str, detail: str, tunnel: int = 0, barred: str = "") -> None:
        super().__init__(detail)
        self.kind = kind
        self.tunnel = tunnel
        self.barred = barred


class Taker(Protocol):
    """Takes an answer while it comes."""

    def begin(self, head: list[bytes]) -> bool:
        """The status line and the fields, with their line ends; returns whether the body is wanted."""
        ...

    def take(self, piece: bytes) -> bool:
        """Some bytes of the body, the transfer coding undone; returns False where the rest is not wanted."""
        ...


class Transfers:
    """Requests under way in one event loop, and their connections.

    `agent`: User-Agent, which the proxy is told too; `headers`: of every request; `cafile`: whom to trust (PEM);
    `gate`: the proxy.
    """

    def __init__(self, agent: str, headers: Sequence[bytes], cafile: str, gate: Gate | None) -> None:
        self._headers = headers
        self._options = _options(agent, cafile, gate)
        self._gate = gate
        self._multi: Any = None  # made inside the event loop
        self._idle: list[_Transfer] = []

    async def get(self, request: Request, taker: Taker) -> None:
        """Hand an answer to `taker`, all of it before this returns; raises Broken, and what `taker` raises.

        It is no failure that `taker` wants no more. Cancelled, the request ends at once, and its connection with it.
        """
        if self._multi is None:
            self._multi = pycurl.AsyncCurlMulti()
            self._multi.setopt(pycurl.M_MAXCONNECTS, IDLE_CONNECTIONS)
        transfer = self._idle.pop() if self._idle else _Transfer(self._options, has_gate=self._gate is not None)
        transfer.prepare(request, [*self._headers, *request.headers], taker)
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
        """End what is under way, and close all connections."""
        if self._multi is not None:
            await self._multi.aclose()
        for transfer in self._idle:
            transfer.curl.close()
        self._idle.clear()


class _Transfer:
    """A handle of libcurl, used for one request after another: to set its options anew would cost as much as one."""

    def __init__(self, options: Sequence[tuple[int, Any]], *, has_gate: bool) -> None:
        self._has_gate = has_gate
        self._lines: list[bytes] = []
        self._headers: Sequence[bytes] = ()
        self._verified = True
        self.curl = pycurl.Curl()
        for option, value in options:
            self.curl.setopt(option, value)
        self.curl.unsetopt(pycurl.CAPATH)  # nobody is trusted who is not in the file
        self.curl.setopt(pycurl.HEADERFUNCTION, self._lines.append)
        self.curl.setopt(pycurl.WRITEFUNCTION, self._take)
        self.curl.setopt(pycurl.OPENSOCKETFUNCTION, self._open)

    def prepare(self, request: Request, headers: Sequence[bytes], taker: Taker) -> None:
        self._lines.clear()
        self._taker = taker
        self._begun = self._stopped = self._is_wanted = False
        self._raised: BaseException | None = None
        self._addresses = request.addresses
        self._barred = ""
        self.curl.setopt(pycurl.URL, request.url)
        self.curl.setopt(pycurl.TIMEOUT_MS, max(0, int(request.seconds * 1000)) + 1)
        if headers != self._headers:
            self._headers = headers
            self.curl.setopt(pycurl.HTTPHEADER, headers)
        if request.resolve:  # "+": not for ever
            self.curl.setopt(pycurl.RESOLVE, [f"+{request.resolve}:{','.join(map(_bracketed, request.addresses))}"])
        if request.verified != self._verified:
            self._verified = request.verified
            self.curl.setopt(pycurl.SSL_VERIFYPEER, int(request.verified))
            self.curl.setopt(pycurl.SSL_VERIFYHOST, 2 * request.verified)

    def finish(self, code: int, detail: str) -> None:
        """Take libcurl's word for how it ended; raises what `Transfers.get` does."""
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
        raise Broken(self._kind(code, detail), detail, barred=self._barred)

    def _has_head(self) -> bool:
        """Whether the server's own answer has begun: that of a proxy to CONNECT is none, nor is one of 1xx."""
        return self.curl.getinfo(pycurl.RESPONSE_CODE) >= 200 and bool(_head(self._lines))

    def _begin(self) -> None:
        self._begun = True
        try:
            self._is_wanted = self._taker.begin(_head(self._lines))
        except Exception as error:
            self._raised = error

    def _ends_so(self, detail: str) -> bool:
        """Whether it is as whole as can be known: many servers end TLS without a word where they gave no length."""
        names = {line.partition(b":")[0].lower() for line in _head(self._lines)}
        return _TLS_CUT in detail and not names & {b"content-length", b"transfer-encoding"}

    def _kind(self, code: int, detail: str) -> str:
        number = self.curl.getinfo(pycurl.OS_ERRNO)
        is_cut = number != 0 or _TLS_CUT in detail
        if code == pycurl.E_COULDNT_CONNECT and number in _NO_NETWORK:
            return "no network"
        if code == pycurl.E_COULDNT_CONNECT and self._has_gate:
            return "no proxy"
        if code == pycurl.E_SSL_CONNECT_ERROR and is_cut:
            return "connect"
        if code == pycurl.E_RECV_ERROR and (is_cut or not self._lines):  # else what has come is no answer
            return "read"
        return _KINDS.get(code, "protocol")

    def _take(self, piece: bytes) -> int | None:
        """Called by libcurl, which prints what is raised and goes on: so it is kept, and raised when it has ended."""
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
        """A socket for libcurl to connect with, if it is to an address that was checked; called as `_take` is."""
        try:
            address = target.addr[0]
            if any(_same(address, one) for one in self._addresses):
                return socket.socket(target.family, target.socktype, target.protocol).detach()
            self._barred = str(address)
        except BaseException as error:
            self._raised = error
        return int(pycurl.SOCKET_BAD)


def _options(agent: str, cafile: str, gate: Gate | None) -> list[tuple[int, Any]]:
    """What holds for every request."""
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
        (pycurl.PROXY, "" if gate is None else f"{gate.scheme}://{_bracketed(gate.host)}:{gate.port}"),
        (pycurl.NOPROXY, ""),  # "", here and above: not what the environment says
    ]
    if gate is not None:
        options += [(pycurl.PROXY_CAINFO, cafile), (pycurl.PROXYHEADER, ["Proxy-Connection:"])]
    if gate is not None and (gate.user or gate.password):
        options += [(pycurl.PROXYUSERNAME, gate.user), (pycurl.PROXYPASSWORD, gate.password)]
    return options


def _head(lines: list[bytes]) -> list[bytes]:
    """The last head, if it is whole: before it come those of a proxy's tunnel and of answers to be waited for (1xx),
    behind it may come a body's trailers.
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
