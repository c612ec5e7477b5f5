"""All addresses that the crawl has heard of, in columns: about 230 bytes each, and their text.

Rows are numbered by discovery. Of the links to an address the last `RING` are kept (their page, template, place on the
page, anchor text: numbers of groups), and running maxima over all of them. Columns of numbers are what numpy scores
tens of thousands of rows with at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from semantic.fusion.rings import RING, Rings, with_room
from semantic.fusion.rows import Rows
from semantic.fusion.token_table import PLACE_SLOTS, TokenTable
from semantic.learning.packing import pack_array, unpack_array

_TOGETHER = 10_000  # addresses in one piece of text

COLUMNS: dict[str, tuple[tuple[int, ...], Any]] = {
    "ended": ((), np.bool_),
    "pooled": ((), np.bool_),
    "fresh": ((), np.bool_),
    "place": ((), np.int32),
    "folders": ((), np.int16),
    "depth": ((), np.int16),
    "links": ((), np.int32),
    "masses": ((5,), np.float32),
    "anchor_sum": ((), np.float32),
    "foreign": ((), np.float32),
    "position": ((), np.float32),
    "vertex": ((), np.int32),
    "q": ((), np.float32),
    "first": ((), np.int32),
    "chance": ((), np.float32),
    "score": ((), np.float32),
    "sent": ((), np.float32),
}
TABLES = ("rings", "tokens")


class Addresses:
    """The columns, by name as attributes in `at`."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.rows = Rows(self.urls, {})
        self.at: dict[str, Any] = {name: np.zeros((1024, *shape), kind) for name, (shape, kind) in COLUMNS.items()}
        self.at |= {"rings": Rings(), "tokens": TokenTable()}

    def __len__(self) -> int:
        return len(self.urls)

    def add(self, urls: Sequence[str]) -> slice:
        """New rows."""
        first = len(self.urls)
        self.urls.extend(urls)
        self.rows.extend()
        while len(self.urls) > len(self.at["ended"]):
            self._grow()
        return slice(first, len(self.urls))

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
            tokens = at["tokens"][np.array([other, row])]
            tokens[0, PLACE_SLOTS:] = tokens[1, PLACE_SLOTS:]
            at["tokens"].put(slice(other, other + 1), tokens[:1])

    def remember(self) -> dict[str, Any]:
        """All rows; `moved`: addresses that stand for another's row."""
        size = len(self.urls)
        return {
            "urls": ("\n".join(self.urls[i : i + _TOGETHER]).encode() for i in range(0, size, _TOGETHER)),
            "moved": self.rows.moved,
            "columns": {name: pack_array(self.at[name][:size]) for name in COLUMNS},
            "tables": {name: self.at[name].remember(size) for name in TABLES},
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self.urls = [url for part in memory["urls"] for url in str(part, "utf-8").split("\n")]
        self.rows = Rows(self.urls, dict(memory["moved"]))
        for name, column in memory["columns"].items():
            self.at[name] = with_room(unpack_array(column))
        for name, table in memory["tables"].items():
            self.at[name].restore(table)
