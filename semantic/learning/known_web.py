"""The known web: addresses by number, which of them have been fetched, and their links.

Takes about 150 bytes an address and 8 a link. Links to a redirected address count for its target.
"""

from array import array
from collections.abc import Iterable
from typing import ClassVar

from semantic.memory.strategy_memory import Lines, Remembering

WAITING, ENDED = -1, -2  # used in place of a number of links


class KnownWeb(Remembering):
    """`links[i]`: how many addresses page i links to, each counted once; WAITING or ENDED for an address without a
    page.

    `sources`, `targets`: the links in order of discovery. `moved[i]`: where address i redirects to, i itself for most.
    """

    KEPT: ClassVar = {"addresses": Lines, "pages": int} | dict.fromkeys(("links", "moved", "sources", "targets"), array)

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

    def derive(self) -> None:
        """Number the addresses."""
        self._numbers = {url: number for number, url in enumerate(self.addresses)}
