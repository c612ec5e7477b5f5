"""Words of the ontology that mislead, and features that are too general.

s is the share on topic of all pages that mention other words of the topic. A word misleads if the share of its own
pages is far lower. The log-likelihood ratio of its counts against s tells how sure that is.

A concept is too general if the pages that mention it are hardly more often on topic than all pages of the crawl
(`is_too_general`, also for `ontology coverage`). To ask for a share far below s instead was tried: on 16 archived
tasks of 800 pages that found one feature, since s itself is seldom more than twice the share
of all pages.

The weight proposed for such a concept is a part of the weight of the heaviest feature that is not too general: the
share of its pages, compared with that of the pages of other features. Neither its own weight nor that of another one
that is too general counts, so that what was accepted is not proposed to be lower still on the same pages.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ontology.lexicon.lexicon import Lexicon
from ontology.topic import Topic
from semantic.candidates.phrase_counts import Phrases, stands_on, whole_hashes
from semantic.candidates.term_candidates import CountedRuns
from semantic.candidates.token_stream import GAP, Ids

SURE = 10.83  # log-likelihood ratio that chance exceeds once in 1,000 times (chi-squared, one degree of freedom)
MOSTLY = 1 / 3  # share on topic of a word's pages below which it misleads; chosen, not measured
FEW = 10  # pages below which nothing is said of a concept; chosen, not measured
TELLS = 1.2  # factor by which a concept's pages must be on topic more often than all pages; chosen, not measured
# limits of the proposed weight, as parts of the heaviest feature's, and its step; chosen, not measured
LOWEST, HIGHEST, STEP = 0.2, 0.8, 0.05

_Key = TypeVar("_Key", int, str)


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A finding. `word`: index in the lexicon, None for a feature; `concept`: which it names; `on`, `off`: pages;
    `value`: proposed weight.
    """

    concept: str
    word: int | None
    on: int
    off: int
    score: float
    value: float | None = None


def is_too_general(on: int, pages: int, rate: float) -> bool:
    """Whether a concept tells too little: `pages` mention it, `on` of them are on topic; of all pages `rate` are."""
    return pages >= FEW and on <= TELLS * rate * pages


def find_doubtful(counted: CountedRuns, lexicon: Lexicon, topic: Topic) -> list[Doubtful]:
    """Find misleading words, and features that are too general for their weight, surest first."""
    pages = _pages_of_words(counted, lexicon)
    on_topic = counted.on_topic
    feature = [_nearest(lexicon, word) for word in range(len(lexicon.words))]
    every: dict[str, set[int]] = defaultdict(set)
    for word, found in pages.items():
        if feature[word]:
            every[feature[word]] |= found
    words = {word: found for word, found in pages.items() if feature[word]}
    misleading = []
    for word, share in _shares_of_others(words, on_topic).items():
        on, off = _split(words[word], on_topic)
        score = _against(on, off, share)
        if score >= SURE and on < MOSTLY * (on + off):
            misleading.append(Doubtful(lexicon.words[word].senses[0].concept, word, on, off, score))
    flagged = {one.concept for one in misleading}
    rate = float(on_topic.mean()) if len(on_topic) else 0.0
    counts = {concept: _split(found, on_topic) for concept, found in every.items() if concept != topic.iri}
    too_general = {concept for concept, (on, off) in counts.items() if is_too_general(on, on + off, rate)}
    heaviest = max((weight for iri, weight in topic.weights.items() if iri not in too_general), default=1.0)
    general = []
    for concept, share in _shares_of_others(every, on_topic).items():
        if concept not in too_general or concept in flagged:
            continue
        on, off = counts[concept]
        part = min(HIGHEST, max(LOWEST, on / (on + off) / share))
        value = max(STEP, round(round(heaviest * part / STEP) * STEP, 2))
        if round(topic.weights[concept] - value, 2) >= STEP:  # otherwise it is as low as it should be
            general.append(Doubtful(concept, None, on, off, _against(on, off, share), value))
    return sorted([*misleading, *general], key=lambda one: (-one.score, one.concept, one.word or 0))


def _nearest(lexicon: Lexicon, word: int) -> str:
    return next((sense.features[0][0] for sense in lexicon.words[word].senses if sense.features), "")


def _split(pages: set[int], on_topic: NDArray[np.bool_]) -> tuple[int, int]:
    on = sum(bool(on_topic[page]) for page in pages)
    return on, len(pages) - on


def _shares_of_others(pages: Mapping[_Key, set[int]], on_topic: NDArray[np.bool_]) -> dict[_Key, float]:
    """For each key the share on topic of the pages that any other key has, smoothed by 1 in 2."""
    times = Counter(page for found in pages.values() for page in found)
    on = sum(bool(on_topic[page]) for page in times)
    shares = {}
    for key, found in pages.items():
        alone = [page for page in found if times[page] == 1]
        alone_on = sum(bool(on_topic[page]) for page in alone)
        shares[key] = (on - alone_on + 1) / (len(times) - len(alone) + 2)
    return shares


def _against(on: int, off: int, share: float) -> float:
    """The log-likelihood ratio against `share`, 0 if more pages are on topic than `share` says."""
    return 0.0 if on >= share * (on + off) else surprise(on, off, share)


def surprise(on: float, off: float, share: float) -> float:
    """The log-likelihood ratio of `on` and `off` pages where `share` of them would be on topic by chance."""
    cells = ((on, share * (on + off)), (off, (1 - share) * (on + off)))
    return float(2 * sum(found * np.log(found / wanted) for found, wanted in cells if found > 0 and wanted > 0))


def _without_others(counted: CountedRuns, runs: Iterable[Sequence[int] | None]) -> list[Ids]:
    """The words of each page without those of no run. A gap stands where words were left out."""
    wanted = np.zeros(len(counted.stream.words), bool)
    wanted[[word for run in runs if run for word in run]] = True
    wanted[GAP] = False
    found = []
    for row in counted.rows:
        kept = wanted[row]
        ends = kept[:-1] & ~kept[1:]  # a kept word before one that is left out: a gap takes that one's place
        kept[1:] |= ends
        found.append(np.where(wanted[row[kept]], row[kept], np.int32(GAP)))
    return found


def _pages_of_words(counted: CountedRuns, lexicon: Lexicon) -> dict[int, set[int]]:
    """Word of the lexicon -> numbers of the pages that say it."""
    of_hash: dict[int, set[int]] = defaultdict(set)
    runs = counted.stream.numbers(list(lexicon.forms))
    for one, words in zip(whole_hashes(runs).tolist(), lexicon.forms.values(), strict=True):
        if one:
            of_hash[one].update(words)
    hashes = np.array(sorted(of_hash), np.uint64)
    none = np.zeros(len(hashes), np.int64)
    phrases = Phrases(np.zeros(1, np.int32), hashes, none, none.astype(np.int8), none)
    found: dict[int, set[int]] = defaultdict(set)
    page, row = stands_on(phrases, _without_others(counted, runs)) if len(hashes) else (none, none)
    words_of: Sequence[set[int]] = [of_hash[int(one)] for one in hashes]
    for where, which in zip(page.tolist(), row.tolist(), strict=True):
        for word in words_of[which]:
            found[word].add(where)
    return found
