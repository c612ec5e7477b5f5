"""A sum for each address that waits: what the strategies that hand something on from page to page must remember."""

from collections.abc import Mapping


class Accounts:
    """Address -> a sum above 0. When more than `kept` addresses have one, the poorest quarter is forgotten.

    The bound keeps memory and the crawl's record small (about 100 bytes an address); who is forgotten has
    almost nothing. Ties fall by address, so that the same crawl forgets the same.
    """

    def __init__(self, kept: int = 200_000) -> None:
        self._kept = kept
        self._sums: dict[str, float] = {}

    def get(self, url: str) -> float:
        """The sum, 0 where there is none."""
        return self._sums.get(url, 0.0)

    def set(self, url: str, total: float) -> None:
        """Replace the sum; 0 needs no memory."""
        if total > 0:
            self._sums[url] = total
            if len(self._sums) > self._kept:
                self._forget()

    def take(self, url: str) -> float | None:
        """The sum, which is then forgotten; None where there is none."""
        return self._sums.pop(url, None)

    def _forget(self) -> None:
        richest = sorted(self._sums.items(), key=lambda item: (-item[1], item[0]))
        self._sums = dict(richest[: self._kept * 3 // 4])

    def remember(self) -> Mapping[str, float]:
        """All sums."""
        return dict(self._sums)

    def restore(self, sums: Mapping[str, float]) -> None:
        """Take back what `remember` gave."""
        self._sums = dict(sums)
