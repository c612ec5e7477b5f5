"""The known web: addresses by number, which of them have been fetched, and their links.

Takes about 150 bytes an address and 8 a link. Links to a redirected address count for its target.
"""

from array import array
from collections.abc import Iterable, Mapping
from typing import Any

from semantic.memory.arrays import pack, pack_lines, unpack, unpack_lines

WAITING, ENDED = -1, -2  # used in place of a number of links


class KnownWeb:
    """`links[i]`: how many addresses page i links to, each counted once; WAITING or ENDED for an address without a
    page.

    `sources`, `targets`: the links in order of discovery. `moved[i]`: where address i redirects to, i itself for most.
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
        """The number of an address; a new number if it is not known yet."""
        found = self._numbers.get(url)
        if found is None:
            found = self._numbers[url] = len(self.addresses)
            self.addresses.append(url)
            self.links.append(WAITING)
            self.moved.append(found)
        return found

    def add(self, url: str, links: Iterable[str]) -> tuple[int, list[int]]:
        """Add a fetched page. Gives its number and those of the addresses it links to, each once, without itself."""
        page = self.number(url)
        targets = [self.number(target) for target in dict.fromkeys(links) if target != url]
        self.links[page] = len(targets)
        self.sources.extend([page] * len(targets))
        self.targets.extend(targets)
        self.pages += 1
        return page, targets

    def end(self, url: str, successor: str | None) -> tuple[int, int] | None:
        """Mark an address as ended without a page. Gives its number and that of its successor, None without a
        successor.
        """
        ended = self.number(url)
        self.links[ended] = ENDED
        if successor is None:
            return None
        self.moved[ended] = self.number(successor)
        return ended, self.moved[ended]

    def remember(self) -> Mapping[str, Any]:
        """The whole state, as JSON values."""
        rows = {name: pack(getattr(self, name)) for name in ("links", "moved", "sources", "targets")}
        return {"addresses": pack_lines(self.addresses), "pages": self.pages, **rows}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self.links, self.moved = unpack("i", memory["links"]), unpack("i", memory["moved"])
        self.sources, self.targets = unpack("i", memory["sources"]), unpack("i", memory["targets"])
        self.addresses = unpack_lines(memory["addresses"]) if len(self.links) else []
        self.pages = memory["pages"]
        self._numbers = {url: number for number, url in enumerate(self.addresses)}
