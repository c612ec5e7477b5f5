"""The row of each address: a table of row numbers alone, as the text stands in the list of addresses already.

A dict would hold a second reference and an int for each, 57 bytes with its spare room; this takes 8 to 16. Open
addressing with linear probing (Knuth 1973, 6.4), at most half full.
"""

from array import array

_LEAST = 1024


class Rows:
    """`rows[url]` for the addresses of `urls`, a list that grows; `moved`: those that stand for another's row."""

    def __init__(self, urls: list[str], moved: dict[str, int]) -> None:
        self.moved = moved
        self._urls = urls
        self._table = _empty(_LEAST)  # row + 1; 0: free
        self._size = 0
        self.extend()

    def __contains__(self, url: str) -> bool:
        return self.get(url) is not None

    def __getitem__(self, url: str) -> int:
        row = self.get(url)
        if row is None:
            raise KeyError(url)
        return row

    def get(self, url: str) -> int | None:
        """The row of an address; None for one not heard of."""
        table, urls = self._table, self._urls
        last = len(table) - 1
        at = hash(url) & last
        while row := table[at]:
            if urls[row - 1] == url:
                return self.moved.get(url, row - 1) if self.moved else row - 1
            at = at + 1 & last
        return None

    def extend(self) -> None:
        """Take in what the list has more than before: addresses that it did not have."""
        urls, size = self._urls, len(self._table)
        while size < 2 * len(urls):
            size *= 2
        if size > len(self._table):
            self._table, self._size = _empty(size), 0
        table, last = self._table, size - 1
        for row, url in enumerate(urls[self._size :], self._size + 1):
            at = hash(url) & last
            while table[at]:
                at = at + 1 & last
            table[at] = row
        self._size = len(urls)


def _empty(size: int) -> "array[int]":
    return array("i", [0]) * size
