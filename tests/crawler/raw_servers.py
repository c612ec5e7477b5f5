"""Small servers on 127.0.0.1 that send just the bytes that a test gives them, and the network source that asks them."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from typing import Any

from crawler.fetch.client import HttpSource
from crawler.ports import Outcome

HERE = frozenset({"127.0.0.1"})
Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Taken:
    """Takes an answer as it comes."""

    def __init__(self) -> None:
        self.head: list[bytes] = []
        self.body = b""

    def begin(self, head: list[bytes]) -> bool:
        self.head = head
        return True

    def take(self, piece: bytes) -> bool:
        self.body += piece
        return True


def served(
    behaviour: Behaviour,
    ask: Callable[[HttpSource, str], Awaitable[Any]],
    *,
    proxied: bool = False,
    tls: ssl.SSLContext | None = None,
    **options: Any,
) -> Any:
    """What `ask` returns, which is given a source and the address of a server that treats every connection so.

    `proxied`: the server is the source's proxy. `options`: of the source.
    """

    async def go() -> Any:
        server = await asyncio.start_server(behaviour, "127.0.0.1", 0, ssl=tls)
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        source = HttpSource(address, **options) if proxied else HttpSource(**{"allow": HERE, **options})
        try:
            return await ask(source, address)
        finally:
            await source.close()
            server.close()

    return asyncio.run(go())


def sending(answer: bytes | Callable[[str], bytes]) -> Behaviour:
    """Sends these bytes, or what `answer` makes of the path, and closes."""

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(answer if isinstance(answer, bytes) else answer(head.split()[1].decode()))
        writer.close()

    return send


def answered(answer: bytes, path: str = "/", *, robots: bool = False, **options: Any) -> Outcome:
    """What is made of these bytes, after which the connection ends."""

    async def ask(source: HttpSource, address: str) -> Outcome:
        return await source.fetch(address + path, robots=robots)

    outcome: Outcome = served(sending(answer), ask, **options)
    return outcome
