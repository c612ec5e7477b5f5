"""Decides which addresses may be connected to: only public ones, except those allowed by name.

A page can name any host, and a host's owner can make its name resolve to any address. A crawler that connects wherever
it is told can be sent into its own network (server-side request forgery). So names are looked up here, and the check is
made for the address that is connected to, at connect time: literal addresses before the request, names by the resolver
whose answer is used for the connection. If any address of a name is refused, the name is refused. IPv4 inside IPv6
(mapped, compatible, NAT64, 6to4, ISATAP) is treated as the IPv4 address; of IPv6 only global unicast (2000::/3) passes.
Sources: IANA special-purpose address registries, RFC 6890; RFC 6052, 3056, 4380, 5214.

A proxy looks names up itself, and its result is not known here. What can be known is refused all the same: literal
addresses in every spelling, and names that no public name server answers (RFC 6761, RFC 6762 with appendix G, RFC 8375;
`.svc`: services of a Kubernetes cluster). These names are refused without a proxy, too: nothing public has such a name.
"""

import asyncio
import contextlib
import ipaddress
import re
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterable

from semantic.reasons import Reason, because

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_COMPATIBLE = ipaddress.IPv6Network("::/96")
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_ISATAP = (0x00005EFE, 0x02005EFE)  # RFC 5214: bits 64 to 95 of an address whose last 32 bits are an IPv4 address
_RESERVED = (
    ipaddress.IPv4Network("192.88.99.0/24"),  # 6to4 anycast, deprecated (RFC 7526)
    # protocol assignments (RFC 6890); Python only knows a part of it, and some clouds serve secrets there
    ipaddress.IPv4Network("192.0.0.0/24"),
    ipaddress.IPv4Network("168.63.129.16/32"),  # Azure's metadata service, which serves secrets of the machine
)
_DOCUMENTS = ipaddress.IPv6Network("3fff::/20")  # documentation examples (RFC 9637)
_INSIDE = frozenset(
    ("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "svc")
)
_INSIDE_ARPA = "home.arpa"
_NUMBER = re.compile(r"\d+|0[xX][0-9a-fA-F]*")


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class RefusedAddress(Exception):
    """Raised by the resolver during a connection attempt, with the reason; the source turns it into `Refused`."""


class Allowed:
    """The hosts that may be asked even if they are private.

    `typed`: names and addresses, each for all ports or for one port (`host:80`). An IPv6 address with a port has
    brackets.
    """

    def __init__(self, typed: Iterable[str] = ()) -> None:
        self._hosts = set(map(_host_and_port, typed))

    def has(self, host: str, port: int | None) -> bool:
        """Whether a host (without brackets) is allowed at a port."""
        return (host, None) in self._hosts or (host, port) in self._hosts


def _host_and_port(typed: str) -> tuple[str, int | None]:
    host, colon, port = typed.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        return typed.strip("[]"), None
    return host.strip("[]"), int(port)


def address_refusal(address: str) -> Reason | None:
    """The reason why a literal IP address may not be connected to; None if it may. An invalid address is refused too.

    An address with a zone (`%eth0`) is refused, because a zone names an interface of this machine.
    """
    try:
        ip = ipaddress.ip_address(address.strip("[]"))
    except ValueError:
        return because("no address", address)
    kind = "zoned" if "%" in address else next(filter(None, map(_kind, _meant(ip))), "")
    return because(f"{kind} address", address=address) if kind else None


def is_literal(host: str) -> bool:
    """Whether a URL's host is an address, not a name: it has a colon, or its last label is a number (WHATWG URL,
    3.5).
    """
    return ":" in host or _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]) is not None


def names_this_machine(host: str) -> bool:
    """Whether a name means this machine wherever it is resolved (RFC 6761, 6.3)."""
    return host.rstrip(".").rpartition(".")[2] == "localhost"


def is_inside_name(host: str) -> bool:
    """Whether a name can only belong to a private network: it has no dot, or an ending that no public server
    answers.
    """
    labels = host.rstrip(".").split(".")
    return len(labels) == 1 or labels[-1] in _INSIDE or ".".join(labels[-2:]) == _INSIDE_ARPA


def first_refusal(addresses: Iterable[str]) -> Reason | None:
    """The reason why a name with these addresses is refused; None if all of them may be connected to."""
    return next(filter(None, map(address_refusal, addresses)), None)


def _meant(ip: Address) -> list[Address]:
    """The address, or the IPv4 address that it contains; also the address it is tunnelled to."""
    if isinstance(ip, ipaddress.IPv4Address):
        return [ip]
    last = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip in _NAT64 or (ip in _COMPATIBLE and int(ip) > 1):
        return [last]
    tunnelled = [last] if int(ip) >> 32 & 0xFFFFFFFF in _ISATAP else []
    return [ip.ipv4_mapped or ip.sixtofour or ip, *tunnelled]


def _kind(ip: Address) -> str:
    """In one word, why an address is not public; '' for a public one."""
    checks = (
        ("loopback", ip.is_loopback),
        ("unspecified", ip.is_unspecified),
        ("link-local", ip.is_link_local),
        ("multicast", ip.is_multicast),
        ("private", ip.is_private),
        ("reserved", ip.is_reserved or not ip.is_global or any(ip in net for net in _RESERVED)),
        ("reserved", ip.version == 6 and (ip not in _GLOBAL_UNICAST or ip in _DOCUMENTS or ip.teredo is not None)),
    )
    return next((word for word, holds in checks if holds), "")


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
            raise RefusedAddress(because("resolved", host=host, why=refusal))


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
