"""The addresses that the crawl has found, as columns: about 240 bytes each, and their text.

**Addresses.** Rows are numbered by discovery; rows of addresses that ended long ago are reused. Numpy scores tens of
thousands of rows at once from these columns.

**TokenTable.** Hashed words are numbers of 18 bits (`feature_hashing.BITS`), `SLOTS` for each row. 16 bits are stored
in one column and 2 in another, so a row takes 108 bytes instead of 192, and a million waiting links 84 MB less.

**Rows** finds the row of an address. It is a hash table of row numbers alone, because the text is in the list of
addresses already. A dict would hold a second reference and an int for each, 57 bytes with its spare room; this takes 8
to 16. Open addressing with linear probing (Knuth 1973, 6.4), at most half full. If a row was reused for another
address, its old entry leads to a text that does not match and is skipped; such entries disappear when the table is
rebuilt.

**Gone** is a set of 64-bit hashes of addresses that have ended, of which nothing else is stored. The hash is the same
in every process. Two of a million agree by chance once in 37 million crawls.

**Rings** holds the last `RING` links to each address, as four numbers each: page, template, template on the page,
anchor text. Most waiting addresses have one or two links, a few have hundreds. The first `NEAR` links are in a column
for every row; if there are more, all are in a table for such rows alone. That takes a fifth of the memory of a column
of `RING`, and is read as if it were one.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantic.compiled import loops
from semantic.learning.feature_hashing import BITS
from semantic.links.link_reading import PLACE_SLOTS, SLOTS
from semantic.memory.arrays import pack_array, unpack_array, with_room

Hashes = NDArray[np.uint64]
_LEAST = 1024  # initial size of the table


class Gone:
    """Set of 64-bit hashes of evicted URLs. `hashes`: the hashes of another set."""

    def __init__(self, hashes: Hashes | None = None) -> None:
        self.hashes: Hashes = np.zeros(0, np.uint64) if hashes is None else hashes  # sorted

    def __len__(self) -> int:
        return len(self.hashes)

    def add(self, urls: Iterable[str]) -> None:
        """Add addresses."""
        self.hashes = np.union1d(self.hashes, _hashes(urls))

    def contains(self, urls: Sequence[str]) -> NDArray[np.bool_]:
        """Which of these addresses are in the set."""
        if not len(self):
            return np.zeros(len(urls), bool)
        wanted = _hashes(urls)
        found: NDArray[np.bool_] = self.hashes[np.searchsorted(self.hashes[:-1], wanted)] == wanted
        return found


def _hashes(urls: Iterable[str]) -> Hashes:
    digests = b"".join(blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest() for url in urls)
    return np.frombuffer(digests, "<u8").astype(np.uint64)


class Rows:
    """The row of each address in `urls`, a list that changes ("": a free row).

    `moved`: addresses that stand for another address's row.
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
        if 2 * (self._used + len(rows)) > len(self._table):
            self._make()  # rebuilds with these rows
            return
        enter_rows(self._urls, self._table, rows)
        self._used += len(rows)

    def _make(self) -> None:
        live = [row for row, url in enumerate(self._urls) if url]
        size = _LEAST
        while 3 * size < 8 * len(live):
            size *= 2
        self._table = array("i", [0]) * size  # row + 1; 0: free
        enter_rows(self._urls, self._table, live)
        self._used = len(live)


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


Ints = NDArray[np.int32]

RINGS = ("pages", "templates", "places", "anchors")
# links stored for an address: ../shared/research/orders.md
RING = 12
# links of an address without a row in the far table; chosen, not measured
NEAR = 2


