"""Collections that store little of each item.

A week's crawl has a million pages, and what is stored about each must be small. Python objects take 56 to 110 bytes
each; these collections take 8 to 12 bytes for a hash, and some 20 for an address. New hashes are first stored in a dict
or set, and sorted into the arrays when they have become a fiftieth of all.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from semantic.memory.arrays import distinct, with_room
from semantic.memory.compression import compress, decompress

TOGETHER = 256  # texts compressed as one piece; chosen, not measured
_FRESH = 4096  # new hashes before they are sorted in, at least; chosen, not measured


class PackedTexts(Sequence[str]):
    """A compressed list of texts without line feeds, for texts with common parts, such as addresses. Changing one is
    possible but costs memory. At least the last `plain` texts are not compressed.
    """

    def __init__(self, plain: int = 0) -> None:
        self._plain = plain
        self._packed: list[bytes] = []
        self._last: list[str] = []
        self._changed: dict[int, str] = {}
        self._open: tuple[int, list[str]] = -1, []  # the piece that was read last

    def __len__(self) -> int:
        return len(self._packed) * TOGETHER + len(self._last)

    def __setitem__(self, number: int, text: str) -> None:
        self._changed[number] = text

    @overload
    def __getitem__(self, which: int) -> str: ...
    @overload
    def __getitem__(self, which: slice) -> list[str]: ...
    def __getitem__(self, which: int | slice) -> str | list[str]:
        if isinstance(which, slice):
            return [self[number] for number in range(*which.indices(len(self)))]
        if which in self._changed:
            return self._changed[which]
        piece, place = divmod(which, TOGETHER)
        if piece >= len(self._packed):
            return self._last[which - len(self._packed) * TOGETHER]
        if piece != self._open[0]:
            self._open = piece, decompress(self._packed[piece]).decode("utf-8", "surrogatepass").split("\n")
        return self._open[1][place]

    def append(self, text: str) -> None:
        """Append a text."""
        self._last.append(text)
        if len(self._last) == self._plain + TOGETHER:
            self._packed.append(compress("\n".join(self._last[:TOGETHER]).encode("utf-8", "surrogatepass")))
            del self._last[:TOGETHER]


class FirstOf:
    """A map from 64-bit hashes to numbers (31 bits) in sorted arrays. Changing an entry is possible but costs
    memory.
    """

    def __init__(self) -> None:
        self._size = 0  # of the arrays, which have room for more
        self._hashes: NDArray[np.uint64] = np.zeros(_FRESH, np.uint64)  # sorted
        self._numbers: NDArray[np.int32] = np.zeros(_FRESH, np.int32)
        self._fresh: dict[int, int] = {}
        self._changed: dict[int, int | None] = {}

    def get(self, key: int) -> int | None:
        """The number of a hash, or None."""
        if key in self._changed:
            return self._changed[key]
        found = self._fresh.get(key)
        if found is None and self._size:
            place = self._hashes[: self._size - 1].searchsorted(np.uint64(key))
            return int(self._numbers[place]) if self._hashes[place] == key else None
        return found

    def forget(self, number: int) -> None:
        """Remove the hashes with this number; looks at all hashes."""
        matching = self._hashes[: self._size][self._numbers[: self._size] == number].tolist()
        others = [key for found in (self._fresh, self._changed) for key, other in found.items() if other == number]
        self._changed |= dict.fromkeys([*matching, *others])

    def add(self, key: int, number: int) -> None:
        """Add a hash that is not in the map."""
        if key in self._changed:
            self._changed[key] = number
            return
        self._fresh[key] = number
        if _is_many(len(self._fresh), self._size):
            if self._size + len(self._fresh) > len(self._hashes):
                self._hashes, self._numbers = with_room(self._hashes), with_room(self._numbers)
            hashes, numbers = zip(*sorted(self._fresh.items()), strict=True)
            places = self._hashes[: self._size].searchsorted(np.array(hashes, np.uint64)).tolist()
            _insert(self._hashes, self._size, places, hashes)
            _insert(self._numbers, self._size, places, numbers)
            self._size += len(hashes)
            self._fresh = {}


class HashSet:
    """A set of hashes (signed 64-bit integers, as Python has them) in a sorted array."""

    def __init__(self, hashes: Iterable[int] = ()) -> None:
        stored = distinct(np.fromiter(hashes, np.int64))
        self._size = len(stored)  # of the array, which has room for more
        self._stored = with_room(stored)
        self._fresh: set[int] = set()  # not in the array yet
        self._gone: set[int] = set()  # still in the array

    def __len__(self) -> int:
        return self._size + len(self._fresh) - len(self._gone)

    def __contains__(self, one: int) -> bool:
        if one in self._fresh or one in self._gone or not self._size:
            return one in self._fresh
        return bool(self._stored[self._stored[: self._size - 1].searchsorted(one)] == one)

    def among(self, hashes: Sequence[int]) -> set[int]:
        """Those of these hashes that are in the set; many at once cost little more than one."""
        found = self._fresh.intersection(hashes)
        if self._size:
            wanted = np.array(hashes, np.int64)
            matching = self._stored[self._stored[: self._size - 1].searchsorted(wanted)] == wanted
            found.update(set(wanted[matching].tolist()) - self._gone)
        return found

    def add(self, one: int) -> None:
        """Add a hash."""
        if one in self._gone:
            self._gone.remove(one)
        elif one not in self:
            self._fresh.add(one)
            self._sort_in()

    def sorted(self) -> NDArray[np.int64]:
        """All hashes, ascending; the array is the set's own."""
        self._sort_all_in()
        return self._stored[: self._size]

    def discard(self, one: int) -> None:
        """Remove a hash if it is there."""
        if one in self._fresh:
            self._fresh.remove(one)
        elif one in self:
            self._gone.add(one)
            self._sort_in()

    def _sort_in(self) -> None:
        if _is_many(len(self._fresh) + len(self._gone), self._size):
            self._sort_all_in()

    def _sort_all_in(self) -> None:
        gone, fresh = sorted(self._gone), sorted(self._fresh)
        _remove(self._stored, self._size, self._places(gone))
        self._size -= len(gone)
        while self._size + len(fresh) > len(self._stored):
            self._stored = with_room(self._stored)
        _insert(self._stored, self._size, self._places(fresh), fresh)
        self._size += len(fresh)
        self._fresh, self._gone = set(), set()

    def _places(self, hashes: Sequence[int]) -> list[int]:
        places: list[int] = self._stored[: self._size].searchsorted(np.array(hashes, np.int64)).tolist()
        return places


def _insert(column: NDArray[Any], size: int, places: Sequence[int], values: Sequence[int]) -> None:
    """Insert values before these places of the first `size` numbers, ascending, in the array's own memory: a new array
    for each change would leave gaps in the heap.
    """
    for count in range(len(places) - 1, -1, -1):
        place = places[count]
        column[place + count + 1 : size + count + 1] = column[place:size]
        column[place + count] = values[count]
        size = place


def _remove(column: NDArray[Any], size: int, places: Sequence[int]) -> None:
    """Remove the numbers at these places, ascending, from the first `size`, in the array's own memory."""
    for count, (place, following) in enumerate(pairwise([*places, size])):
        column[place - count : following - count - 1] = column[place + 1 : following]


def _is_many(fresh: int, stored: int) -> bool:
    return fresh >= max(_FRESH, stored // 50)
