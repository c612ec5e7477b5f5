"""What was found so far in a group of pages: sums and counts a group, and means drawn towards what stands above.

A group is anything that links or pages have in common: a host, a directory, a template, an anchor text. With n pages of
mean v in a group and m the mean one level up, its shrunk mean is (n v + k m) / (n + k): the posterior mean of a normal
with k = variance within / variance between (James and Stein 1961; Efron and Morris 1973).

Pages that are judged again are counted anew (`rebuild`), those of before once and for all (`retire`).
"""

from array import array
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantic.memory.array_packing import pack_array, unpack_array
from semantic.memory.growing_arrays import with_room

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


UNNAMED = 1 << 18  # groups without a name: for one more the oldest is emptied and used again


class Groups:
    """Numbered groups. Number 0 is no group: it is always empty. Numbers below `given` are the caller's own."""

    def __init__(self, given: int = 1) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._size = given
        self.sums: Floats = np.zeros(given)
        self.counts: Floats = np.zeros(given)
        self.recent: Floats = np.zeros(given)
        self.old_sums: Floats = np.zeros(given)
        self.old_counts: Floats = np.zeros(given)
        self._unnamed = array("i")
        self._oldest = 0  # of those, by place

    def __len__(self) -> int:
        return self._size

    def number(self, key: str) -> int:
        """The number of a group; a new one is made for a key not seen before."""
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = self._new()
        return known

    def known(self, key: str) -> int | None:
        """The number of a group; None for a key not seen before."""
        return self._numbers.get(key)

    def named(self) -> Iterable[tuple[str, int]]:
        """Every group that has a name, with its number, in the order of their making."""
        return (item for item in self._numbers.items() if item[1])

    def unnamed(self) -> int:
        """The number of a new group without a name."""
        if len(self._unnamed) < UNNAMED:
            self._unnamed.append(self._new())
            return self._unnamed[-1]
        number = self._unnamed[self._oldest]
        self._oldest = (self._oldest + 1) % UNNAMED
        for name in _ARRAYS:
            getattr(self, name)[number] = 0.0
        return number

    def _new(self) -> int:
        self._size += 1
        if self._size > len(self.sums):
            for name in _ARRAYS:
                setattr(self, name, with_room(getattr(self, name)))
        return self._size - 1

    def add(self, members: Ints, values: Floats) -> None:
        """Count pages: row i of `members` has the groups of page i, whose value is `values[i]`."""
        page, slot = members.nonzero()
        numbers = members[page, slot]
        np.add.at(self.sums, numbers, values[page])
        np.add.at(self.counts, numbers, 1.0)

    def follow(self, number: int, value: float, rate: float, start: float) -> None:
        """Let the group's recent mean follow a value; the first begins at `start`."""
        before = self.recent[number] if self.counts[number] else start
        self.recent[number] = before + rate * (value - before)

    def rebuild(self, members: Ints, values: Floats) -> None:
        """Count anew: row i of `members` has the groups of page i, whose value is `values[i]`."""
        size = self._size  # what was never written takes no memory: see `with_room`
        sums, counts = sums_and_counts(members, values, size)
        self.sums[:size], self.counts[:size] = self.old_sums[:size] + sums, self.old_counts[:size] + counts

    def retire(self, members: Ints, values: Floats) -> None:
        """Count pages for good: they are not among those of `rebuild` any more."""
        sums, counts = sums_and_counts(members, values, self._size)
        self.old_sums[: self._size] += sums
        self.old_counts[: self._size] += counts

    def means(self, numbers: Ints, above: Floats | float, k: float) -> Floats:
        """Shrunk means; of no group: what stands above."""
        found: Floats = (self.sums[numbers] + k * above) / (self.counts[numbers] + k)
        return found

    def remember(self) -> dict[str, Any]:
        """Numbers by key, with sums, counts and recent means."""
        arrays = {name: pack_array(getattr(self, name)[: self._size]) for name in _ARRAYS}
        unnamed = pack_array(np.array(self._unnamed, np.int32))
        return {"numbers": self._numbers, "size": self._size, "unnamed": unnamed, "oldest": self._oldest, **arrays}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._numbers, self._size = dict(memory["numbers"]), memory["size"]
        self._unnamed, self._oldest = array("i", unpack_array(memory["unnamed"]).tolist()), memory["oldest"]
        for name in _ARRAYS:
            setattr(self, name, unpack_array(memory[name]))


def sums_and_counts(members: Ints, values: Floats, size: int) -> tuple[Floats, Floats]:
    """Sums of values and counts by number, below `size`; row i of `members` has the numbers of `values[i]`, 0 none."""
    flat = members.ravel()
    repeated = np.repeat(values, members.shape[1]) if members.ndim > 1 else values
    sums: Floats = np.bincount(flat, repeated, size).astype(np.float64)
    counts: Floats = np.bincount(flat, minlength=size).astype(np.float64)
    sums[0] = counts[0] = 0.0
    return sums, counts


_ARRAYS = ("sums", "counts", "recent", "old_sums", "old_counts")
