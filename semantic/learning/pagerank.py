"""PageRank over the known web (paper A, 2.2.2).

    PR(i) = (1 - d) + d sum_{j -> i} PR(j) / N(j)

N(j): the number of addresses that j links to; d = 0.85. The values are no probabilities: their mean is at most 1.

The paper recomputes once enough new pages have come. Here that is 50 pages or a tenth of all, whichever is more, so
that all computations together cost a few sweeps over the web, however large it grows. In between, a new page adds d
PR(page) / N(page) to each of its targets.
"""

from array import array
from typing import TYPE_CHECKING, Any, ClassVar

from semantic.learning.known_web import KnownWeb
from semantic.memory.strategy_memory import Remembering

if TYPE_CHECKING:
    import numpy as np

TOLERANCE = 1e-6  # the last sweep changes no value by more; chosen, not measured
SWEEPS = 200  # at most; d = 0.85 needs about 90
FEWEST, GROWTH = 50, 0.1  # pages, and share of all pages, between two computations; chosen, not measured


def pagerank(web: KnownWeb, d: float = 0.85, start: "array[float] | None" = None) -> "array[float]":
    """PR of every known address. `start`: initial values; good ones save sweeps.

    Only fetched pages pass values on, so the sweeps run over the links between them, one step for each link and sweep;
    the values of other addresses are summed once at the end.
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
    """The final target of each address. A chain has at most five redirects, so three doublings reach its end."""
    import numpy as np

    moved = np.array(web.moved, dtype=np.int64)
    for _ in range(3):
        moved = moved[moved]
    return moved


class RankedWeb(Remembering):
    """A known web with up-to-date PageRank values, as the module's text describes."""

    KEPT: ClassVar = {"web": Remembering, "ranks": array, "_total": float, "_computed": int}

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
        """Number of pages from the last computation to the next."""
        return max(FEWEST, int(GROWTH * self._computed))

    def add(self, url: str, links: list[str]) -> tuple[int, list[int]]:
        """Add a fetched page (`KnownWeb.add`): its number and its targets' numbers."""
        page, targets = self.web.add(url, links)
        self._grow()
        for target in targets:
            self._hand(target, self._d * self.ranks[page] / len(targets))
        return page, targets

    def end(self, url: str, successor: str | None) -> tuple[int, int] | None:
        """Mark an address as ended (`KnownWeb.end`). The value it received from links goes to its successor."""
        moved = self.web.end(url, successor)
        self._grow()
        if moved is not None:
            self._hand(moved[1], self.ranks[moved[0]] - (1 - self._d))
        return moved

    def compute(self) -> bool:
        """Recompute all values if that is due. Whether it was."""
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
