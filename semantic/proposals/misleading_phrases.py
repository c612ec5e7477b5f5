"""Phrases in which a word of the ontology means something else: `robot vacuum`, where industrial robots are meant.

Such a word is often a concept's name that the crawl needs. What can be said is in which phrases it has another meaning
(`oc:excludes`). Of the runs of words around it on pages off topic, those are taken that hardly any page on topic
contains. The first is the one on most pages, each further one is on most pages without any phrase taken before.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ontology.lexicon.lexicon import Lexicon
from semantic.candidates.phrase_counts import LONGEST, collect, run_hashes, stands_on
from semantic.candidates.term_candidates import CountedRuns, known_keys, stop_numbers
from semantic.candidates.token_stream import GAP, Ids, joined

MOST = 3  # phrases for one word; chosen, not measured
FEWEST = 3  # pages off topic that must contain a phrase; chosen, not measured
# share on topic of a phrase's pages, at most, because each of these would lose a mention; chosen, not measured
ON_TOPIC = 0.1


@dataclass(frozen=True, slots=True)
class Phrase:
    """`key`: folded text as in the stream; `on`, `off`: number of pages on and off topic that contain it."""

    key: str
    on: int
    off: int


def phrases_around(word: int, counted: CountedRuns, lexicon: Lexicon) -> list[Phrase]:
    """The phrases around one word of the lexicon in which it misleads; none if there is nothing typical."""
    numbers = counted.stream.numbers([form for form, words in lexicon.forms.items() if word in words])
    forms = [tuple(run) for run in numbers if run is not None and 0 < len(run) < LONGEST]
    if not forms:
        return []
    hashes: dict[int, list[int]] = {len(form): [] for form in forms}
    for form in forms:
        hashes[len(form)].append(int(run_hashes(np.array(form, np.int32))[len(form) - 1][0]))
    begins = [form[0] for form in forms]
    windows = {
        number: found for number in counted.with_any(begins) if (found := _windows(counted.rows[number], hashes))
    }
    off = [window for number, found in windows.items() if not counted.on_topic[number] for window in found]
    if len(off) < FEWEST:
        return []
    words = counted.stream.words
    stop = stop_numbers(words)
    border = ~stop
    border[GAP] = False
    candidates = collect(off, border, FEWEST)
    pages = list(windows)
    page, row = stands_on(candidates, [np.concatenate(windows[number]) for number in pages])
    on_topic = counted.on_topic[np.array(pages)]
    on = np.bincount(row, on_topic[page], len(candidates.hashes))
    every = np.bincount(row, minlength=len(candidates.hashes))
    known = known_keys(lexicon)
    fitting: dict[int, tuple[str, set[int]]] = {}
    for number in range(len(candidates.hashes)):
        run = tuple(candidates.words(number))
        key = joined([words[one] for one in run])
        is_longer = any(len(run) > len(form) and _holds(run, form) for form in forms)
        is_typical = every[number] - on[number] >= FEWEST and on[number] <= ON_TOPIC * every[number]
        is_plain = not stop[list(run)].any()  # `read the book` is no name of anything
        if is_longer and is_typical and is_plain and key not in known:
            its_pages = page[row == number]
            fitting[number] = key, set(its_pages[~on_topic[its_pages]].tolist())
    return [Phrase(fitting[number][0], int(on[number]), int(every[number] - on[number])) for number in _chosen(fitting)]


def _chosen(fitting: dict[int, tuple[str, set[int]]]) -> list[int]:
    """Choose the phrases that together cover most pages; of equal ones the shortest."""
    found: list[int] = []
    seen: set[int] = set()
    while len(found) < MOST:
        left = {number: len(pages - seen) for number, (_, pages) in fitting.items() if number not in found}
        best = max(left, key=lambda number: (left[number], -len(fitting[number][0]), fitting[number][0]), default=None)
        if best is None or left[best] < FEWEST:
            break
        found.append(best)
        seen |= fitting[best][1]
    return found


def _windows(row: Ids, hashes: dict[int, list[int]]) -> list[Ids]:
    """The words around each occurrence of the word on a page, with a gap at both ends."""
    found = []
    every = run_hashes(row)
    gap = np.zeros(1, np.int32)
    for size, wanted in hashes.items():
        for place in np.nonzero(np.isin(every[size - 1], np.array(wanted, np.uint64)))[0].tolist():
            reach = LONGEST - size
            found.append(np.concatenate([gap, row[max(0, place - reach) : place + size + reach], gap]))
    return found


def _holds(run: Sequence[int], form: Sequence[int]) -> bool:
    size = len(form)
    return any(tuple(run[start : start + size]) == tuple(form) for start in range(len(run) - size + 1))
