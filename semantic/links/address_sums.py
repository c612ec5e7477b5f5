"""A sum for each waiting address: the state of strategies that pass values from page to page."""

from typing import ClassVar

from semantic.memory.strategy_memory import Remembering


class Accounts(Remembering):
    """Address -> a positive sum. If more than `kept` addresses have one, the smallest quarter is dropped.

    The limit keeps memory and the crawl's record small (about 100 bytes an address); what is dropped is almost 0. Ties
    are broken by address, so that the same crawl drops the same addresses.
    """

    KEPT: ClassVar = {"_sums": dict[str, float]}

    def __init__(self, kept: int = 200_000) -> None:
        self._kept = kept
        self._sums: dict[str, float] = {}

    def get(self, url: str) -> float:
        """The sum, 0 if there is none."""
        return self._sums.get(url, 0.0)

    def set(self, url: str, total: float) -> None:
        """Replace the sum. A sum of 0 is not stored."""
        if total > 0:
            self._sums[url] = total
            if len(self._sums) > self._kept:
                self._forget()

    def take(self, url: str) -> float | None:
        """Remove the sum and return it; None if there is none."""
        return self._sums.pop(url, None)

    def _forget(self) -> None:
        richest = sorted(self._sums.items(), key=lambda item: (-item[1], item[0]))
        self._sums = dict(richest[: self._kept * 3 // 4])
