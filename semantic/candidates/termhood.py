"""Whether a run of words is a term: it holds together, varies in its neighbours, and stands where nouns stand.

Over the words of the pages on topic, for each run w with f(w) occurrences among N words:

- cohesion: the minimum over its splits w = ab of ln(f(w) N / (f(a) f(b))) / -ln(f(w) / N), the normalised pointwise
  mutual information (G. Bouma, Normalized (pointwise) mutual information in collocation extraction, GSCL 2009). It is 1
  if the parts never occur apart, 0 if they meet by chance. A single word has 1.
- freedom: the entropy in bits of the neighbouring words, on the side where it is lower. Each gap counts as a new word.
  Cohesion and freedom together find Chinese words that no dictionary has (H. Feng et al., Accessor variety criteria for
  Chinese word extraction, Computational Linguistics 30, 2004).
- noun: of the occurrences of an English run among English words, the share that stands neither before an object (eat |
  the) nor after a word that precedes verbs (to | eat), and where a phrase can end. A tagger would be more exact but
  needs a model.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semantic.candidates.phrase_counts import Phrases, run_hashes
from semantic.candidates.token_stream import GAP, Ids, is_han

Floats = NDArray[np.float64]

_VERB_WORDS = """
to i you we they he she it who which can will would could should must may might cannot don doesn didn won let lets
please never always then did does do not i'm you're we're they're i've you've we've i'll you'll we'll i'd don't doesn't
didn't can't won't isn't also just was were been be had has have"""
_BEFORE_VERBS = frozenset(_VERB_WORDS.split())
_OBJECT_WORDS = """
the a an this these those my your our his her their its it them me us him some any all each every how what why
whether"""
_OBJECTS = frozenset(_OBJECT_WORDS.split())
_PRIOR = 4.0  # occurrences among English words that are needed to tell; chosen, not measured


@dataclass(frozen=True, slots=True)
class Termhood:
    """n values of each property; `noun` is NaN if unknown."""

    cohesion: Floats
    freedom: Floats
    noun: Floats

    def chosen(self, rows: NDArray[np.int64]) -> "Termhood":
        """That of some of the runs."""
        return Termhood(self.cohesion[rows], self.freedom[rows], self.noun[rows])


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Pairs of offset in the stream and phrase, sorted by phrase."""

    place: NDArray[np.int64]
    row: NDArray[np.int64]

    def chosen(self, rows: NDArray[np.int64]) -> "Occurrences":
        """Those of some of the phrases (ascending), which are the only ones then."""
        at = np.searchsorted(rows, self.row)
        kept = np.append(rows, -1)[at] == self.row
        return Occurrences(self.place[kept], at[kept])


def occurrences(phrases: Phrases) -> Occurrences:
    """All occurrences of the phrases."""
    rows, places = [], []
    for hashes in run_hashes(phrases.stream):
        at = np.nonzero(hashes)[0]
        row = phrases.find(hashes[at])
        rows.append(row[row >= 0])
        places.append(at[row >= 0])
    row, place = np.concatenate(rows), np.concatenate(places)
    order = np.lexsort((place, row))
    return Occurrences(place[order], row[order])


def termhood(phrases: Phrases, found: Occurrences, words: Sequence[str], is_stop: NDArray[np.bool_]) -> Termhood:
    """Compute cohesion, freedom and noun. `words`: by number; `is_stop`: which of them are grammatical."""
    place, row = found.place, found.row
    count = len(phrases.hashes)
    stream = phrases.stream
    before = stream[place - 1]
    after = np.append(stream, GAP)[place + phrases.sizes[row]]
    freedom = np.minimum(_entropy(row, before, count), _entropy(row, after, count))
    return Termhood(_cohesion(phrases), freedom, _noun((row, before, after, count), words, is_stop))


def _entropy(row: NDArray[np.int64], beside: Ids, count: int) -> Floats:
    gap = beside == GAP
    width = np.int64(beside.max(initial=0)) + 1
    pairs, times = np.unique(row[~gap] * width + beside[~gap], return_counts=True)
    total = np.maximum(1, np.bincount(row, minlength=count)).astype(float)
    of = pairs // width
    share = times / total[of]
    found = np.bincount(of, -share * np.log2(share), count)
    result: Floats = found + np.bincount(row[gap], minlength=count) / total * np.log2(total)
    return result


def _cohesion(phrases: Phrases) -> Floats:
    """The cohesion of each phrase. The parts' counts include all their occurrences in the stream."""
    every = run_hashes(phrases.stream)
    size = float(np.count_nonzero(phrases.stream != GAP))
    tables = [np.unique(hashes[hashes != 0], return_counts=True) for hashes in every[:-1]]
    times = phrases.times.astype(float)
    found = np.ones(len(times))
    for long in range(2, len(every) + 1):
        rows = np.nonzero(phrases.sizes == long)[0]
        first = phrases.first[rows]
        for cut in range(1, long):
            left = _looked_up(tables[cut - 1], every[cut - 1][first])
            right = _looked_up(tables[long - cut - 1], every[long - cut - 1][first + cut])
            value = np.log(times[rows] * size / (left * right)) / np.maximum(1e-9, -np.log(times[rows] / size))
            found[rows] = np.minimum(found[rows], value)
    return found


def _looked_up(table: tuple[NDArray[np.uint64], NDArray[np.int64]], hashes: NDArray[np.uint64]) -> NDArray[np.float64]:
    known, times = table
    result: Floats = times[np.searchsorted(known, hashes)].astype(float)
    return result


def _noun(found: tuple[NDArray[np.int64], Ids, Ids, int], words: Sequence[str], is_stop: NDArray[np.bool_]) -> Floats:
    row, before, after, count = found
    verbal = np.array([word in _BEFORE_VERBS for word in words])
    objects = np.array([word in _OBJECTS for word in words])
    han = np.array([is_han(word) for word in words])
    ends = is_stop.copy()
    ends[GAP] = True
    known = ~(han[before] | han[after]) & ~((before == GAP) & (after == GAP))
    good = known & ends[after] & ~objects[after] & ~verbal[before]
    every = np.bincount(row[known], minlength=count)
    share = np.bincount(row[good], minlength=count) / np.maximum(1, every)
    result: Floats = np.where(every >= _PRIOR, share, np.nan)
    return result
