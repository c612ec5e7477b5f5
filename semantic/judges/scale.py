"""The size of a quantity, learned from the pages of this very crawl."""

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Sequence


class Scale:
    """95th percentile of the last 400 positive values, drawn towards `prior` as if by `STRENGTH` values more.

    The prior makes the first pages of a crawl comparable with later ones: alone, a first page would always score 1.
    """

    KEPT = 400
    STRENGTH = 30.0

    def __init__(self, prior: float) -> None:
        self._prior = prior
        self._values: deque[float] = deque()
        self._sorted: list[float] = []

    def add(self, value: float) -> None:
        """Take note of a value; values that are not positive say nothing of the size."""
        if value > 0:
            self._values.append(value)
            insort(self._sorted, value)
        if len(self._values) > self.KEPT:
            del self._sorted[bisect_left(self._sorted, self._values.popleft())]

    def value(self) -> float:
        """The scale to divide by; never 0."""
        n = len(self._sorted)
        percentile = self._sorted[int(0.95 * (n - 1))] if n else 0.0
        return (n * percentile + self.STRENGTH * self._prior) / (n + self.STRENGTH)

    def remember(self) -> list[float]:
        """The values kept, with all digits: a resumed crawl must go on in the same order."""
        return list(self._values)

    def restore(self, values: Sequence[float]) -> None:
        """Take back what `remember` gave."""
        self._values, self._sorted = deque(values), sorted(values)
