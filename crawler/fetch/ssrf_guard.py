"""Decides which addresses may be connected to: only public ones, except those allowed by name.

A page can name any host, and a host's owner can make its name resolve to any address. A crawler that connects wherever
it is told can be sent into its own network (server-side request forgery). So the check is made for the address that is
connected to, at connect time: literal addresses before the request, names by the resolver whose answer is used for the
connection. If any address of a name is refused, the name is refused. IPv4 inside IPv6 (mapped, compatible, NAT64, 6to4,
ISATAP) is treated as the IPv4 address; of IPv6 only global unicast (2000::/3) passes. Sources: IANA special-purpose
address registries, RFC 6890; RFC 6052, 3056, 4380, 5214.

A proxy looks names up itself, and its result is not known here. What can be known is refused all the same: literal
addresses in every spelling, and names that no public name server answers (RFC 6761, RFC 6762 with appendix G, RFC 8375;
`.svc`: services of a Kubernetes cluster). These names are refused without a proxy, too: nothing public has such a name.
"""

import ipaddress
import re
from collections.abc import Iterable

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
    """Raised by the resolver during a connection attempt; the source turns it into `Refused`."""


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


def address_refusal(address: str) -> str:
    """The reason why a literal IP address may not be connected to; '' if it may. An invalid address is refused too.

    An address with a zone (`%eth0`) is refused, because a zone names an interface of this machine.
    """
    try:
        ip = ipaddress.ip_address(address.strip("[]"))
    except ValueError:
        return f"no address: {address}"
    kind = "zoned" if "%" in address else next(filter(None, map(_kind, _meant(ip))), "")
    return f"{kind} address {address}" if kind else ""


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


def first_refusal(addresses: Iterable[str]) -> str:
    """The reason why a name with these addresses is refused; '' if all of them may be connected to."""
    return next(filter(None, map(address_refusal, addresses)), "")


def without_password(url: str) -> str:
    """A proxy's URL without user name and password, so that it may be shown and stored."""
    scheme, mark, rest = url.rpartition("://")
    return scheme + mark + rest.rpartition("@")[2]


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
