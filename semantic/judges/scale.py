"""The size of a quantity, learned from the pages of this very crawl."""

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
        self._values: deque[float] = deque(maxlen=self.KEPT)
        self._percentile = 0.0
        self._fresh = True

    def add(self, value: float) -> None:
        """Take note of a value; values that are not positive say nothing of the size."""
        if value > 0:
            self._values.append(value)
            self._fresh = False

    def value(self) -> float:
        """The scale to divide by; never 0."""
        if not self._fresh:
            self._percentile = sorted(self._values)[int(0.95 * (len(self._values) - 1))]
            self._fresh = True
        n = len(self._values)
        return (n * self._percentile + self.STRENGTH * self._prior) / (n + self.STRENGTH)

    def remember(self) -> list[float]:
        """The values kept, with all digits: a resumed crawl must go on in the same order."""
        return list(self._values)

    def restore(self, values: Sequence[float]) -> None:
        """Take back what `remember` gave."""
        self._values = deque(values, maxlen=self.KEPT)
        self._fresh = not self._values
