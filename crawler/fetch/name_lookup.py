"""Looks host names up and checks their addresses, so that the addresses checked can be those connected to."""

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Awaitable, Callable

from crawler.fetch.ssrf_guard import Allowed, RefusedAddress, first_refusal

KEPT_SECONDS = 300.0  # for which a cached answer is used; chosen, not measured
KEPT_NAMES = 10_000  # in the cache, about 3 MB; chosen, not measured

LookUp = Callable[[str, int], Awaitable[tuple[str, ...]]]


async def look_up(host: str, port: int) -> tuple[str, ...]:
    """The addresses of a name as text, the best first (RFC 6724). Asks the system in a daemon thread.

    A look-up cannot be cancelled and may take half a minute if no name server answers. The event loop has few threads
    of its own, and waits for them at its end; a daemon thread delays neither Ctrl-C nor other names. (libcurl waits for
    its own threads when it is closed.) Raises OSError for an unknown name, UnicodeError for an invalid one.
    """
    answer: asyncio.Future[tuple[str, ...]] = asyncio.get_running_loop().create_future()
    threading.Thread(target=_ask, args=(answer, host, port), daemon=True, name="look-up").start()
    return await answer


class Names:
    """A cache of the addresses of names. `allowed`: hosts that may be private; None: nothing is checked (for a
    proxy).
    """

    def __init__(self, allowed: Allowed | None, ask: LookUp = look_up) -> None:
        self._allowed = allowed
        self._ask = ask
        self._kept: dict[tuple[str, int], tuple[float, tuple[str, ...]]] = {}

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses of a host that may be connected to; those of a literal address are the address itself.

        Raises RefusedAddress if one of them is refused and neither it nor the name is allowed; also raises what
        `look_up` does.
        """
        until, found = self._kept.get((host, port), (0.0, ()))
        if time.monotonic() < until:
            return found
        found = await self._ask(host, port)
        self._check(host, port, found)
        self._kept.pop((host, port), None)
        self._kept[host, port] = time.monotonic() + KEPT_SECONDS, found
        if len(self._kept) > KEPT_NAMES:
            del self._kept[next(iter(self._kept))]  # the oldest
        return found

    def _check(self, host: str, port: int, found: tuple[str, ...]) -> None:
        allowed = self._allowed
        if allowed is None or allowed.has(host, port):
            return
        refusal = first_refusal(one for one in sorted(found) if not allowed.has(one, port))
        if refusal:
            raise RefusedAddress(f"{host} is the {refusal}")


def _ask(answer: asyncio.Future[tuple[str, ...]], host: str, port: int) -> None:
    """Set the result of `answer` from another thread than its event loop's, unless that loop has ended."""
    found: tuple[str, ...] | Exception
    try:
        infos = socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
        numbers = (socket.getnameinfo(info[4], socket.NI_NUMERICHOST | socket.NI_NUMERICSERV)[0] for info in infos)
        found = tuple(dict.fromkeys(numbers))
    except Exception as error:
        found = error
    with contextlib.suppress(RuntimeError):
        answer.get_loop().call_soon_threadsafe(_fill, answer, found)


def _fill(answer: asyncio.Future[tuple[str, ...]], found: tuple[str, ...] | Exception) -> None:
    if answer.done():  # cancelled
        return
    if isinstance(found, Exception):
        answer.set_exception(found)
    else:
        answer.set_result(found)
