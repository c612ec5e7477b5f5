"""The row of each address in a list of addresses.

It is a hash table of row numbers alone, because the text is in the list already. A dict would hold a second reference
and an int for each, 57 bytes with its spare room; this takes 8 to 16. Open addressing with linear probing (Knuth 1973,
6.4), at most two thirds full. If a row was reused for another address, its old entry leads to a text that does not
match and is skipped; such entries disappear when the table is rebuilt.
"""

from array import array
from collections.abc import Sequence

from semantic.compiled import loops

_LEAST = 1024  # initial size of the table
_ROWS_AT_ONCE = 65_536  # rows entered at once; chosen, not measured


class AddressRows:
    """The row of each address in `urls`, a list that changes ("": a free row).

    `moved`: addresses that stand for another address's row.
    """

    def __init__(self, urls: list[str], moved: dict[str, int] | None = None) -> None:
        self.moved = moved or {}
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
        """The row that an address stands for; None for an unknown address."""
        own = self.own(url)
        return self.moved.get(url, own) if own is not None and self.moved else own

    def own(self, url: str) -> int | None:
        """The row in which the address itself is stored; None for an unknown address."""
        (row,) = find_rows(self._urls, self._table, [url])
        return None if row < 0 else row

    def find(self, urls: Sequence[str]) -> list[int]:
        """The row that each address stands for; -1 for an unknown address."""
        rows = find_rows(self._urls, self._table, list(urls))
        if self.moved:
            return [self.moved.get(url, row) if row >= 0 else row for url, row in zip(urls, rows, strict=True)]
        return rows

    def put(self, rows: list[int]) -> None:
        """Add rows whose addresses in the list are new."""
        if 3 * (self._used + len(rows)) > 2 * len(self._table):
            self._make()  # rebuilds with these rows
            return
        enter_rows(self._urls, self._table, rows)
        self._used += len(rows)

    def _make(self) -> None:
        self._used = len(self._urls) - self._urls.count("")
        size = _LEAST
        while size < 2 * self._used:
            size *= 2
        self._table = array("i", [0]) * size  # row + 1; 0: free
        for first in range(0, len(self._urls), _ROWS_AT_ONCE):
            last = min(first + _ROWS_AT_ONCE, len(self._urls))
            enter_rows(self._urls, self._table, [row for row in range(first, last) if self._urls[row]])


def find_in_python(urls: list[str], table: "array[int]", wanted: list[str]) -> list[int]:
    """The row in which each wanted address is stored; -1 for an unknown one."""
    return [_row_in_python(urls, table, url) for url in wanted]


def _row_in_python(urls: list[str], table: "array[int]", url: str) -> int:
    last = len(table) - 1
    at = hash(url) & last
    while row := table[at]:
        if urls[row - 1] == url:
            return row - 1
        at = at + 1 & last
    return -1


def find_compiled(urls: list[str], table: "array[int]", wanted: list[str]) -> list[int]:
    """The same in C."""
    return array("i", loops.find_rows(urls, table, wanted)).tolist()


def enter_in_python(urls: list[str], table: "array[int]", rows: list[int]) -> None:
    """Enter rows into a table with room for them."""
    last = len(table) - 1
    for row in rows:
        at = hash(urls[row]) & last
        while table[at]:
            at = at + 1 & last
        table[at] = row + 1


def enter_compiled(urls: list[str], table: "array[int]", rows: list[int]) -> None:
    """The same in C."""
    loops.put_rows(urls, table, rows)


find_rows = find_compiled if loops else find_in_python
enter_rows = enter_compiled if loops else enter_in_python
