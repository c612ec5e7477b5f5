"""Terms that the ontology lacks, best first: what pages on topic say more often than others, and what is a term.

    rank = sum of WEIGHTS x properties of a run of words

The weights were learned by logistic regression. The task: which runs are labels that had been removed from the
ontologies of eight tasks (zhblogs/databases, linuxcn/games, linuxcn/containers, archwiki/security, blogs-a/food,
uci/ai_ml, lohelpzh/charts, dclaw/environment; a quarter of the labels, three times each, 1,000 pages). Ranked by the
log-likelihood ratio alone, a third fewer of them are among the first 50, on these and on other tasks. How similar a
run is to the words that the ontology already has is added (`semantic.candidates.own_words`). Of two runs of which one
contains the other, the longer is taken if the shorter seldom stands without it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ontology.lexicon.lexicon import Lexicon
from semantic.candidates.association import expected_shares, log_likelihood
from semantic.candidates.marked_words import MarkedWords
from semantic.candidates.own_text import OwnTexts
from semantic.candidates.own_words import label_signs, likeness
from semantic.candidates.phrase_counts import Phrases, collect, stands_on
from semantic.candidates.surroundings import RunSurroundings, surroundings
from semantic.candidates.termhood import Termhood, occurrences, termhood
from semantic.candidates.token_stream import GAP, Ids, TokenStream, is_han, joined
from semantic.terms.bag_of_words import stop_words

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

MARKED = 5.0  # a page with the expert's mark counts as much as this many judged pages; chosen, not measured
FEWEST = 2  # pages on topic that must contain a term; chosen, not measured
# log-likelihood ratio above which a run is considered. It is low because no run has much where most pages are on topic
LEAST = 1.0
# terms with this ratio, of which most pages are on topic, stand before all others; chance alone gives this ratio to one
# of a hundred
LIKELY = 6.63
# how many times higher than for all pages the odds of being on topic must be for a term's pages: 显示 in a manual has
# 2.2
TELLING = 2.5
LOOKED_AT = 12_000  # runs with the highest scores, of which cohesion and freedom are computed; chosen, not measured
CHOSEN = 5000  # the best of these, of which all other properties are computed; chosen, not measured
RANKED = 1000  # terms returned, at most; chosen, not measured
LONGEST_HAN = 10  # characters; chosen, not measured
# learned: see the module's text
WEIGHTS = {
    "score": 0.58,  # ln(1 + log-likelihood ratio)
    "pages": -1.46,  # ln(1 + pages on topic): of two with equal scores the rarer is better
    "exclusive": 0.45,  # ln(pages on topic / other pages)
    "cohesion": 2.78,
    "freedom": 1.07,  # bits, up to 5
    "noun": 0.4,
    "name": 0.75,  # share of occurrences written as a name
    "several": -0.66,  # 1 for more than one word
    "words": -0.69,  # number of words
    "shared": 0.78,  # share of its words that occur in labels
    "alone": -2.0,
    "listed": 0.9,
    "near": 1.02,
    "alike": 12.9,
}
_WITHIN_WORDS = "of in for the to and on with from by at as a an"  # may stand inside an English term
_WITHIN = frozenset(_WITHIN_WORDS.split())
_NEVER_WITHIN = frozenset("的了是我你他她它这那们吗呢吧啊把被让就都也很并或及其该等着过个")
_NUMBER_WORDS = "one two three four five six seven eight nine ten"
# not among them: may, march, sun, sat, which say something else, too
_CALENDAR_WORDS = """
january february april june july august september october november december jan feb apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri"""
_COUNTING = frozenset((*_NUMBER_WORDS.split(), *_CALENDAR_WORDS.split()))
_VERBAL = 0.3  # an English run with a lower noun share is no term, unless written as a name; chosen, not measured
_FIXED = 0.6  # cohesion from which a run may begin or end with a grammatical word (以太坊); chosen, not measured
_UNKNOWN = 0.45  # noun share if it is unknown: about the median


@dataclass(frozen=True, slots=True)
class CandidateTerm:
    """A candidate term. `key`: folded text as in the stream; `on`, `off`: number of pages on and off topic that say
    it.
    """

    key: str
    words: tuple[int, ...]
    on: int
    off: int
    score: float
    rank: float


@dataclass(frozen=True, slots=True)
class CountedRuns:
    """The pages as rows of word numbers. `on_topic`, `weight`: what each page counts as, and how much."""

    texts: OwnTexts
    stream: TokenStream
    rows: Sequence[Ids]
    on_topic: NDArray[np.bool_]
    weight: Floats
    expected: Floats  # for each page the share of its host's pages that are on topic
    singular: Ids  # number of each word -> the number under which `rows` have it

    def with_any(self, words: Sequence[int]) -> Iterator[int]:
        """The numbers of the pages whose rows have one of these words."""
        wanted = np.zeros(len(self.stream.words), bool)
        wanted[words] = True
        return (number for number, row in enumerate(self.rows) if wanted[row].any())


def count_pages(texts: OwnTexts, stream: TokenStream) -> CountedRuns:
    """Read the pages into the stream."""
    rows = [stream.read(blocks) for blocks in texts]
    counts = np.bincount(np.concatenate([np.zeros(1, np.int32), *rows]), minlength=len(stream.words))
    singular = stream.singular(counts.tolist())
    on_topic = np.array([page.counts_for for page in texts.pages], bool)
    weight = np.array([1.0 if page.good is None else MARKED for page in texts.pages])
    expected = expected_shares(texts.hosts, on_topic.astype(float), weight)
    return CountedRuns(texts, stream, [singular[row] for row in rows], on_topic, weight, expected, singular)


def find_terms(  # noqa: PLR0913 - the last three say how many are wanted
    counted: CountedRuns,
    lexicon: Lexicon,
    names: Mapping[str, float],
    marked: MarkedWords,
    least: float = LEAST,
    *,
    telling: float = TELLING,
    most: int = RANKED,
) -> list[CandidateTerm]:
    """Find and rank the terms. `names`: word -> share of occurrences written as a name
    (`semantic.candidates.written_names`); `least`: log-likelihood ratio that a term must exceed; `telling`: see
    `TELLING`; `most`: terms returned.
    """
    words = counted.stream.words
    is_stop = stop_numbers(words)
    phrases = _candidates(counted, words, is_stop)
    page, row = stands_on(phrases, counted.rows)
    scored = _scored(counted, page, row, len(phrases.hashes))
    best = np.argsort(-scored.score, kind="stable")[:LOOKED_AT]
    best = best[(scored.score[best] > least) & (_odds_ratio(counted, scored)[best] >= telling)]
    stop = is_stop.tolist()
    best = best[[_fits(phrases.words(number), words, stop) for number in best.tolist()]]
    phrases, scored = _chosen(phrases, scored, np.sort(best))
    if not len(phrases.hashes):
        return []
    found = occurrences(phrases)
    kind = termhood(phrases, found, words, is_stop)
    plain = np.sort(np.argsort(-_plain_rank(scored, phrases, kind), kind="stable")[:CHOSEN])
    found, kind = found.chosen(plain), kind.chosen(plain)
    phrases, scored = _chosen(phrases, scored, plain)
    known = known_keys(lexicon)
    beside = surroundings(phrases, found, counted.stream.numbers(sorted(known)), words)
    own = [phrases.words(number) for number in range(len(phrases.hashes))]
    named = np.array([_named(run, words, names) for run in own])
    in_labels = _words_of(known)
    shared = np.array([_share_in(in_labels, [words[word] for word in run]) for run in own])
    rank = _plain_rank(scored, phrases, kind) + _further_rank(named, shared, kind, beside)
    labels = label_signs(own, _runs_of(lexicon, counted), {counted.stream.number_of(word) for word in _WITHIN})
    keys = [joined([words[word] for word in run]) for run in own]
    fits = _are_terms(own, words, is_stop, named, kind)
    signs = _signs(phrases, kind, named, beside, marked.counts(phrases, counted.stream, counted.singular))
    signs = np.column_stack([signs, labels, _counts(scored)])
    rank = rank + likeness(signs, np.array([key in known for key in keys]), np.array(fits))
    terms = [
        CandidateTerm(
            keys[number],
            tuple(own[number]),
            int(scored.pages_on[number]),
            int(scored.pages[number] - scored.pages_on[number]),
            float(scored.score[number]),
            float(rank[number]),
        )
        for number in np.lexsort((-rank, (scored.score < LIKELY) | (2 * scored.pages_on < scored.pages))).tolist()
        if keys[number] not in known and fits[number]
    ]
    return _without_nested(terms)[:most]


def stop_numbers(words: Sequence[str]) -> NDArray[np.bool_]:
    """For each word number, whether it is a grammatical word, or one of numbers and dates."""
    stop = stop_words() | _COUNTING
    return np.array([word in stop or (word.isascii() and (len(word) == 1 or "'" in word)) for word in words])


def known_keys(lexicon: Lexicon) -> frozenset[str]:
    """The forms of the ontology's words, written as keys of terms."""
    return frozenset(map(joined, TokenStream().words_of(list(lexicon.forms))))