class Rings:
    """`rings[rows]` reads like four arrays with `RING` numbers in each row, 0 where there is no link.

    `rings.narrow(rows)`: the same with `NEAR` numbers, if none of these rows has more.
    """

    def __init__(self) -> None:
        self._near: Ints = np.zeros((1024, len(RINGS), NEAR), np.int32)
        self._where: Ints = np.zeros(1024, np.int32)  # row of `_far`; 0: all links are near
        self._far: Ints = np.zeros((64, len(RINGS), RING), np.int32)
        self._used = 1
        self._free: list[int] = []  # unused rows of `_far`

    def grow(self) -> None:
        """Double the number of rows."""
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
        """As few numbers for each row as needed: most rows have one or two links, and zeros cost time."""
        return self[rows] if self.has_many(rows).any() else self._near[rows].swapaxes(0, 1)

    def has_many(self, rows: Ints) -> NDArray[np.bool_]:
        """Which of these rows may have more than `NEAR` links."""
        found: NDArray[np.bool_] = self._where[rows] > 0
        return found

    def put(self, rows: Ints, slots: Ints, numbers: Ints) -> None:
        """Set one link of each of these distinct rows. `numbers`: one row for each of `RINGS`."""
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
        """Remove the links of these rows."""
        where = self._where[rows]
        far = where[where > 0]
        self._near[rows], self._where[rows], self._far[far] = 0, 0, 0
        self._free.extend(far.tolist())

    def _move(self, rows: Ints) -> None:
        """Move these rows to the far table."""
        places = [self._free.pop() for _ in range(min(len(self._free), len(rows)))]
        first, self._used = self._used, self._used + len(rows) - len(places)
        while self._used > len(self._far):
            self._far = with_room(self._far)
        where = np.array([*places, *range(first, self._used)], np.int32)
        self._far[where, :, :NEAR] = self._near[rows]
        self._where[rows] = where

    def remember(self, size: int) -> dict[str, Any]:
        """The first `size` rows, for a memory."""
        parts = {"near": self._near[:size], "where": self._where[:size], "far": self._far[: self._used]}
        return {name: pack_array(part) for name, part in parts.items()} | {"free": list(self._free)}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        near, where, far = (unpack_array(memory[name]) for name in ("near", "where", "far"))
        self._near, self._where, self._far, self._used = with_room(near), with_room(where), with_room(far), len(far)
        self._free = list(memory["free"])


_LOW = 16  # bits of a hashed word in the first column
_TOGETHER = 8 // (BITS - _LOW)  # upper parts in one byte
_SHIFTS = np.arange(0, 8, BITS - _LOW, dtype=np.uint8)
_UPPER = (np.arange(256, dtype=np.int32)[:, None] >> _SHIFTS & 3) << _LOW  # by byte: the upper parts that it holds
_IN_ONE_TEXT = 10_000  # addresses joined into one text of a memory; chosen, not measured

COLUMNS: dict[str, tuple[tuple[int, ...], Any]] = {
    "ended": ((), np.bool_),
    "pooled": ((), np.bool_),
    "fresh": ((), np.bool_),
    "place": ((), np.int32),
    "query": ((), np.int32),  # group of its way if it has a query (`semantic.strategies.fused.crawl_evidence`)
    "folders": ((), np.int16),
    "depth": ((), np.int16),
    "links": ((), np.int32),
    "masses": ((5,), np.float32),
    "anchor_sum": ((), np.float32),
    "foreign": ((), np.float32),
    "position": ((), np.float32),
    "vertex": ((), np.int32),
    "q": ((), np.float32),
    "graph": ((), np.int16),  # number of the link graph from which vertex and q are; 0: to be looked up
    "layered": ((), np.int16),  # number of the link graph from which layers are; 0: to be computed
    "layers": ((2,), np.float32),  # how typical the words of its links are of links to pages of layers 1 and 2
    "first": ((), np.int32),
    "chance": ((), np.float32),
    "odds": ((), np.float32),
    "score": ((), np.float32),
    "sent": ((), np.float32),
}
TABLES = ("rings", "tokens")


