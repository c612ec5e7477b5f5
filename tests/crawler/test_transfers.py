"""libcurl connects to what it was told, or to nothing."""

import asyncio

import certifi
import pytest
from hostile_web import GOOD, Web
from raw_servers import Taken

from crawler.fetch.transfers import Broken, Request, Transfers

ISOLATED = True  # pages are read as in a real crawl


def get(host: str, addresses: tuple[str, ...], *, told: bool, taker: Taken | None = None) -> Taken:
    """Ask a server that listens on all of 127.0.0.0/8; `told`: whether libcurl hears whose addresses these are."""
    web = Web({f"{address}/": GOOD for address in ("127.0.0.1", "127.0.0.2")})
    page = taker or Taken()

    async def go() -> None:
        server = await web.serve()
        transfers = Transfers("test", certifi.where(), None)
        name = f"{host}:{web.port}" if told else ""
        try:
            await transfers.get(Request(f"http://{host}:{web.port}/", [], addresses, name, 5.0, True), page)
        finally:
            await transfers.close()
            server.close()

    asyncio.run(go())
    return page


def test_a_name_means_the_addresses_that_were_checked() -> None:
    assert get("a.example", ("127.0.0.2",), told=True).body == b"<p>still there"
    assert get("a.example", ("::1", "127.0.0.2"), told=True).body == b"<p>still there"


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "localhost"])
def test_no_other_address_is_connected_to(host: str) -> None:
    """Whatever libcurl makes of a host by itself."""
    with pytest.raises(Broken) as told:
        get(host, ("127.0.0.2",), told=False)
    assert told.value.barred in ("127.0.0.1", "::1")


def test_what_a_taker_raises_is_raised() -> None:
    class Picky(Taken):
        def take(self, piece: bytes) -> bool:
            raise KeyError(piece)

    with pytest.raises(KeyError):
        get("127.0.0.1", ("127.0.0.1",), told=False, taker=Picky())
