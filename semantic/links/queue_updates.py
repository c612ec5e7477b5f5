"""Which of many new values the queue must hear of: the best, and what it holds for better than it is.

When all values change a little, telling all of them costs a step for every waiting address. The queue pops at most as
many addresses until the next change as pages are fetched until then; so it is enough that it has the `best` addresses
in their true order, and no other before them: those whose value is among the best are told, and those that were told a
value as high and have it no longer. All others wait below, with the values that they were last told.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from semantic.memory.arrays import pack, unpack


class Places:
    """What the queue was last told, by number of address."""

    def __init__(self) -> None:
        self._told = array("d")

    def tell(self, number: int, value: float) -> None:
        """A link gives an address a place: the queue keeps the highest."""
        self._told.extend([float("-inf")] * (number + 1 - len(self._told)))
        self._told[number] = max(self._told[number], value)

    def told(self, number: int) -> float:
        """What the queue holds of an address; -inf where nothing."""
        return self._told[number] if number < len(self._told) else float("-inf")

    def changed(self, waiting: Sequence[int], value: Callable[[int], float], best: int) -> dict[int, float]:
        """Of the `waiting` addresses those that the queue must hear of, with their values; it is taken to hear."""
        values = {number: value(number) for number in waiting if self.told(number) > float("-inf")}
        lowest = min(sorted(values.values(), reverse=True)[:best], default=0.0)
        news = {
            number: new
            for number, new in values.items()
            if new != self._told[number] and (new >= lowest or self._told[number] >= lowest)
        }
        for number, new in news.items():
            self._told[number] = new
        return news

    def remember(self) -> Mapping[str, Any]:
        """What was told, as JSON values."""
        return {"told": pack(self._told)}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._told = unpack("d", memory["told"])