class TokenTable:
    """`table[rows]` reads like an array of int32; 0 is no token."""

    def __init__(self) -> None:
        self._low = np.zeros((1024, SLOTS), np.uint16)
        self._high = np.zeros((1024, SLOTS // _TOGETHER), np.uint8)

    def grow(self) -> None:
        """Double the number of rows."""
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
        """Put numbers that are not there yet into free ones of these slots. `first`, `slots`: multiples of 4."""
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
        """The first `size` rows, for a memory."""
        return {"low": pack_array(self._low[:size]), "high": pack_array(self._high[:size])}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._low, self._high = (with_room(unpack_array(memory[name])) for name in ("low", "high"))


class Addresses:
    """The columns, by name in `at`."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.rows = Rows(self.urls, {})
        self.gone = Gone()
        self.free: list[int] = []
        self.at: dict[str, Any] = {name: np.zeros((1024, *shape), kind) for name, (shape, kind) in COLUMNS.items()}
        self.at |= {"rings": Rings(), "tokens": TokenTable()}

    def __len__(self) -> int:
        return len(self.urls)

    def add(self, urls: Sequence[str]) -> Ints:
        """Add rows for new addresses."""
        again = [self.free.pop() for _ in range(min(len(self.free), len(urls)))]
        for row, url in zip(again, urls, strict=False):
            self.urls[row] = url
        first = len(self.urls)
        self.urls.extend(urls[len(again) :])
        rows = np.array([*again, *range(first, len(self.urls))], np.int32)
        self.rows.put(rows.tolist())
        while len(self.urls) > len(self.at["ended"]):
            self._grow()
        self.at["ended"][rows] = False
        return rows

    def release(self, rows: Ints) -> None:
        """Evict addresses that have ended, keeping only their hashes; not one that stands for a row that stays."""
        ended = set(rows.tolist())
        for url, row in list(self.rows.moved.items()):
            if row in ended:
                self.gone.add([url])
                del self.rows.moved[url]
            else:
                own = self.rows.own(url)
                assert own is not None, "a redirected address has a row while its successor has"
                ended.discard(own)
        found = np.array(sorted(ended), np.int32)
        self.gone.add(self.urls[row] for row in ended)
        for row in ended:
            self.urls[row] = ""
        for name in COLUMNS:
            self.at[name][found] = 0
        self.at["ended"][found] = True
        self.at["rings"].clear(found)
        self.free.extend(reversed(found.tolist()))

    def _grow(self) -> None:
        for name in COLUMNS:  # one after another, so that only one column is in memory twice
            self.at[name] = with_room(self.at[name])
        for name in TABLES:
            self.at[name].grow()

    def merge(self, row: int, other: int) -> None:
        """Give the links and values of a row to another one; as many links as there is room for."""
        at = self.at
        have = int(at["links"][other])
        kept = min(int(at["links"][row]), RING - have)
        if kept <= 0:
            return
        old, new = at["rings"][np.array([row, other])].swapaxes(0, 1)
        new[:, have : have + kept] = old[:, :kept]
        at["rings"].put_row(other, new)
        for name in ("masses", "foreign", "sent"):
            at[name][other] = np.maximum(at[name][row], at[name][other])
        at["links"][other] += kept
        at["anchor_sum"][other] += at["anchor_sum"][row]
        at["position"][other] = at["position"][row]
        if not have:
            at["depth"][other] = at["depth"][row]
            at["score"][other] = at["score"][row]
            tokens = at["tokens"][np.array([other, row])]
            tokens[0, PLACE_SLOTS:] = tokens[1, PLACE_SLOTS:]
            at["tokens"].put(slice(other, other + 1), tokens[:1])
            at["graph"][other] = at["layered"][other] = 0

    def remember(self) -> dict[str, Any]:
        """All rows, for a memory; `moved`: addresses that stand for another address's row."""
        size = len(self.urls)
        return {
            "urls": ("\n".join(self.urls[i : i + _IN_ONE_TEXT]).encode() for i in range(0, size, _IN_ONE_TEXT)),
            "moved": self.rows.moved,
            "free": list(self.free),
            "gone": pack_array(self.gone.hashes),
            "columns": {name: pack_array(self.at[name][:size]) for name in COLUMNS},
            "tables": {name: self.at[name].remember(size) for name in TABLES},
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self.urls = [url for part in memory["urls"] for url in str(part, "utf-8").split("\n")]
        self.rows = Rows(self.urls, dict(memory["moved"]))
        self.gone, self.free = Gone(unpack_array(memory["gone"])), list(memory["free"])
        for name, column in memory["columns"].items():
            self.at[name] = with_room(unpack_array(column))
        for name, table in memory["tables"].items():
            self.at[name].restore(table)