def _candidates(counted: CountedRuns, words: Sequence[str], is_stop: NDArray[np.bool_]) -> Phrases:
    rows = [row for row, on_topic in zip(counted.rows, counted.on_topic, strict=True) if on_topic]
    border = np.array(
        [not stop or (is_han(word) and word not in _NEVER_WITHIN) for word, stop in zip(words, is_stop, strict=True)]
    )
    border &= np.array([not word.replace(".", "").isdecimal() for word in words])
    border[GAP] = False
    return collect(rows, border, FEWEST)


def _fits(run: Sequence[int], words: Sequence[str], is_stop: Sequence[bool]) -> bool:
    if len(run) == 1:
        return not is_stop[run[0]] and len(words[run[0]]) > 1
    if all(is_stop[word] for word in run) or sum(len(words[word]) for word in run if is_han(words[word])) > LONGEST_HAN:
        return False
    return all(
        not is_stop[number] or word in _WITHIN or (is_han(word) and word not in _NEVER_WITHIN)
        for number, word in ((number, words[number]) for number in run[1:-1])
    )


def _share_in(known: Set[str], words: Sequence[str]) -> float:
    """The share of the words that are known, without those that may stand inside any term."""
    own = [word in known for word in words if word not in _WITHIN]
    return sum(own) / len(own)


