"""Asks once more where libcurl cannot use an answer, on a connection of its own: for a broken answer that browsers read
(`crawler.fetch.lenient_answers`), and for old TLS that libcurl does not speak. Not through a proxy.

The certificate is verified as in `crawler.fetch.transfers`. For a host whose certificate is not verified, because the
user named it with `--insecure-host`, TLS may be as old as this machine can do, also without secure renegotiation
(RFC 5746).
"""

import asyncio
import ssl
from functools import cached_property
from urllib.parse import urlsplit

from crawler.fetch.lenient_answers import LenientAnswer
from crawler.fetch.transfers import (
    ANY_CIPHER,
    CONNECT_SECONDS,
    DEFAULT_PORTS,
    SILENT_SECONDS,
    Broken,
    Request,
    Taker,
    path_and_host,
)

PIECE = 65_536  # bytes read at once; chosen, not measured
_NO_EOF_CHECK = 0x80  # OpenSSL's SSL_OP_IGNORE_UNEXPECTED_EOF: many servers close without a TLS close
_LEGACY = 0x4  # OpenSSL's SSL_OP_LEGACY_SERVER_CONNECT


class LenientTransfers:
    """Requests that are made again. `agent`: User-Agent. `cafile`: trusted certificates (PEM)."""

    def __init__(self, agent: str, cafile: str) -> None:
        self._agent = agent
        self._cafile = cafile

    async def get(self, request: Request, taker: Taker) -> None:
        """Pass an answer to `taker`, as `Transfers.get` does."""
        try:
            async with asyncio.timeout(request.seconds):
                await self._get(request, LenientAnswer(taker))
        except TimeoutError as error:
            raise Broken("timeout", "no answer in time") from error

    async def _get(self, request: Request, answer: LenientAnswer) -> None:
        reader, writer = await self._connected(request)
        try:
            writer.write(_asked(request, self._agent))
            while data := await _received(reader):
                if not answer.feed(data):
                    return
            answer.end()
        finally:
            writer.transport.abort()

    async def _connected(self, request: Request) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the first of the addresses, which were checked, that accepts one."""
        parts = urlsplit(request.url)
        is_secure = parts.scheme == "https"
        tls = (self._verified if request.verified else self._unverified) if is_secure else None
        port = DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port
        problem = Broken("connect", "no address")
        for address in request.addresses:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    return await asyncio.open_connection(
                        address, port, ssl=tls, server_hostname=parts.hostname if is_secure else None
                    )
            except ssl.SSLError as error:
                problem = Broken("tls", str(error))
            except TimeoutError:
                problem = Broken("timeout", "no connection in time")
            except OSError as error:
                problem = Broken("connect", str(error))
        raise problem

    @cached_property
    def _verified(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=self._cafile)
        context.options |= _NO_EOF_CHECK
        return context

    @cached_property
    def _unverified(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        context.set_ciphers(ANY_CIPHER)
        context.options |= _NO_EOF_CHECK | _LEGACY
        return context


async def _received(reader: asyncio.StreamReader) -> bytes:
    """The next bytes; b"" at the end of the connection."""
    try:
        async with asyncio.timeout(SILENT_SECONDS):
            return await reader.read(PIECE)
    except OSError as error:
        if isinstance(error, TimeoutError):
            raise
        raise Broken("read", str(error)) from error


def _asked(request: Request, agent: str) -> bytes:
    """The request as libcurl writes it, for one answer."""
    path, host = path_and_host(request.url)
    lines = [line.encode() for line in (f"GET {path} HTTP/1.1", f"Host: {host}", f"User-Agent: {agent}")]
    return b"".join(line + b"\r\n" for line in (*lines, *request.headers, b"Connection: close", b""))
