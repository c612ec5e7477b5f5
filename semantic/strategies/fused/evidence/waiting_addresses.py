"""Addresses that the crawl has heard of, in columns: about 240 bytes each, and their text.

Rows are numbered by discovery; those of addresses that ended long ago are given to new ones. Of the links to an address
the last `RING` are kept (their page, template, place on the page, anchor text: numbers of groups), and running maxima
over all of them. Columns of numbers are what numpy scores tens of thousands of rows with at once.

Their hashed words are numbers of 18 bits (`feature_hashing.BITS`), `SLOTS` a row: 16 bits stand in one column, 2 in
another. So a row takes 108 bytes and not 192, and a million waiting links 84 MB less.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantic.learning.feature_hashing import BITS
from semantic.memory.address_rows import Gone, Rows
from semantic.memory.array_packing import pack_array, unpack_array
from semantic.memory.growing_arrays import with_room
from semantic.memory.ring_buffers import RING, Rings

Ints = NDArray[np.int32]

PLACE_SLOTS, ANCHOR_SLOTS, CONTEXT_SLOTS, TEMPLATE_SLOTS = 16, 16, 12, 4
CONTEXT_AT = PLACE_SLOTS + ANCHOR_SLOTS
TEMPLATE_AT = CONTEXT_AT + CONTEXT_SLOTS
SLOTS = TEMPLATE_AT + TEMPLATE_SLOTS
_LOW = 16
_TOGETHER = 8 // (BITS - _LOW)  # upper parts in one byte
_SHIFTS = np.arange(0, 8, BITS - _LOW, dtype=np.uint8)
_UPPER = (np.arange(256, dtype=np.int32)[:, None] >> _SHIFTS & 3) << _LOW  # by byte: the upper parts that it holds
_IN_ONE_TEXT = 10_000  # addresses

COLUMNS: dict[str, tuple[tuple[int, ...], Any]] = {
    "ended": ((), np.bool_),
    "pooled": ((), np.bool_),
    "fresh": ((), np.bool_),
    "place": ((), np.int32),
    "query": ((), np.int32),  # its way (`semantic.strategies.fused.evidence.page_odds`) if it has a query
    "folders": ((), np.int16),
    "depth": ((), np.int16),
    "links": ((), np.int32),
    "masses": ((5,), np.float32),
    "anchor_sum": ((), np.float32),
    "foreign": ((), np.float32),
    "position": ((), np.float32),
    "vertex": ((), np.int32),
    "q": ((), np.float32),
    "graph": ((), np.int16),  # the number of the link graph that these two are of; 0: to be looked up
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


class Addresses:
    """The columns, by name as attributes in `at`."""

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
        """Rows for addresses that have none."""
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
        """Of these addresses, which have ended, know no more than that; not of one that stands for a row that stays."""
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
        for name in COLUMNS:  # one after another, so that only one of them stands there twice
            self.at[name] = with_room(self.at[name])
        for name in TABLES:
            self.at[name].grow()

    def merge(self, row: int, other: int) -> None:
        """Give what is known of a row to another one; as many links as there is room for."""
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
            at["graph"][other] = 0

    def remember(self) -> dict[str, Any]:
        """All rows; `moved`: addresses that stand for another's row."""
        size = len(self.urls)
        return {
            "urls": ("\n".join(self.urls[i : i + _IN_ONE_TEXT]).encode() for i in range(0, size, _IN_ONE_TEXT)),
            "moved": self.rows.moved,
            "free": list(self.free),
            "gone": pack_array(self.gone.marks),
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
