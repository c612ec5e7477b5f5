"""The last links to each address: most addresses that wait have one or two, a few have hundreds.

Of a link four numbers are kept: those of `RINGS`. A ring holds those of `RING` links a row. The first `NEAR` stand in a
column for every row; where there are more, all stand in a table for such rows alone. A fifth of the room that a column
of `RING` would take, and read as if it were one.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantic.memory.array_packing import pack_array, unpack_array
from semantic.memory.growing_arrays import with_room

Ints = NDArray[np.int32]

RINGS = ("pages", "templates", "places", "anchors")
RING = 12
NEAR = 2


class Rings:
    """`rings[rows]` reads like four arrays of `RING` numbers a row, 0 where there is no link.

    `rings.narrow(rows)`: the same of `NEAR` numbers, where none of these rows has more.
    """

    def __init__(self) -> None:
        self._near: Ints = np.zeros((1024, len(RINGS), NEAR), np.int32)
        self._where: Ints = np.zeros(1024, np.int32)  # row of `_far`; 0: all is near
        self._far: Ints = np.zeros((64, len(RINGS), RING), np.int32)
        self._used = 1
        self._free: list[int] = []  # rows of `_far`

    def grow(self) -> None:
        """As many rows again."""
        self._near, self._where = with_room(self._near), with_room(self._where)

    def __getitem__(self, rows: Ints) -> Ints:
        found = np.zeros((len(RINGS), len(rows), RING), np.int32)
        found[:, :, :NEAR] = self._near[rows].swapaxes(0, 1)
        where = self._where[rows]
        far = where.nonzero()[0]
        if len(far):
            found[:, far] = self._far[where[far]].swapaxes(0, 1)
        return found

    def narrow(self, rows: Ints) -> Ints:
        """As few numbers a row as there is need for: most rows have one or two links, and what is 0 costs time."""
        return self[rows] if self.has_many(rows).any() else self._near[rows].swapaxes(0, 1)

    def has_many(self, rows: Ints) -> NDArray[np.bool_]:
        """Which of these rows may have more than `NEAR` links."""
        found: NDArray[np.bool_] = self._where[rows] > 0
        return found

    def put(self, rows: Ints, slots: Ints, numbers: Ints) -> None:
        """Set one link of each of these rows, which are different; `numbers`: a row for each of `RINGS`."""
        self._move(rows[(slots >= NEAR) & (self._where[rows] == 0)])
        where = self._where[rows]
        near, far = where == 0, where > 0
        self._near[rows[near], :, slots[near]] = numbers[:, near].T
        self._far[where[far], :, slots[far]] = numbers[:, far].T

    def put_row(self, row: int, numbers: Ints) -> None:
        """Set all links of a row."""
        if not self._where[row]:
            self._move(np.array([row], np.int32))
        self._far[self._where[row]] = numbers

    def clear(self, rows: Ints) -> None:
        """Forget the links of these rows."""
        where = self._where[rows]
        far = where[where > 0]
        self._near[rows], self._where[rows], self._far[far] = 0, 0, 0
        self._free.extend(far.tolist())

    def _move(self, rows: Ints) -> None:
        """Give rows their place in the table."""
        places = [self._free.pop() for _ in range(min(len(self._free), len(rows)))]
        first, self._used = self._used, self._used + len(rows) - len(places)
        while self._used > len(self._far):
            self._far = with_room(self._far)
        where = np.array([*places, *range(first, self._used)], np.int32)
        self._far[where, :, :NEAR] = self._near[rows]
        self._where[rows] = where

    def remember(self, size: int) -> dict[str, Any]:
        """The first `size` rows."""
        parts = {"near": self._near[:size], "where": self._where[:size], "far": self._far[: self._used]}
        return {name: pack_array(part) for name, part in parts.items()} | {"free": list(self._free)}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        near, where, far = (unpack_array(memory[name]) for name in ("near", "where", "far"))
        self._near, self._where, self._far, self._used = with_room(near), with_room(where), with_room(far), len(far)
        self._free = list(memory["free"])


def once(numbers: Ints) -> Ints:
    """Each number once in a row, 0 elsewhere."""
    found = np.sort(numbers, axis=1)
    found[:, 1:][found[:, 1:] == found[:, :-1]] = 0
    return found