@dataclass(frozen=True, slots=True)
class _Scores:
    """For each phrase: pages on topic and all pages with it, unweighted and with marked pages weighted; the score; the
    same score if a page off topic counts as on topic by its relevance; the mean relevance of its pages.
    """

    pages_on: Numbers
    pages: Numbers
    on: Floats
    every: Floats
    score: Floats
    graded: Floats
    relevance: Floats


def _scored(counted: CountedRuns, page: Numbers, row: Numbers, count: int) -> _Scores:
    """`page`, `row`: pairs of page and phrase that stands on it."""
    weight, on_topic = counted.weight, counted.on_topic
    read = counted.texts.pages
    relevance = np.array([one.relevance for one in read])
    # what a page counts as: the expert's mark is no matter of degree
    grade = np.where(on_topic, 1.0, [one.relevance if one.good is None else 0.0 for one in read])
    graded_expected = expected_shares(counted.texts.hosts, grade, weight)

    def summed(of_page: Floats) -> Floats:
        return np.bincount(row, of_page[page], count).astype(float)

    on, every, pages = summed(weight * on_topic), summed(weight), np.bincount(row, minlength=count)
    total = float(weight.sum())
    expected, wanted = summed(weight * counted.expected), summed(weight * graded_expected)
    return _Scores(
        np.bincount(row[on_topic[page]], minlength=count),
        pages,
        on,
        every,
        log_likelihood(on, expected, every, float((weight * on_topic).sum()), total),
        log_likelihood(summed(weight * grade), wanted, every, float((weight * grade).sum()), total),
        summed(relevance) / np.maximum(1, pages),
    )


def _odds_ratio(counted: CountedRuns, scored: _Scores) -> Floats:
    on = counted.on_topic
    result: Floats = (scored.on + 0.5) / (scored.every - scored.on + 0.5) * (np.sum(~on) + 1.0) / (np.sum(on) + 1.0)
    return result


def _chosen(phrases: Phrases, scored: _Scores, rows: Numbers) -> tuple[Phrases, _Scores]:
    """Some of the phrases (ascending), and what is known of them."""
    columns = (getattr(scored, field.name)[rows] for field in fields(_Scores))
    return phrases.chosen(rows), _Scores(*columns)


def _plain_rank(scored: "_Scores", phrases: Phrases, kind: Termhood) -> Floats:
    """The part of the rank from counts and cohesion."""
    several = phrases.sizes > 1
    result: Floats = (
        WEIGHTS["score"] * np.log1p(scored.score)
        + WEIGHTS["pages"] * np.log1p(scored.on)
        + WEIGHTS["exclusive"] * np.log((scored.on + 0.5) / (scored.every - scored.on + 0.5))
        + WEIGHTS["cohesion"] * np.where(several, kind.cohesion, 0.0)
        + WEIGHTS["freedom"] * np.minimum(kind.freedom, 5.0)
        + WEIGHTS["several"] * several
        + WEIGHTS["words"] * phrases.sizes
    )
    return result


