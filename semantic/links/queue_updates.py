"""Which of many changed priorities must be reported to the queue.

When all priorities change a little, reporting all costs a step for every waiting address. Until the next change the
queue pops at most as many addresses as pages are fetched. So it is enough that the `best` addresses are in their true
order and none of the others stands before them. Two groups are reported: addresses whose priority is among the best,
and addresses whose priority last reported is as high as that but no longer true. All others wait below with the
priority last reported.
"""

from array import array
from collections.abc import Callable, Sequence
from typing import ClassVar

from semantic.memory.strategy_memory import Remembering


class Places(Remembering):
    """The priorities last reported to the queue, by number of address."""

    KEPT: ClassVar = {"_reported": array}

    def __init__(self) -> None:
        self._reported = array("d")

    def report(self, number: int, value: float) -> None:
        """Record that a link gave an address a priority: the queue keeps the highest."""
        self._reported.extend([float("-inf")] * (number + 1 - len(self._reported)))
        self._reported[number] = max(self._reported[number], value)

    def reported(self, number: int) -> float:
        """The priority that the queue has for an address; -inf if none."""
        return self._reported[number] if number < len(self._reported) else float("-inf")

    def changed(self, waiting: Sequence[int], value: Callable[[int], float], best: int) -> dict[int, float]:
        """The new priorities of `waiting` addresses that must be reported. They are recorded as reported."""
        values = {number: value(number) for number in waiting if self.reported(number) > float("-inf")}
        lowest = min(sorted(values.values(), reverse=True)[:best], default=0.0)
        news = {
            number: new
            for number, new in values.items()
            if new != self._reported[number] and (new >= lowest or self._reported[number] >= lowest)
        }
        for number, new in news.items():
            self._reported[number] = new
        return news
