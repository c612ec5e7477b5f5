"""The web as far as it is known: addresses by number, which of them are fetched, and what those link to.

About 150 bytes an address and 8 a link. Links to an address that was redirected count for where it leads.
"""

from array import array
from collections.abc import Iterable, Mapping
from typing import Any

from semantic.memory.arrays import pack, pack_lines, unpack, unpack_lines

WAITING, ENDED = -1, -2  # instead of a number of links


class KnownWeb:
    """`links[i]`: how many addresses page i links to, each counted once; WAITING or ENDED for what is no page.

    `sources`, `targets`: the links, in the order of finding. `moved[i]`: where address i leads, i itself mostly.
    """

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.links = array("i")
        self.moved = array("i")
        self.sources = array("i")
        self.targets = array("i")
        self.pages = 0
        self._numbers: dict[str, int] = {}

    def number(self, url: str) -> int:
        """The number of an address; a new one where it is not known yet."""
        found = self._numbers.get(url)
        if found is None:
            found = self._numbers[url] = len(self.addresses)
            self.addresses.append(url)
            self.links.append(WAITING)
            self.moved.append(found)
        return found

    def add(self, url: str, links: Iterable[str]) -> tuple[int, list[int]]:
        """A page is fetched: its number, and those of the addresses it links to, each once, itself left out."""
        page = self.number(url)
        targets = [self.number(target) for target in dict.fromkeys(links) if target != url]
        self.links[page] = len(targets)
        self.sources.extend([page] * len(targets))
        self.targets.extend(targets)
        self.pages += 1
        return page, targets

    def end(self, url: str, successor: str | None) -> tuple[int, int] | None:
        """An address ended without a page: its number and its successor's, None without one."""
        ended = self.number(url)
        self.links[ended] = ENDED
        if successor is None:
            return None
        self.moved[ended] = self.number(successor)
        return ended, self.moved[ended]

    def remember(self) -> Mapping[str, Any]:
        """All, as JSON values."""
        rows = {name: pack(getattr(self, name)) for name in ("links", "moved", "sources", "targets")}
        return {"addresses": pack_lines(self.addresses), "pages": self.pages, **rows}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self.links, self.moved = unpack("i", memory["links"]), unpack("i", memory["moved"])
        self.sources, self.targets = unpack("i", memory["sources"]), unpack("i", memory["targets"])
        self.addresses = unpack_lines(memory["addresses"]) if len(self.links) else []
        self.pages = memory["pages"]
        self._numbers = {url: number for number, url in enumerate(self.addresses)}
