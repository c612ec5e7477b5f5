"""Hashed words of addresses, `SLOTS` a row: of a number's 18 bits 16 stand in one column, 2 in another.

How many bits: `feature_hashing.BITS`. So a row takes 108 bytes and not 192, and a million waiting links 84 MB less.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantic.learning.feature_hashing import BITS
from semantic.memory.array_packing import pack_array, unpack_array
from semantic.memory.growing_arrays import with_room

Ints = NDArray[np.int32]

PLACE_SLOTS, ANCHOR_SLOTS, CONTEXT_SLOTS, TEMPLATE_SLOTS = 16, 16, 12, 4
CONTEXT_AT = PLACE_SLOTS + ANCHOR_SLOTS
TEMPLATE_AT = CONTEXT_AT + CONTEXT_SLOTS
SLOTS = TEMPLATE_AT + TEMPLATE_SLOTS
_LOW = 16
_TOGETHER = 8 // (BITS - _LOW)  # upper parts in one byte
_SHIFTS = np.arange(0, 8, BITS - _LOW, dtype=np.uint8)
_UPPER = (np.arange(256, dtype=np.int32)[:, None] >> _SHIFTS & 3) << _LOW  # by byte: the upper parts that it holds


class TokenTable:
    """`table[rows]` reads like an array of int32; 0 is no token."""

    def __init__(self) -> None:
        self._low = np.zeros((1024, SLOTS), np.uint16)
        self._high = np.zeros((1024, SLOTS // _TOGETHER), np.uint8)

    def grow(self) -> None:
        """As many rows again."""
        self._low, self._high = with_room(self._low), with_room(self._high)

    def __getitem__(self, rows: Ints | slice) -> Ints:
        low = self._low[rows]
        found: Ints = _UPPER.take(self._high[rows], axis=0).reshape(low.shape)
        found |= low
        return found

    def put(self, rows: Ints | slice, numbers: Sequence[Sequence[int]] | Ints) -> None:
        """Set whole rows."""
        all_bits = np.array(numbers, np.int32)
        self._low[rows] = all_bits & 0xFFFF
        high = (all_bits >> _LOW).astype(np.uint8).reshape(len(all_bits), -1, _TOGETHER) << _SHIFTS
        self._high[rows] = high.sum(2, dtype=np.uint8)

    def fill(self, row: int, first: int, slots: int, numbers: Sequence[int]) -> None:
        """Put numbers that are not there yet into the free ones of these slots; `first`, `slots`: multiples of 4."""
        have = self._row(row, first, slots)
        used = slots - have.count(0)
        new = [number for number in numbers if number not in have] if used else numbers
        for slot, number in enumerate(new[: slots - used], first + used):
            self._low[row, slot] = number & 0xFFFF
            self._high[row, slot // _TOGETHER] |= number >> _LOW << int(_SHIFTS[slot % _TOGETHER])

    def _row(self, row: int, first: int, slots: int) -> list[int]:
        low = self._low[row, first : first + slots].tolist()
        high = self._high[row, first // _TOGETHER : (first + slots) // _TOGETHER].tolist()
        shifts = _SHIFTS.tolist()
        return [n | (high[i // _TOGETHER] >> shifts[i % _TOGETHER] & 3) << _LOW for i, n in enumerate(low)]

    def remember(self, size: int) -> dict[str, Any]:
        """The first `size` rows."""
        return {"low": pack_array(self._low[:size]), "high": pack_array(self._high[:size])}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._low, self._high = (with_room(unpack_array(memory[name])) for name in ("low", "high"))
