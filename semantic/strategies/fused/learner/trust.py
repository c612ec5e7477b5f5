"""How far to go by what was learned, and how far by the fixed prior: by what each said of pages before they came.

    a = n/(n + 100) min(1, 2 (g + 2 s)), not below 0      n pages fetched
    g, s    of the last 200 pages: worth = c + b prior + g learned by least squares, and the standard error of g

With g = 0 what was learned foretold nothing beyond the prior. (Stacked regressions, Wolpert 1992 and Breiman 1996, take
b and g for weights. Here they only guard: pages are chosen for what was learned of them, so that these 200 are alike in
it and say little of how much it is worth, but something of its failure.) So the learner takes over with the pages, and
loses what it has, down to nothing, where g is clearly below 1/2: by two standard errors and more.
"""

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

COMPARED = 200  # pages
HALF = 100  # pages after which what was learned counts as much as the prior
ENOUGH = 0.5  # g, with which nothing is lost
ERRORS = 2  # standard errors that g may fall short of it
NOTHING = 1e-9  # sum of squares of what says the same of all pages


class Trust:
    """See the module's text."""

    def __init__(self) -> None:
        self._said: deque[tuple[float, float]] = deque(maxlen=COMPARED)  # of a page: the prior, what was learned
        self._kept = 1.0

    def hear(self, prior: float, learned: float) -> None:
        """What was said of the page that comes now; nan for nothing."""
        self._said.append((prior, learned))

    def compare(self, worth: Floats) -> None:
        """What the last pages are worth."""
        count = min(len(self._said), len(worth))
        said = np.array(self._said).reshape(-1, 2)[len(self._said) - count :]
        there = ~np.isnan(said).any(1)
        prior, learned = said[there].T
        self._kept = _kept(prior, learned, worth[len(worth) - count :][there])

    def share(self, n: int) -> float:
        """a, after n pages."""
        return n / (n + HALF) * self._kept

    def remember(self) -> list[Any]:
        """What was said, and what came of it."""
        return [list(self._said), self._kept]

    def restore(self, memory: Any) -> None:
        """Take back what `remember` gave."""
        said, self._kept = memory
        self._said.clear()
        self._said.extend((prior, learned) for prior, learned in said)


def _kept(prior: Floats, learned: Floats, worth: Floats) -> float:
    """The factor of the module's first line."""
    freedom = len(worth) - 3
    if freedom < 1:
        return 1.0
    p, x, y = prior - prior.mean(), learned - learned.mean(), worth - worth.mean()
    if p @ p > NOTHING:  # what the prior does not say already
        x, y = x - (x @ p) / (p @ p) * p, y - (y @ p) / (p @ p) * p
    if x @ x <= NOTHING:
        return 1.0
    g = (x @ y) / (x @ x)
    left = y - g * x
    error = np.sqrt(left @ left / (freedom * (x @ x)))
    return float(np.clip((g + ERRORS * error) / ENOUGH, 0.0, 1.0))
