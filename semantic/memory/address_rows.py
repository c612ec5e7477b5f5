"""The row of each address: a table of row numbers alone, as the text stands in the list of addresses already.

A dict would hold a second reference and an int for each, 57 bytes with its spare room; this takes 8 to 16. Open
addressing with linear probing (Knuth 1973, 6.4), at most half full. Where a row was given to another address, its old
place in the table leads to a text that is not the one sought, and is passed over; such places go when it is made anew.
"""

from array import array
from collections.abc import Iterable

_LEAST = 1024


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
