"""How far to go by what was learned, and how far by the fixed prior: by what each said of pages before they came.

    a = (m g + 100 n/(n + 100)) / (m + 100), drawn to 0..1     n pages fetched, m <= 200 of them compared
    g = sum d e / sum d^2,   d = learned - prior, e = worth - prior, both centred, over the last 200 pages

g is the share of what was learned that would have foretold these pages best (stacked regressions: Wolpert 1992, Breiman
1996). While what was learned adds nothing to the prior, g is 0 or less, and after 200 pages a third is left of what a
would be; where it does better, a is more. That pages are chosen by what was said of them does not bend g, for it asks
what pages are worth of which this was said, not how often it was said.
"""

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

COMPARED = 200  # pages
HALF = 100  # pages after which what was learned counts as much as the prior, without a comparison;
DRAWN = 100  # as many pages as that weighs
SAME = 1e-6  # standard deviation of d below which both say the same


class Trust:
    """See the module's text."""

    def __init__(self) -> None:
        self._said: deque[tuple[float, float]] = deque(maxlen=COMPARED)  # of a page: the prior, what was learned
        self._gain, self._pages = 0.0, 0

    def hear(self, prior: float, learned: float) -> None:
        """What was said of the page that comes now; nan for nothing."""
        self._said.append((prior, learned))

    def compare(self, worth: Floats) -> None:
        """What the last pages are worth."""
        count = min(len(self._said), len(worth))
        prior, learned = np.array(self._said).reshape(-1, 2)[len(self._said) - count :].T
        d, e = learned - prior, worth[len(worth) - count :] - prior
        said = ~np.isnan(d)
        d, e = d[said], e[said]
        self._gain, self._pages = 0.0, 0
        if len(d) and d.std() > SAME:
            d, e = d - d.mean(), e - e.mean()
            self._gain, self._pages = float(d @ e / (d @ d)), len(d)

    def share(self, n: int) -> float:
        """a, after n pages."""
        drawn = DRAWN * n / (n + HALF)
        return min(1.0, max(0.0, (self._pages * self._gain + drawn) / (self._pages + DRAWN)))

    def remember(self) -> list[Any]:
        """What was said, and what came of it."""
        return [list(self._said), self._gain, self._pages]

    def restore(self, memory: Any) -> None:
        """Take back what `remember` gave."""
        said, self._gain, self._pages = memory
        self._said.clear()
        self._said.extend((prior, learned) for prior, learned in said)
