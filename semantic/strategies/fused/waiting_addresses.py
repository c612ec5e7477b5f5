"""The addresses that the crawl has found, as columns: about 360 bytes each, and their text.

**Addresses.** Rows are numbered by discovery; rows of addresses that ended long ago are reused. Numpy scores tens of
thousands of rows at once from these columns.

Of addresses that ended long ago only 64-bit hashes are stored, which are the same in every process. Two of a million
agree by chance once in 37 million crawls.

**Rings** holds the last `RING` links to each address, as four numbers each: page, template, template on the page,
anchor text. Most waiting addresses have one or two links, a few have hundreds. The first `NEAR` links are in a column
for every row; if there are more, all are in a table for such rows alone. That takes a fifth of the memory of a column
of `RING`, and is read as if it were one.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from semantic.links.link_reading import PLACE_SLOTS, SLOTS
from semantic.memory.arrays import with_room
from semantic.memory.compact_collections import HashSet
from semantic.memory.compression import compress, decompress
from semantic.memory.strategy_memory import Lines, Remembering, Rows, view_of

Ints = NDArray[np.int32]

RINGS = ("pages", "templates", "places", "anchors")
# links stored for an address: ../shared/research/orders.md
RING = 12
# links of an address without a row in the far table; chosen, not measured
NEAR = 2


class Rings(Remembering):
    """`rings[rows]` reads like four arrays with `RING` numbers in each row, 0 where there is no link.

    `rings.narrow(rows)`: the same with `NEAR` numbers, if none of these rows has more.
    """

    KEPT: ClassVar = {
        "_near": Rows("kept"),
        "_where": Rows("kept"),
        "_far": Rows("_used"),
        "_used": int,
        "_free": list[int],
    }

    def __init__(self) -> None:
        self._near: Ints = np.zeros((1024, len(RINGS), NEAR), np.int32)
        self._where: Ints = np.zeros(1024, np.int32)  # row of `_far`; 0: all links are near
        self._far: Ints = np.zeros((64, len(RINGS), RING), np.int32)
        self._used = 1
        self._free: list[int] = []  # unused rows of `_far`
        self.kept = 0  # rows that a memory has

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

    def put_row(self, row: int, numbers: Ints, links: int = RING) -> None:
        """Set all links of a row, of which it has so many."""
        if links <= NEAR and not self._where[row]:
            self._near[row] = numbers[:, :NEAR]
            return
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
# what is known of an address that is laid aside
_KNOWN = np.dtype(
    [(name, kind, shape) for name, (shape, kind) in COLUMNS.items()]
    + [("rings", np.int32, (len(RINGS), RING)), ("tokens", np.int32, (SLOTS,))]
).newbyteorder("<")


class TokenTable(Remembering):
    """`table[rows]` are the hashed words of rows, in `SLOTS` columns; 0 is no word."""

    KEPT: ClassVar = {"_tokens": Rows("kept")}

    def __init__(self) -> None:
        self._tokens: Ints = np.zeros((1024, SLOTS), np.int32)
        self.kept = 0  # rows that a memory has

    def grow(self) -> None:
        """Double the number of rows."""
        self._tokens = with_room(self._tokens)

    def __getitem__(self, rows: Ints) -> Ints:
        return self._tokens[rows]

    def put(self, rows: Ints, numbers: Ints) -> None:
        """Set these distinct rows."""
        self._tokens[rows] = numbers

    def fill(self, row: int, first: int, slots: int, numbers: Sequence[int]) -> None:
        """Put numbers that are not there yet into free ones of these slots."""
        there = self._tokens[row, first : first + slots]
        have = there.tolist()
        used = slots - have.count(0)
        new = [number for number in numbers if number not in have][: slots - used]
        there[used : used + len(new)] = new


class AddressRows:
    """The row of each address. `moved`: addresses that stand for another address's row."""

    def __init__(self, urls: Sequence[str] = (), moved: dict[str, int] | None = None) -> None:
        """`urls`: the address of each row, "" for a free one."""
        self.moved = moved or {}
        self._own = {url: row for row, url in enumerate(urls) if url}

    def __contains__(self, url: str) -> bool:
        return url in self._own

    def __getitem__(self, url: str) -> int:
        own = self._own[url]
        return self.moved.get(url, own)

    def get(self, url: str) -> int | None:
        """The row that an address stands for; None for an unknown address."""
        own = self._own.get(url)
        return self.moved.get(url, own) if own is not None and self.moved else own

    def own(self, url: str) -> int | None:
        """The row in which the address itself is stored; None for an unknown address."""
        return self._own.get(url)

    def find(self, urls: Iterable[str]) -> list[int]:
        """The row that each address stands for; -1 for an unknown address."""
        if self.moved:
            return [-1 if (row := self.get(url)) is None else row for url in urls]
        return [self._own.get(url, -1) for url in urls]

    def put(self, urls: Iterable[str], rows: Iterable[int]) -> None:
        """Add addresses that have no row."""
        self._own.update(zip(urls, rows, strict=True))

    def drop(self, url: str) -> None:
        """Give up the row of an address."""
        del self._own[url]


