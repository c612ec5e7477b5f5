"""Which addresses are refused, as one table."""

import asyncio

import pytest

from crawler.fetch.ssrf_guard import (
    Allowed,
    LookUp,
    Names,
    RefusedAddress,
    address_refusal,
    is_literal,
    names_this_machine,
)

PUBLIC = """
    8.8.8.8 1.1.1.1 172.32.0.1 2001:4860:4860::8888 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1
    2a00::5efe:8.8.8.8
"""
REFUSED = {  # by the word that a reason begins with
    "loopback": "127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: ::7f00:1",
    "private": "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 192.0.2.1 198.18.0.1 fc00::1 fd12::1",
    "link-local": "169.254.169.254 fe80::1 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::1",
    "multicast": "224.0.0.1 239.255.255.255 ff02::1",
    "unspecified": "0.0.0.0 ::",
    "reserved": "100.64.0.1 192.88.99.1 fec0::1 64:ff9b:1::1 ::ffff:100.64.0.1 4000::1",
    "zoned": "fe80::1%eth0 2001:4860:4860::8888%2",
    "": """
        240.0.0.1 255.255.255.255 0.1.2.3 192.0.0.8 192.0.0.192 168.63.129.16 ::ffff:168.63.129.16
        ::ffff:192.0.0.192 2001:0:808:808::1 2001:db8::1 100::1 3fff::1 2001:470:1f0b::5efe:10.0.0.1
        2002:808:808::5efe:10.0.0.1 2002:a00:1::5efe:8.8.8.8 fd00::5efe:8.8.8.8 fe80::200:5efe:8.8.8.8 1.2.3 a
    """,
}


@pytest.mark.parametrize("address", PUBLIC.split())
def test_public_addresses_pass(address: str) -> None:
    assert address_refusal(address) is None


@pytest.mark.parametrize(("kind", "address"), [(kind, one) for kind, all_ in REFUSED.items() for one in all_.split()])
def test_all_others_are_refused_with_a_reason(kind: str, address: str) -> None:
    assert str(address_refusal(address)).startswith(kind)
    assert address in str(address_refusal(address))


def test_hosts_that_are_addresses_and_names_that_mean_this_machine() -> None:
    hosts = ("1.2.3.4", "::1", "2130706433", "a.0x7f", "1a.b", "0xg")
    assert [is_literal(host) for host in hosts] == [True] * 4 + [False] * 2
    names = ("localhost", "x.localhost", "localhost.example.org")
    assert [names_this_machine(name) for name in names] == [True, True, False]


def answers(*addresses: str) -> LookUp:
    """A look-up that finds these addresses for every name."""

    async def look_up(host: str, port: int) -> tuple[str, ...]:
        return addresses

    return look_up


def test_a_name_is_refused_if_any_of_its_addresses_is() -> None:
    both = answers("8.8.8.8", "10.0.0.1")
    with pytest.raises(RefusedAddress, match=r"evil\.example .*10\.0\.0\.1"):
        asyncio.run(Names(Allowed(), both).addresses("evil.example", 80))
    for allowed in ("evil.example", "10.0.0.1"):
        found = asyncio.run(Names(Allowed({allowed}), both).addresses("evil.example", 80))
        assert found == ("8.8.8.8", "10.0.0.1")
    with pytest.raises(RefusedAddress):
        asyncio.run(Names(Allowed({"other.example"}), both).addresses("evil.example", 80))


def test_a_port_that_is_named_is_allowed_alone() -> None:
    allowed = Allowed(["a.example:80", "b.example", "[::1]:8000", "fd00::1"])
    asked = [("a.example", 80), ("a.example", 81), ("b.example", 81), ("::1", 8000), ("::1", 80), ("fd00::1", 9)]
    assert [allowed.has(*one) for one in asked] == [True, False, True, True, False, True]


def test_a_name_is_looked_up_for_the_allowed_port_alone() -> None:
    names = Names(Allowed(["a.example:80"]), answers("10.0.0.1"))
    assert asyncio.run(names.addresses("a.example", 80)) == ("10.0.0.1",)
    with pytest.raises(RefusedAddress):
        asyncio.run(names.addresses("a.example", 22))
