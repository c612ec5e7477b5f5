"""Addresses that the crawl has heard of, in columns: about 240 bytes each, and their text.

Rows are numbered by discovery; those of addresses that ended long ago are given to new ones. Of the links to an address
the last `RING` are kept (their page, template, place on the page, anchor text: numbers of groups), and running maxima
over all of them. Columns of numbers are what numpy scores tens of thousands of rows with at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantic.memory.address_rows import Rows
from semantic.memory.array_packing import pack_array, unpack_array
from semantic.memory.ended_addresses import Gone
from semantic.memory.growing_arrays import with_room
from semantic.memory.ring_buffers import RING, Rings
from semantic.strategies.fused.evidence.token_table import PLACE_SLOTS, TokenTable

Ints = NDArray[np.int32]

_TOGETHER = 10_000  # addresses in one piece of text

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
            "urls": ("\n".join(self.urls[i : i + _TOGETHER]).encode() for i in range(0, size, _TOGETHER)),
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
