"""What a crawl must remember of every page, small: a week's pages are a million.

Objects of their own take 56 to 110 bytes each; these take 8 to 12 of a hash, and of an address about 20. What is new
stands in a dict or set for a while: it is sorted in when it has become a fiftieth of all.
"""

import zlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

_TOGETHER = 64  # texts in one piece
_FRESH = 4096  # hashes that are not sorted in yet, at least


class PackedTexts:
    """A list of texts without line feeds; those of one kind, such as addresses, share their parts. Few are changed."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._last: list[str] = []
        self._changed: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._packed) * _TOGETHER + len(self._last)

    def __setitem__(self, number: int, text: str) -> None:
        self._changed[number] = text

    def __getitem__(self, number: int) -> str:
        if number in self._changed:
            return self._changed[number]
        piece, place = divmod(number, _TOGETHER)
        if piece == len(self._packed):
            return self._last[place]
        return zlib.decompress(self._packed[piece]).decode("utf-8", "surrogatepass").split("\n")[place]

    def append(self, text: str) -> None:
        """Add one."""
        self._last.append(text)
        if len(self._last) == _TOGETHER:
            self._packed.append(zlib.compress("\n".join(self._last).encode("utf-8", "surrogatepass")))
            self._last = []


class FirstOf:
    """Which came first: 64-bit hash -> number (31 bits). Few are changed."""

    def __init__(self) -> None:
        self._hashes: NDArray[np.uint64] = np.zeros(0, np.uint64)  # sorted
        self._numbers: NDArray[np.int32] = np.zeros(0, np.int32)
        self._fresh: dict[int, int] = {}
        self._changed: dict[int, int | None] = {}

    def get(self, key: int) -> int | None:
        """The number of a hash."""
        if key in self._changed:
            return self._changed[key]
        found = self._fresh.get(key)
        if found is None and len(self._hashes):
            place = self._hashes[:-1].searchsorted(np.uint64(key))
            return int(self._numbers[place]) if self._hashes[place] == key else None
        return found

    def forget(self, number: int) -> None:
        """Forget the hashes with this number: a look at all of them."""
        held = [int(key) for key in self._hashes[self._numbers == number]]
        others = [key for found in (self._fresh, self._changed) for key, other in found.items() if other == number]
        self._changed |= dict.fromkeys([*held, *others])

    def add(self, key: int, number: int) -> None:
        """Note a hash that is not in it."""
        if key in self._changed:
            self._changed[key] = number
            return
        self._fresh[key] = number
        if _is_many(len(self._fresh), len(self._hashes)):
            fresh = sorted(self._fresh.items())
            hashes = np.concatenate([self._hashes, np.array([key for key, _ in fresh], np.uint64)])
            numbers = np.concatenate([self._numbers, np.array([number for _, number in fresh], np.int32)])
            order = np.argsort(hashes, kind="stable")  # which merges two sorted runs
            self._hashes, self._numbers, self._fresh = hashes[order], numbers[order], {}


class Hashes:
    """A set of Python's own hashes, 64 bits with a sign."""

    def __init__(self, hashes: Iterable[int] = ()) -> None:
        self._sorted = np.unique(np.fromiter(hashes, np.int64))
        self._fresh: set[int] = set()

    def __contains__(self, one: int) -> bool:
        if one in self._fresh or not len(self._sorted):
            return one in self._fresh
        return bool(self._sorted[self._sorted[:-1].searchsorted(one)] == one)

    def among(self, hashes: Sequence[int]) -> set[int]:
        """Which of these are in it: asked together they cost little more than one."""
        found = self._fresh.intersection(hashes)
        if len(self._sorted):
            wanted = np.array(hashes, np.int64)
            held = self._sorted[self._sorted[:-1].searchsorted(wanted)] == wanted
            found.update(wanted[held].tolist())
        return found

    def add(self, one: int) -> None:
        """Take one in."""
        self._fresh.add(one)
        if _is_many(len(self._fresh), len(self._sorted)):
            self._sorted = np.union1d(self._sorted, np.array(list(self._fresh), np.int64))
            self._fresh = set()


def _is_many(fresh: int, held: int) -> bool:
    return fresh >= max(_FRESH, held // 50)