class AddressColumns(Remembering):
    """The columns, by name in `at`."""

    KEPT: ClassVar = {"urls": Lines, "free": list[int]}

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.rows = AddressRows()
        self._gone = HashSet()  # of evicted addresses
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
        self.rows.put(urls, rows.tolist())
        while len(self.urls) > len(self.at["ended"]):
            self._grow()
        self.at["ended"][rows] = False
        return rows

    def release(self, rows: Ints) -> None:
        """Evict addresses that have ended, keeping only their hashes; not one that stands for a row that stays."""
        ended = set(rows.tolist())
        for url, row in list(self.rows.moved.items()):
            if row in ended:
                self._gone.add(_hash(url))
                del self.rows.moved[url]
            else:
                own = self.rows.own(url)
                assert own is not None, "a redirected address has a row while its successor has"
                ended.discard(own)
        for row in ended:
            self._gone.add(_hash(self.urls[row]))
        self._give_up(np.array(sorted(ended), np.int32))

    def _give_up(self, rows: Ints) -> None:
        for row in rows.tolist():
            self.rows.drop(self.urls[row])
            self.urls[row] = ""
        for name in COLUMNS:
            self.at[name][rows] = 0
        self.at["ended"][rows] = True
        self.at["rings"].clear(rows)
        self.free.extend(reversed(rows.tolist()))

    def lay_aside(self, rows: Ints) -> list[tuple[str, bytes]]:
        """Give up waiting addresses; returns them with what was known of each, packed."""
        known = np.zeros(len(rows), _KNOWN)
        for name in COLUMNS:
            known[name] = self.at[name][rows]
        known["tokens"], known["rings"] = self.at["tokens"][rows], self.at["rings"][rows].swapaxes(0, 1)
        urls = [self.urls[row] for row in rows.tolist()]
        self._give_up(rows)
        return [(url, compress(one.tobytes())) for url, one in zip(urls, known, strict=True)]

    def bring_in(self, laid_aside: Mapping[str, bytes]) -> Ints:
        """Add rows for addresses that have none, as they were laid aside."""
        packed = b"".join(decompress(one, _KNOWN.itemsize) for one in laid_aside.values())
        known = np.frombuffer(packed, _KNOWN)
        rows = self.add(list(laid_aside))
        for name in COLUMNS:
            self.at[name][rows] = known[name]
        self.at["tokens"].put(rows, known["tokens"].astype(np.int32))
        for row, links, rings in zip(rows.tolist(), known["links"].tolist(), known["rings"], strict=True):
            self.at["rings"].put_row(row, rings, links)
        return rows

    def are_evicted(self, urls: Sequence[str]) -> list[bool]:
        """Which of these addresses ended long ago and have no row of their own any more."""
        if not len(self._gone):
            return [False] * len(urls)
        hashes = list(map(_hash, urls))
        return list(map(self._gone.among(hashes).__contains__, hashes))

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
            at["tokens"].put(np.array([other]), tokens[:1])
            at["graph"][other] = at["layered"][other] = 0

    def remember(self) -> dict[str, Any]:
        """All rows, for a memory; `moved`: addresses that stand for another address's row."""
        size = len(self.urls)
        for name in TABLES:
            self.at[name].kept = size
        return (
            super().remember()
            | {
                "moved": self.rows.moved,
                "gone": np.sort(self._gone.sorted().astype(np.uint64)),  # in the order of earlier versions
                "columns": {name: self.at[name][:size] for name in COLUMNS},
                "tables": {name: self.at[name].remember() for name in TABLES},
            }
        )

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        super().restore(memory)
        self.rows = AddressRows(self.urls, dict(memory["moved"]))
        self._gone = HashSet(view_of(memory["gone"]).astype(np.int64))
        for name, column in memory["columns"].items():
            self.at[name] = with_room(view_of(column))
        for name, table in memory["tables"].items():
            self.at[name].restore(table)


def _hash(url: str) -> int:
    return int.from_bytes(blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little", signed=True)
