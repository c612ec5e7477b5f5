"""Which of many changed priorities must be reported to the queue.

When all priorities change a little, reporting all costs a step for every waiting address. Until the next change the
queue pops at most as many addresses as pages are fetched. So it is enough that the `best` addresses are in their true
order and none of the others stands before them. Two groups are reported: addresses whose priority is among the best,
and addresses whose priority last reported is as high as that but no longer true. All others wait below with the
priority last reported.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from semantic.memory.arrays import pack, unpack


class Places:
    """The priorities last reported to the queue, by number of address."""

    def __init__(self) -> None:
        self._told = array("d")

    def tell(self, number: int, value: float) -> None:
        """Record that a link gave an address a priority: the queue keeps the highest."""
        self._told.extend([float("-inf")] * (number + 1 - len(self._told)))
        self._told[number] = max(self._told[number], value)

    def told(self, number: int) -> float:
        """The priority that the queue has for an address; -inf if none."""
        return self._told[number] if number < len(self._told) else float("-inf")

    def changed(self, waiting: Sequence[int], value: Callable[[int], float], best: int) -> dict[int, float]:
        """The new priorities of `waiting` addresses that must be reported. They are recorded as reported."""
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
        """The priorities last reported, as JSON values."""
        return {"told": pack(self._told)}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._told = unpack("d", memory["told"])
