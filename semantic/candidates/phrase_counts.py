"""Candidate terms: runs of up to `LONGEST` words on pages on topic, and the number of pages with each.

A run contains no gap, and begins and ends with a word that can be the border of a term. It is represented by a hash, so
that all runs of a web are counted by sorting numbers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semantic.candidates.token_stream import GAP, Ids
from semantic.memory.arrays import distinct

Hashes = NDArray[np.uint64]

LONGEST = 5  # words of a run; 99 % of the labels of the 30 tasks have no more
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # multiplier of splitmix64
_SHIFT = np.uint64(29)
_SPARE_BITS = 3  # of the table of first bits, so that an eighth of it is taken at most
_AT_ONCE = 2_000_000  # words counted in one pass; chosen, not measured


@dataclass(frozen=True, slots=True)
class Phrases:
    """n runs as columns. `hashes` are sorted. `first`, `sizes`: offset of each run's first occurrence in `stream`, and
    its number of words.

    `stream`: the words of the pages on topic. `times`: occurrences in it.
    """

    stream: Ids
    hashes: Hashes
    first: NDArray[np.int64]
    sizes: NDArray[np.int8]
    times: NDArray[np.int64]

    def words(self, number: int) -> list[int]:
        """The words of one run, as numbers."""
        start = int(self.first[number])
        words: list[int] = self.stream[start : start + int(self.sizes[number])].tolist()
        return words

    def chosen(self, rows: NDArray[np.int64]) -> "Phrases":
        """Some of the runs (ascending)."""
        return Phrases(self.stream, self.hashes[rows], self.first[rows], self.sizes[rows], self.times[rows])

    def find(self, hashes: Hashes) -> NDArray[np.int64]:
        """The rows with these hashes, -1 if there is none."""
        if not len(self.hashes):
            return np.full(len(hashes), -1)
        # a hash whose first bits no phrase has is not looked for: of all the runs of a web few are phrases
        shift = np.uint64(64 - len(self.hashes).bit_length() - _SPARE_BITS)
        begins = np.zeros(1 << (64 - int(shift)), bool)
        begins[self.hashes >> shift] = True
        rows = np.full(len(hashes), -1)
        asked = np.nonzero(begins[hashes >> shift])[0]
        at = np.minimum(np.searchsorted(self.hashes, hashes[asked]), len(self.hashes) - 1)
        same = self.hashes[at] == hashes[asked]
        rows[asked[same]] = at[same]
        return rows


def run_hashes(stream: Ids) -> list[Hashes]:
    """For 1 to `LONGEST` words, the hash of the run that begins at each offset; 0 if it would cross a gap or the
    end.
    """
    words = stream.astype(np.uint64)
    whole = stream != GAP
    found = [np.where(whole, _mixed(words), np.uint64(0))]
    for size in range(2, LONGEST + 1):
        before = found[-1]
        longer = np.zeros(len(stream), np.uint64)
        if len(stream) >= size:
            ends = words[size - 1 :]
            fits = (before[: len(ends)] != 0) & whole[size - 1 :]
            longer[: len(ends)] = np.where(fits, _mixed(before[: len(ends)] * _FACTOR + ends), 0)
        found.append(longer)
    return found


def whole_hashes(runs: Iterable[Sequence[int] | None], singular: Ids | None = None) -> Hashes:
    """The hash of each run of word numbers as a whole; 0 if there is none, or if it is empty or too long. `singular`:
    what the numbers are replaced by (see `TokenStream.singular`).
    """
    words, starts, sizes = [GAP], [], []
    for run in runs:
        fits = run if run is not None and len(run) <= LONGEST else ()
        starts.append(len(words))
        sizes.append(len(fits))
        words += fits
        words.append(GAP)
    stream = np.array(words, np.int32)
    hashes = run_hashes(stream if singular is None else singular[stream])
    size = np.array(sizes, np.int64)
    result: Hashes = np.stack(hashes)[np.maximum(size, 1) - 1, np.array(starts, np.int64)]
    result[size == 0] = 0
    return result


def _mixed(numbers: Hashes) -> Hashes:
    mixed = (numbers + np.uint64(1)) * _FACTOR
    mixed ^= mixed >> _SHIFT
    result: Hashes = mixed * _FACTOR | np.uint64(1)  # never 0
    return result


def collect(pages: Sequence[Ids], is_border: NDArray[np.bool_], fewest: int) -> Phrases:
    """The runs that stand on at least `fewest` pages. `is_border`: for each word, whether a run may begin and end with
    it.
    """
    stream = np.concatenate([np.zeros(1, np.int32), *pages])
    page = np.concatenate([np.zeros(1, np.int32), *(np.full(len(one), n, np.int32) for n, one in enumerate(pages))])
    border = is_border[stream]
    every: list[Hashes] = []
    places: list[NDArray[np.int64]] = []
    sizes: list[NDArray[np.int8]] = []
    for size, hashes in enumerate(run_hashes(stream), 1):
        good = hashes != 0
        good &= border
        good[: len(stream) - size + 1] &= border[size - 1 :]
        at = np.nonzero(good)[0]
        every.append(hashes[at])
        places.append(at)
        sizes.append(np.full(len(at), size, np.int8))
    hashes, place, size_of = np.concatenate(every), np.concatenate(places), np.concatenate(sizes)
    order = np.lexsort((place, hashes))
    hashes, place, size_of = hashes[order], place[order], size_of[order]
    new = np.ones(len(hashes), bool)
    new[1:] = hashes[1:] != hashes[:-1]
    begins = np.nonzero(new)[0]
    times = np.diff(np.append(begins, len(hashes)))
    new_page = new.copy()
    new_page[1:] |= page[place[1:]] != page[place[:-1]]
    on_pages = np.add.reduceat(new_page.astype(np.int64), begins) if len(begins) else np.zeros(0, np.int64)
    kept = on_pages >= fewest
    rows = begins[kept]
    return Phrases(stream, hashes[rows], place[rows], size_of[rows], times[kept])


def pages_with(runs: Sequence[Sequence[int] | None], pages: Sequence[Ids], singular: Ids) -> list[NDArray[np.int64]]:
    """For each run of word numbers the pages that have it, ascending. `singular`: see `TokenStream.singular`."""
    hashes = whole_hashes(runs, singular)
    known = distinct(hashes[hashes != 0])
    nowhere = np.zeros(len(known), np.int64)
    phrases = Phrases(np.zeros(0, np.int32), known, nowhere, np.ones(len(known), np.int8), nowhere)
    page, row = stands_on(phrases, pages)
    order = np.argsort(row, kind="stable")
    of_row = np.split(page[order], np.searchsorted(row[order], np.arange(1, len(known))))
    return [of_row[found] if found >= 0 else nowhere[:0] for found in phrases.find(hashes).tolist()]


def stands_on(phrases: Phrases, pages: Sequence[Ids]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(page, phrase) for each phrase on each page, once; sorted by page."""
    found: list[NDArray[np.int64]] = []
    start = 0
    while start < len(pages):
        end, size = start, 0
        while end < len(pages) and (size < _AT_ONCE or end == start):
            size += len(pages[end])
            end += 1
        some = pages[start:end]
        found.append(_pairs(phrases, np.concatenate(some), np.cumsum([len(one) for one in some]), start))
        start = end
    every = np.concatenate(found) if found else np.zeros(0, np.int64)
    count = max(1, len(phrases.hashes))
    return every // count, every % count


def _pairs(phrases: Phrases, stream: Ids, ends: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """Page x number of phrases + phrase, for each phrase on each page, once, ascending. `stream`: the words of some
    pages; `ends`: where each of them ends; `first`: the number of the first.
    """
    page = np.repeat(np.arange(first, first + len(ends)), np.diff(ends, prepend=0))
    count = max(1, len(phrases.hashes))
    found = []
    for hashes in run_hashes(stream):
        at = np.nonzero(hashes)[0]
        rows = phrases.find(hashes[at])
        there = rows >= 0
        found.append(page[at[there]] * count + rows[there])
    return distinct(np.concatenate(found))
