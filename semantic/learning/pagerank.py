"""How much the known web points at a page (paper A, 2.2.2).

    PR(i) = (1 - d) + d sum_{j -> i} PR(j) / N(j)

N(j): the number of addresses that j links to; d = 0.85. The values are not probabilities: their mean is at most 1.

The paper recomputes when enough new pages have come. Here: when 50 have come, or a tenth of all, whichever is more, so
that all recomputing together costs a few sweeps over the web, however large it grows. In between the sum of a target
grows by what the new page hands to it, the page's own value taken as it stands.
"""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from semantic.learning.known_web import KnownWeb
from semantic.memory.arrays import pack, unpack

if TYPE_CHECKING:
    import numpy as np

TOLERANCE = 1e-6  # a sweep that changes no value by more is the last
SWEEPS = 200  # d = 0.85 needs about 90
FEWEST, GROWTH = 50, 0.1  # pages, and share of them, between two computations


def pagerank(web: KnownWeb, d: float = 0.85, start: "array[float] | None" = None) -> "array[float]":
    """PR of every known address; `start`: values to begin with, which saves sweeps where they are near.

    Only fetched pages hand anything on, so the sweeps go over the links among them; what the others get is summed up
    once at the end. Costs one step for such a link and sweep.
    """
    import numpy as np

    size = len(web.addresses)
    sources, targets = np.array(web.sources, dtype=np.int64), _led(web)[np.array(web.targets, dtype=np.int64)]
    links = np.array(web.links, dtype=np.float64)
    inner = links[targets] > 0
    among, onto = sources[inner], targets[inner]
    rank = np.ones(size) if start is None else np.array(start)
    share = np.maximum(links, 1.0)
    for _ in range(SWEEPS):
        swept = (1 - d) + d * np.bincount(onto, (rank / share)[among], size)
        change = np.abs(swept - rank)[links > 0].max(initial=0.0)
        rank = swept
        if change <= TOLERANCE:
            break
    whole = (1 - d) + d * np.bincount(targets, (rank / share)[sources], size)
    return array("d", whole.tobytes())


def _led(web: KnownWeb) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """Where each address leads at last; a chain has at most five redirects, so three doublings follow it to its end."""
    import numpy as np

    moved = np.array(web.moved, dtype=np.int64)
    for _ in range(3):
        moved = moved[moved]
    return moved


class RankedWeb:
    """A known web with the PageRank of its addresses, kept up to date as the module's text tells."""

    def __init__(self, d: float = 0.85) -> None:
        self.web = KnownWeb()
        self.ranks = array("d")
        self._d = d
        self._total = 0.0
        self._computed = 0

    @property
    def mean(self) -> float:
        """The mean PageRank of all known addresses."""
        return self._total / len(self.ranks)

    @property
    def interval(self) -> int:
        """Pages from the last computation to the next."""
        return max(FEWEST, int(GROWTH * self._computed))

    def add(self, url: str, links: list[str]) -> tuple[int, list[int]]:
        """A page is fetched: its number and its targets', as `KnownWeb.add`."""
        page, targets = self.web.add(url, links)
        self._grow()
        for target in targets:
            self._hand(target, self._d * self.ranks[page] / len(targets))
        return page, targets

    def end(self, url: str, successor: str | None) -> tuple[int, int] | None:
        """An address ended without a page, as `KnownWeb.end`; what it was handed goes to its successor."""
        moved = self.web.end(url, successor)
        self._grow()
        if moved is not None:
            self._hand(moved[1], self.ranks[moved[0]] - (1 - self._d))
        return moved

    def compute(self) -> bool:
        """Compute all anew, if it is time to; whether it was."""
        if self.web.pages < self._computed + self.interval:
            return False
        self.ranks = pagerank(self.web, self._d, self.ranks)
        self._total = sum(self.ranks)
        self._computed = self.web.pages
        return True

    def _grow(self) -> None:
        fresh = len(self.web.addresses) - len(self.ranks)
        self.ranks.extend([1 - self._d] * fresh)
        self._total += (1 - self._d) * fresh

    def _hand(self, number: int, part: float) -> None:
        self.ranks[number] += part
        self._total += part

    def remember(self) -> Mapping[str, Any]:
        """Web and values, as JSON values."""
        return {
            "web": self.web.remember(),
            "ranks": pack(self.ranks),
            "total": self._total,
            "computed": self._computed,
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self.web.restore(memory["web"])
        self.ranks = unpack("d", memory["ranks"])
        self._total = memory["total"]
        self._computed = memory["computed"]
