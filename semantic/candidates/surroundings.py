"""Where candidate terms stand relative to the ontology's words: near them, in lists with them, among similar words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semantic.candidates.phrase_counts import LONGEST, Phrases, run_hashes, whole_hashes
from semantic.candidates.termhood import Occurrences
from semantic.candidates.token_stream import GAP, Ids

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

NEAR = 10  # words on either side; chosen, not measured
_LISTED = 2.0  # times in a list with a word of the ontology from which `listed` is 1; chosen, not measured
# (distance, column block): two words on either side; the last two count from the term's end
_SIDES = ((-1, 0), (-2, 1), (0, 2), (1, 3))
_CONJUNCTIONS = frozenset(("and", "or", "和", "与", "或", "及"))


@dataclass(frozen=True, slots=True)
class RunSurroundings:
    """Four values of each phrase, from 0 to 1.

    - `alone`: share of its occurrences with a gap on either side.
    - `near`: share of its occurrences near a word of the ontology.
    - `listed`: how sure it stands in lists with such words.
    - `alike`: cosine between the words beside it and the words beside the ontology's words.
    """

    alone: Floats
    near: Floats
    listed: Floats
    alike: Floats


def surroundings(
    phrases: Phrases, found: Occurrences, known: Sequence[Sequence[int] | None], words: Sequence[str]
) -> RunSurroundings:
    """Compute the surroundings of phrases. `known`: the ontology's words as word numbers, None if not all were read."""
    stream, count = phrases.stream, len(phrases.hashes)
    place, row, end = found.place, found.row, found.place + phrases.sizes[found.row]
    before, after = stream[place - 1], np.append(stream, GAP)[end]
    times = np.maximum(1, np.bincount(row, minlength=count))
    length = _known_lengths(stream, known)
    starts = np.nonzero(length)[0]
    sums = np.concatenate([[0], np.cumsum(length > 0)])
    size = len(stream)
    around = sums[np.minimum(size, end + NEAR)] - sums[np.maximum(0, place - NEAR)] - (sums[end] - sums[place])
    listed = _beside_known(stream, length, (place, end), words)
    return RunSurroundings(
        np.bincount(row[(before == GAP) & (after == GAP)], minlength=count) / times,
        np.bincount(row[around > 0], minlength=count) / times,
        np.minimum(1.0, np.bincount(row[listed], minlength=count) / _LISTED),
        _alike(stream, len(words), (place, end, row, count), (starts, starts + length[starts])),
    )


def _known_lengths(stream: Ids, known: Sequence[Sequence[int] | None]) -> Numbers:
    """At each offset, the number of words of the longest word of the ontology that begins there, 0 for none."""
    hashes, sizes = whole_hashes(known), np.array([len(one or ()) for one in known], np.int64)
    length = np.zeros(len(stream), np.int64)
    for size, found in enumerate(run_hashes(stream), 1):
        if (sizes == size).any():
            wanted = np.sort(hashes[sizes == size])
            at = np.minimum(np.searchsorted(wanted, found), len(wanted) - 1)
            length[wanted[at] == found] = size
    return length


def _beside_known(
    stream: Ids, length: Numbers, of_terms: tuple[Numbers, Numbers], words: Sequence[str]
) -> NDArray[np.bool_]:
    """Whether a term stands in a list with a word of the ontology.

    It does if a gap or conjunction follows the term and what follows that is exactly such a word; or the same before
    the term.
    """
    place, end = of_terms
    size, starts = len(stream), np.nonzero(length)[0]
    before, after = stream[place - 1], np.append(stream, GAP)[end]
    joins = np.array([word in _CONJUNCTIONS for word in words])
    joins[GAP] = True
    closed = np.append(stream, np.zeros(LONGEST + 2, stream.dtype)) == GAP
    following = np.minimum(end + 1, size - 1)
    behind = joins[after] & (length[following] > 0) & closed[following + length[following]]
    ends_known = np.zeros(size + LONGEST + 1, bool)
    whole = starts[closed[starts - 1]]
    ends_known[whole + length[whole]] = True
    result: NDArray[np.bool_] = behind | (joins[before] & ends_known[np.maximum(0, place - 1)])
    return result


def _alike(
    stream: Ids, words: int, of_terms: tuple[Numbers, Numbers, Numbers, int], of_known: tuple[Numbers, Numbers]
) -> Floats:
    place, end, row, count = of_terms
    known_hashes = np.array([hash(tuple(stream[a:b].tolist())) for a, b in zip(*of_known, strict=True)], np.int64)
    names, known_row = np.unique(known_hashes, return_inverse=True)
    if not len(names):
        return np.zeros(count)
    terms, known = _beside(stream, words, (place, end), row), _beside(stream, words, of_known, known_row)
    width = words * len(_SIDES)
    frequency = np.bincount(terms.column, minlength=width) + np.bincount(known.column, minlength=width)
    rarity = np.log((count + len(names) + 1) / (frequency + 1))
    centre = np.bincount(known.column, _unit(known, rarity), width) / len(names)
    centre /= max(1e-9, float(np.linalg.norm(centre)))
    result: Floats = np.bincount(terms.row, _unit(terms, rarity) * centre[terms.column], count).astype(float)
    return result


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells of a sparse matrix that are not empty, by rows. `times`: what is in each."""

    row: Numbers
    column: Numbers
    times: Numbers


def _beside(stream: Ids, words: int, where: tuple[Numbers, Numbers], row: Numbers) -> _Cells:
    """How often each word (column) stands beside each phrase (row)."""
    place, end = where
    columns = [
        stream[np.clip((place if side < 2 else end) + step, 0, len(stream) - 1)].astype(np.int64) + words * side
        for step, side in _SIDES
    ]
    width = words * len(_SIDES)
    cells = np.sort(np.tile(row, len(_SIDES)) * width + np.concatenate(columns))
    first = np.nonzero(np.diff(cells, prepend=-1))[0]
    return _Cells(cells[first] // width, cells[first] % width, np.diff(first, append=len(cells)))


def _unit(cells: _Cells, rarity: Floats) -> Floats:
    """For each cell ln(1 + times) x rarity, with rows scaled to length 1."""
    weight = np.log1p(cells.times) * rarity[cells.column]
    length = np.sqrt(np.bincount(cells.row, weight * weight))
    result: Floats = weight / np.maximum(length, 1e-9)[cells.row]
    return result
