"""The row of each address: a table of row numbers alone, as the text stands in the list of addresses already.

A dict would hold a second reference and an int for each, 57 bytes with its spare room; this takes 8 to 16. Open
addressing with linear probing (Knuth 1973, 6.4), at most half full. Where a row was given to another address, its old
place in the table leads to a text that is not the one sought, and is passed over; such places go when it is made anew.

`Gone` is a set of 64-bit hashes of addresses that have ended, of which nothing else is stored. The hash is the same in
every process. Two of a million agree by chance once in 37 million crawls.
"""

from array import array
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Marks = NDArray[np.uint64]
_LEAST = 1024


class Gone:
    """A set of addresses; `marks`: what another one's `marks` were."""

    def __init__(self, marks: Marks | None = None) -> None:
        self.marks: Marks = np.zeros(0, np.uint64) if marks is None else marks  # sorted

    def __len__(self) -> int:
        return len(self.marks)

    def add(self, urls: Iterable[str]) -> None:
        """Take in some."""
        self.marks = np.union1d(self.marks, _marks(urls))

    def holds(self, urls: Sequence[str]) -> NDArray[np.bool_]:
        """Which of these are in it."""
        if not len(self):
            return np.zeros(len(urls), bool)
        wanted = _marks(urls)
        found: NDArray[np.bool_] = self.marks[np.searchsorted(self.marks[:-1], wanted)] == wanted
        return found


def _marks(urls: Iterable[str]) -> Marks:
    digests = b"".join(blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest() for url in urls)
    return np.frombuffer(digests, "<u8").astype(np.uint64)


class Rows:
    """`rows[url]` for the addresses of `urls`, a list that changes ("": a free row).

    `moved`: addresses that stand for another's row.
    """

    def __init__(self, urls: list[str], moved: dict[str, int]) -> None:
        self.moved = moved
        self._urls = urls
        self._make()

    def __contains__(self, url: str) -> bool:
        return self.get(url) is not None

    def __getitem__(self, url: str) -> int:
        row = self.get(url)
        if row is None:
            raise KeyError(url)
        return row

    def get(self, url: str) -> int | None:
        """The row that an address stands for; None for one not heard of."""
        own = self.own(url)
        return self.moved.get(url, own) if own is not None and self.moved else own

    def own(self, url: str) -> int | None:
        """The row in which an address stands."""
        table, urls = self._table, self._urls
        last = len(table) - 1
        at = hash(url) & last
        while row := table[at]:
            if urls[row - 1] == url:
                return row - 1
            at = at + 1 & last
        return None

    def put(self, rows: Iterable[int]) -> None:
        """Take in rows whose addresses in the list are new."""
        for row in rows:
            if 2 * self._used >= len(self._table):
                self._make()  # with these
                return
            self._insert(row)

    def _make(self) -> None:
        live = [row for row, url in enumerate(self._urls) if url]
        size = _LEAST
        while 3 * size < 8 * len(live):
            size *= 2
        self._table = array("i", [0]) * size  # row + 1; 0: free
        self._used = 0
        for row in live:
            self._insert(row)

    def _insert(self, row: int) -> None:
        table = self._table
        last = len(table) - 1
        at = hash(self._urls[row]) & last
        while table[at]:
            at = at + 1 & last
        table[at] = row + 1
        self._used += 1