def _further_rank(named: Floats, shared: Floats, kind: Termhood, beside: RunSurroundings) -> Floats:
    """The part of the rank from the words themselves and their surroundings."""
    parts = {
        "noun": np.where(np.isnan(kind.noun), _UNKNOWN, kind.noun),
        "name": named,
        "shared": shared,
        "alone": beside.alone,
        "listed": beside.listed,
        "near": beside.near,
        "alike": beside.alike,
    }
    result: Floats = sum((WEIGHTS[name] * value for name, value in parts.items()), np.zeros(len(named)))
    return result


def _signs(
    phrases: Phrases, kind: Termhood, named: Floats, beside: RunSurroundings, marked: tuple[Floats, Floats, Floats]
) -> Floats:
    """The features by which the ontology's own words are recognised, one row for each phrase."""
    noun = np.where(np.isnan(kind.noun), _UNKNOWN, kind.noun)
    cohesion = np.where(phrases.sizes > 1, kind.cohesion, 0.0)
    result: Floats = np.column_stack([cohesion, np.minimum(kind.freedom, 5.0), noun, named, beside.alone, *marked])
    return result


def _counts(scored: "_Scores") -> Floats:
    """More such features, from the counts of pages."""
    exclusive = np.log((scored.on + 0.5) / (scored.every - scored.on + 0.5))
    graded = np.log1p(np.maximum(0.0, scored.graded))
    columns = [np.log1p(scored.score), np.log1p(scored.on), exclusive, graded, np.log1p(scored.every), scored.relevance]
    result: Floats = np.column_stack(columns)
    return result


def _runs_of(lexicon: Lexicon, counted: CountedRuns) -> set[tuple[int, ...]]:
    """The ontology's labels as runs of word numbers; a word that no page has gets a negative number."""
    numbers = counted.stream.number_of
    found: set[tuple[int, ...]] = set()
    unseen: dict[str, int] = {}
    for words in TokenStream().words_of(list({word.text for word in lexicon.words})):
        run = []
        for word in words:
            known = numbers(word)
            run.append(int(counted.singular[known]) if known else -unseen.setdefault(word, len(unseen) + 1))
        if run:
            found.add(tuple(run))
    return found


def _named(run: Sequence[int], words: Sequence[str], names: Mapping[str, float]) -> float:
    """The lowest share among its words of alphabets; 0 for a Chinese run."""
    written = [words[word] for word in run if not is_han(words[word]) and words[word] not in _WITHIN]
    return min((names.get(word, 0.0) for word in written), default=0.0)


def _are_terms(
    own: Sequence[Sequence[int]], words: Sequence[str], is_stop: NDArray[np.bool_], named: Floats, kind: Termhood
) -> list[bool]:
    """For each run whether it is a term: no verb, and no grammatical word at an end unless the run is one fixed
    word.
    """
    found = []
    for number, run in enumerate(own):
        first, last = run[0], run[-1]
        if len(run) > 1 and (is_stop[first] or is_stop[last]):
            found.append(bool(kind.cohesion[number] >= _FIXED))
        elif is_han(words[last]):
            found.append(len(run) > 1 or len(words[last]) > 1)
        else:
            verbal = not np.isnan(kind.noun[number]) and kind.noun[number] < _VERBAL
            found.append(not verbal or named[number] >= 0.5)
    return found


def _words_of(known: Iterable[str]) -> set[str]:
    stream = TokenStream()
    stream.read(known)
    return set(stream.words)


def _without_nested(terms: Sequence[CandidateTerm]) -> list[CandidateTerm]:
    """Of terms that contain each other, keep one in most cases."""
    kept: list[CandidateTerm] = []
    holders: dict[tuple[int, ...], list[CandidateTerm]] = {}  # run -> kept terms that contain it
    whole: dict[tuple[int, ...], CandidateTerm] = {}
    for term in terms:
        longer = holders.get(term.words, [])
        if any(term.on + term.off < 1.5 * (other.on + other.off) for other in longer):
            continue
        inside = [whole[part] for part in _parts(term.words) if part in whole]
        if any(term.on >= 0.7 * part.on for part in inside):
            continue
        kept.append(term)
        whole[term.words] = term
        for part in _parts(term.words):
            holders.setdefault(part, []).append(term)
    return kept


def _parts(words: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
    size = len(words)
    return (words[start:end] for start in range(size) for end in range(start + 1, size + 1) if end - start < size)
