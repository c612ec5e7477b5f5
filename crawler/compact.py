"""What a crawl must remember of every page, small: a week's pages are a million.

Objects of their own take 56 to 110 bytes each; these take 12 of a number, and of an address about 20.
"""

import zlib

import numpy as np
from numpy.typing import NDArray

_TOGETHER = 64  # texts in one piece
_FRESH = 4096  # numbers that are not sorted in yet


class PackedTexts:
    """A list of texts without line feeds that only grows; those of one kind, such as addresses, share their parts."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._last: list[str] = []

    def __len__(self) -> int:
        return len(self._packed) * _TOGETHER + len(self._last)

    def __getitem__(self, number: int) -> str:
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
    """Which came first: 64-bit hash -> number (31 bits)."""

    def __init__(self) -> None:
        self._hashes: NDArray[np.uint64] = np.zeros(0, np.uint64)  # sorted
        self._numbers: NDArray[np.int32] = np.zeros(0, np.int32)
        self._fresh: dict[int, int] = {}

    def get(self, key: int) -> int | None:
        """The number of a hash."""
        found = self._fresh.get(key)
        if found is None and len(self._hashes):
            place = int(np.searchsorted(self._hashes[:-1], np.uint64(key)))
            return int(self._numbers[place]) if self._hashes[place] == key else None
        return found

    def add(self, key: int, number: int) -> None:
        """Note a hash that is not in it."""
        self._fresh[key] = number
        if len(self._fresh) == _FRESH:
            hashes = np.concatenate([self._hashes, np.array(list(self._fresh), np.uint64)])
            order = np.argsort(hashes)
            self._hashes = hashes[order]
            self._numbers = np.concatenate([self._numbers, np.array(list(self._fresh.values()), np.int32)])[order]
            self._fresh = {}
