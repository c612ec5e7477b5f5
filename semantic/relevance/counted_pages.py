"""Pages as the relevance model needs them: which topic words they have, how often and where, in columns of numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from semantic.memory.array_packing import pack_array, unpack_array
from semantic.memory.growing_arrays import with_room
from semantic.page import Page, Position
from semantic.terms.language_detection import is_foreign
from semantic.terms.term_frequency import ConceptCounts
from semantic.terms.word_table import WordTable

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

POSITION_WEIGHT = {  # chosen on archived webs: ../docs/strategies.md
    Position.TITLE: 3.0,
    Position.H1: 3.0,
    Position.H2: 1.5,
    Position.STRONG: 1.5,
    Position.EMPHASIS: 1.5,
    Position.OTHER: 1.0,
}


@dataclass(frozen=True, slots=True)
class Counted:
    """One page. `words`: (word, tf weighted by position, stands in a title).

    `length`, `anchors`: characters outside and inside of anchors.
    `foreign`: it is written in a language of which the ontology has no word; `language`: its text's.
    """

    words: tuple[tuple[int, float, bool], ...]
    length: int
    foreign: bool = False
    language: str | None = None
    anchors: int = 0


def count_page(page: Page, counts: ConceptCounts, table: WordTable, languages: frozenset[str]) -> Counted:
    """The topic's words of a page outside anchors; `languages`: those of the ontology's words."""
    tf: dict[int, float] = {}
    titled: set[int] = set()
    for mention in counts.mentions:
        if mention.position is Position.ANCHOR or not table.weight[mention.word]:
            continue
        tf[mention.word] = tf.get(mention.word, 0.0) + POSITION_WEIGHT[mention.position]
        if mention.position in (Position.TITLE, Position.H1):
            titled.add(mention.word)
    words = tuple((word, count, word in titled) for word, count in tf.items())
    return Counted(words, counts.length, is_foreign(page, languages), page.language, counts.anchor_length)


@dataclass(frozen=True, slots=True)
class Columns:
    """Many pages: a row for each page and word (`page`, `word`, `tf`, `titled`), and one a page (the others)."""

    page: Ints
    word: Ints
    tf: Floats
    titled: NDArray[np.bool_]
    length: Floats
    anchors: Floats
    foreign: NDArray[np.bool_]


class CountedPages:
    """All pages judged so far, about 13 bytes for each word that one of them has."""

    def __init__(self) -> None:
        self._starts = np.zeros(1024, np.int64)  # by page: where its rows begin
        self._ends = np.zeros(1024, np.int64)  # and end
        self._has_moved = False  # whether rows are in another order than their pages
        self._length = np.zeros(1024, np.int32)
        self._anchors = np.zeros(1024, np.int32)
        self._foreign = np.zeros(1024, np.bool_)
        self._word = np.zeros(1024, np.int32)
        self._tf = np.zeros(1024, np.float64)
        self._titled = np.zeros(1024, np.bool_)
        self._languages: list[str | None] = []
        self._pages = self._rows = 0

    def __len__(self) -> int:
        return self._pages

    def add(self, page: Counted) -> None:
        """Take note of a page, as the last one."""
        self._languages.append(None)
        self._pages += 1
        self._put(self._pages - 1, page)

    def replace(self, number: int, page: Counted) -> None:
        """What a page says now; what it said before is left where it is and not read any more."""
        self._has_moved = True
        self._put(number, page)

    def _put(self, number: int, page: Counted) -> None:
        if number == len(self._ends):
            self._starts, self._ends = with_room(self._starts), with_room(self._ends)
            self._length, self._anchors = with_room(self._length), with_room(self._anchors)
            self._foreign = with_room(self._foreign)
        start, self._rows = self._rows, self._rows + len(page.words)
        while self._rows > len(self._word):
            self._word, self._tf = with_room(self._word), with_room(self._tf)
            self._titled = with_room(self._titled)
        for row, (word, tf, titled) in enumerate(page.words, start):
            self._word[row], self._tf[row], self._titled[row] = word, tf, titled
        self._starts[number], self._ends[number] = start, self._rows
        self._length[number], self._anchors[number] = page.length, page.anchors
        self._foreign[number] = page.foreign
        self._languages[number] = page.language

    def page(self, number: int) -> Counted:
        """One page, by its number from 0."""
        rows = slice(int(self._starts[number]), int(self._ends[number]))
        words = zip(self._word[rows].tolist(), self._tf[rows].tolist(), self._titled[rows].tolist(), strict=True)
        length, anchors = int(self._length[number]), int(self._anchors[number])
        return Counted(tuple(words), length, bool(self._foreign[number]), self._languages[number], anchors)

    def lengths(self, first: int, last: int) -> tuple[Floats, Floats]:
        """Characters outside and inside of anchors of pages `first` to `last` (exclusive)."""
        return self._length[first:last].astype(float), self._anchors[first:last].astype(float)

    def columns(self, first: int = 0, last: int | None = None) -> Columns:
        """Pages `first` to `last` (exclusive; None: the end); they are numbered from 0 there."""
        last = self._pages if last is None else last
        starts, ends = self._starts[first:last], self._ends[first:last]
        page = np.repeat(np.arange(last - first), ends - starts)
        if self._has_moved:
            rows: Any = np.concatenate([np.zeros(0, np.int64), *map(np.arange, starts, ends)])
        else:
            rows = slice(int(starts[0]), int(ends[-1])) if last > first else slice(0, 0)
        return Columns(
            page,
            self._word[rows].astype(np.int64),
            self._tf[rows],
            self._titled[rows],
            self._length[first:last].astype(float),
            self._anchors[first:last].astype(float),
            self._foreign[first:last],
        )

    def remember(self) -> dict[str, Any]:
        """All columns."""
        pages: dict[str, NDArray[Any]] = {
            "starts": self._starts,
            "ends": self._ends,
            "length": self._length,
            "anchors": self._anchors,
            "foreign": self._foreign,
        }
        rows: dict[str, NDArray[Any]] = {"word": self._word, "tf": self._tf, "titled": self._titled}
        held: dict[str, Any] = {name: pack_array(column[: self._pages]) for name, column in pages.items()}
        held |= {name: pack_array(column[: self._rows]) for name, column in rows.items()}
        return held | {"languages": self._languages, "moved": self._has_moved}

    @classmethod
    def restored(cls, memory: Mapping[str, Any], now: Sequence[int | None]) -> Self:
        """What `remember` gave; `now`: by the number of a word then, its number now, None for one that is gone."""
        held = {name: unpack_array(column) for name, column in memory.items() if name not in ("languages", "moved")}
        pages = cls()
        word = np.array([-1 if new is None else new for new in now] or [-1], np.int32)[held["word"]]
        there = word >= 0
        kept = np.concatenate([[0], np.cumsum(there)])
        pages._starts, pages._ends = kept[held["starts"]], kept[held["ends"]]
        pages._length, pages._anchors, pages._foreign = held["length"], held["anchors"], held["foreign"]
        pages._has_moved = bool(memory["moved"])
        pages._word, pages._tf, pages._titled = word[there], held["tf"][there], held["titled"][there]
        pages._languages = list(memory["languages"])
        pages._pages, pages._rows = len(pages._ends), len(pages._word)
        return pages


def columns_of(pages: Sequence[Counted]) -> Columns:
    """The columns of some pages."""
    held = CountedPages()
    for page in pages:
        held.add(page)
    return held.columns()
