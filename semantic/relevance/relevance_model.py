"""The relevance model of the default judge: how much of a page the topic's concepts fill, on one scale for a crawl.

With tf_k and tf_c the occurrences of word k and of feature c outside anchors, weighted by position, w the feature's
weight, L the length of the text outside anchors in characters, L' its mean over the judged pages, n their number, a =
n/(n + 200):

    idf_k = a log(1 + (1-df_k)/(df_k + 2/n)) + 3(1-a)         idf_c = a max(0, log(1/(df_c + .001))) + 2(1-a)
    bm = sum_k w idf_k tf_k / (tf_k + 1.2(.5 + .5 L/L'))      sq = sum_c w idf_c sqrt(tf_c) / sqrt(L + 300)
    ti = sum_{k in title, h1} w idf_k                         de = sum_c w idf_c log(1 + tf_c) / (1 + log(1 + L/500))
    di = log(1 + distinct words and features)
    x = z(bm) + z(sq) + z(ti)/2 + z(de)/2 + z(di)/2           z: divided by its scale
    x is reduced, by up to one half, if one word makes up most of bm (a repeated word is weak evidence), and halved if
    the page is in a language of which the ontology has no word.
    u = x / scale(x),  relevance = u / (u + 1/2)

A scale is the 95th percentile of the positive values, averaged with a usual one that counts as 100 values. So a
relevance lies between 0 and 1, and is 1/2 if a page has half of what the best twentieth of the crawl's pages have.

Statistics (df, L', scales) are those of the last `RECENT` pages. They are recomputed at 25, 50, 75, 100, 200, ... pages
(`is_due`) and at the end of a crawl, and apply to all pages, whenever they were read: a relevance means the same
throughout a crawl.

Why not the cosine of paper O: it ignores how much of the page the topic fills, so one lone mention can score 1. idf
comes from the crawl itself, so a word that stands on every page of a site counts little.

For each page the model stores which topic words it has, how often and where, in columns of numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ontology.topic import Topic
from semantic.memory.arrays import pack_array, unpack_array, with_room
from semantic.page import Page, Position
from semantic.parsing.page_kind import is_foreign
from semantic.terms.term_matching import ConceptCounts, WordTable

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

POSITION_WEIGHT = {  # measured on archived webs: docs/strategies.md
    Position.TITLE: 3.0,
    Position.H1: 3.0,
    Position.H2: 1.5,
    Position.STRONG: 1.5,
    Position.EMPHASIS: 1.5,
    Position.OTHER: 1.0,
}
Number = TypeVar("Number", float, Floats)

# Typical 95th percentiles on webs that contain a topic; they matter for the first pages only.
USUAL_SCALES = {"bm": 10.0, "sq": 0.5, "ti": 5.0, "de": 4.0, "di": 2.5, "x": 3.0}
USUAL_LENGTH = 3000.0  # characters, mean over the same webs
# weights of z(...) in x, as in the measured prototype (../shared/research/orders.md)
VIEW_WEIGHT = {"bm": 1.0, "sq": 1.0, "ti": 0.5, "de": 0.5, "di": 0.5}
FOREIGN = 0.5  # factor for a page in a language of which the ontology has no word
TRUST = 200  # pages after which half of an idf comes from the crawl
STRENGTH = 100  # values that a usual scale counts for; both steady the first hundreds of pages: benchmarks/judge.md
HALF = 0.5  # u of a page with relevance 1/2
RECENT = 10_000  # pages that statistics are computed from; chosen, not measured
# pages after which statistics are recomputed, as in the measured prototype (../shared/research/orders.md),
FIRST_FITS = (25, 50, 75)
FIT_EVERY = 100  # then after each so many pages,
GROWTH = 0.02  # or when the crawl has grown by this share, if that is later; chosen, not measured
REPEATED = 0.5  # the same when all pages are learned from again, since intermediate results are not used then


@dataclass(frozen=True, slots=True)
class Counted:
    """The topic's words of one page. `words`: (word, occurrences weighted by position, whether it stands in a title).

    `length`, `anchors`: characters outside and inside of anchors. `foreign`: the page is in a language of which the
    ontology has no word. `language`: as the page declares.
    """

    words: tuple[tuple[int, float, bool], ...]
    length: int
    foreign: bool = False
    language: str | None = None
    anchors: int = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, which would otherwise ask for the fields by name."""
        return Counted, (self.words, self.length, self.foreign, self.language, self.anchors)


def count_page(page: Page, counts: ConceptCounts, table: WordTable, languages: frozenset[str]) -> Counted:
    """Count the topic's words of a page outside anchors. `languages`: those of the ontology's words."""
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
    """Many pages as columns: `page`, `word`, `tf`, `titled` have a row for each page and word, the others one for each
    page.
    """

    page: Ints
    word: Ints
    tf: Floats
    titled: NDArray[np.bool_]
    length: Floats
    anchors: Floats
    foreign: NDArray[np.bool_]


class CountedPages:
    """All pages judged so far; about 13 bytes for each distinct topic word of a page."""

    def __init__(self) -> None:
        self._starts = np.zeros(1024, np.int64)  # by page: its first row
        self._ends = np.zeros(1024, np.int64)  # and the row after its last
        self._has_moved = False  # whether rows are no longer in the order of pages
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
        """Append a page."""
        self._languages.append(None)
        self._pages += 1
        self._put(self._pages - 1, page)

    def replace(self, number: int, page: Counted) -> None:
        """Replace the counts of a page. Its old rows stay and are not read any more."""
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

    def lengths(self, which: slice | Ints) -> tuple[Floats, Floats]:
        """Characters outside and inside of anchors, of pages by their numbers."""
        return self._length[which].astype(float), self._anchors[which].astype(float)

    def columns(self, first: int = 0, last: int | None = None) -> Columns:
        """Pages `first` to `last` (exclusive; None: the end) as columns, numbered from 0."""
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
        """All columns, for a memory."""
        pages: dict[str, NDArray[Any]] = {
            "starts": self._starts,
            "ends": self._ends,
            "length": self._length,
            "anchors": self._anchors,
            "foreign": self._foreign,
        }
        rows: dict[str, NDArray[Any]] = {"word": self._word, "tf": self._tf, "titled": self._titled}
        stored: dict[str, Any] = {name: pack_array(column[: self._pages]) for name, column in pages.items()}
        stored |= {name: pack_array(column[: self._rows]) for name, column in rows.items()}
        return stored | {"languages": self._languages, "moved": self._has_moved}

    @classmethod
    def restored(cls, memory: Mapping[str, Any], now: Sequence[int | None]) -> Self:
        """Restore what `remember` gave. `now`: old number of a word -> its number in today's lexicon, None if it is
        gone.
        """
        stored = {name: unpack_array(column) for name, column in memory.items() if name not in ("languages", "moved")}
        pages = cls()
        word = np.array([-1 if new is None else new for new in now] or [-1], np.int32)[stored["word"]]
        there = word >= 0
        kept = np.concatenate([[0], np.cumsum(there)])
        pages._starts, pages._ends = kept[stored["starts"]], kept[stored["ends"]]
        pages._length, pages._anchors, pages._foreign = stored["length"], stored["anchors"], stored["foreign"]
        pages._has_moved = bool(memory["moved"])
        pages._word, pages._tf, pages._titled = word[there], stored["tf"][there], stored["titled"][there]
        pages._languages = list(memory["languages"])
        pages._pages, pages._rows = len(pages._ends), len(pages._word)
        return pages


def columns_of(pages: Sequence[Counted]) -> Columns:
    """These pages as columns."""
    stored = CountedPages()
    for page in pages:
        stored.add(page)
    return stored.columns()


def is_due(pages: int, before: int, growth: float = GROWTH) -> bool:
    """Whether learning is due again at `pages` pages, after `before`. `growth`: share by which the crawl must have
    grown.
    """
    begun = before // FIT_EVERY * FIT_EVERY  # round down: pages that came together may have been judged some pages late
    return pages in FIRST_FITS or (pages % FIT_EVERY == 0 and pages - begun >= growth * min(pages, RECENT))


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a crawl: idf by word and by feature, mean length, scale of each view."""

    idf: Floats
    feature_idf: Floats
    length: float
    scales: Mapping[str, float]

    def remember(self) -> list[Any]:
        """The statistics, for a memory."""
        return [pack_array(self.idf), pack_array(self.feature_idf), self.length, dict(self.scales)]

    @classmethod
    def restored(cls, memory: Sequence[Any]) -> "Statistics":
        """Restore what `remember` gave."""
        idf, feature_idf, length, scales = memory
        return cls(unpack_array(idf), unpack_array(feature_idf), length, dict(scales))


@dataclass(frozen=True, slots=True)
class _Views:
    """The views bm, sq, ti, de and di (`parts`), with a row for each page (`owner`) and feature; and the factor of each
    page.
    """

    owner: NDArray[np.int64]
    feature: NDArray[np.int64]
    parts: Mapping[str, Floats]
    factor: Floats


class RelevanceModel:
    """The formula of the module's text, over columns of pages."""

    def __init__(self, topic: Topic, table: WordTable) -> None:
        self.features = sorted({feature for feature in table.feature if feature})
        number = {name: i for i, name in enumerate(self.features)}
        self._feature = np.array([number.get(name, 0) for name in table.feature], np.int64)
        self._count = len(self.features) or 1
        self._weight = np.array(table.weight)
        self._own_weight = np.array([topic.weights.get(name, 0.0) for name in self.features] or [0.0])

    def usual(self) -> Statistics:
        """The statistics assumed before the first page."""
        return Statistics(np.full(len(self._weight), 3.0), np.full(self._count, 2.0), USUAL_LENGTH, dict(USUAL_SCALES))

    def statistics(self, pages: Columns) -> Statistics:
        """Compute the statistics from these pages."""
        n = len(pages.length)
        if not len(pages.page):
            return self.usual()
        trust = n / (n + TRUST)
        df = np.bincount(pages.word, minlength=len(self._weight)) / n
        idf = trust * np.log1p((1 - df) / (df + 2 / n)) + (1 - trust) * 3
        pairs = np.unique(pages.page * self._count + self._feature[pages.word])
        df = np.bincount(pairs % self._count, minlength=self._count) / n
        feature_idf = trust * np.maximum(0.0, np.log(1 / (df + 0.001))) + (1 - trust) * 2
        found = Statistics(idf, feature_idf, max(1.0, float(pages.length.mean())), dict(USUAL_SCALES))
        views = self._views(pages, found)
        scales = {
            name: _scale(np.bincount(views.owner, part, n).astype(float), name) for name, part in views.parts.items()
        }
        found = replace(found, scales=scales)
        return replace(found, scales=scales | {"x": _scale(self._x(views, found, n), "x")})

    def judge(self, pages: Columns, known: Statistics) -> Floats:
        """u of each page: x on the crawl's scale, 0 for a page without words."""
        n = len(pages.length)
        if not len(pages.page):
            return np.zeros(n)
        return self._x(self._views(pages, known), known, n) / known.scales["x"]

    def shares(self, pages: Columns, known: Statistics) -> list[dict[str, float]]:
        """What each feature adds to u, for each page."""
        found: list[dict[str, float]] = [{} for _ in pages.length]
        if len(pages.page):
            views = self._views(pages, known)
            parts = self._weighted(views, known) * views.factor[views.owner] / known.scales["x"]
            for page, feature, part in zip(views.owner.tolist(), views.feature.tolist(), parts.tolist(), strict=True):
                found[page][self.features[feature]] = part
        return found

    def _views(self, pages: Columns, known: Statistics) -> _Views:
        page, word, tf, length = pages.page, pages.word, pages.tf, pages.length
        n = len(length)
        value = self._weight[word] * known.idf[word]
        part = value * tf / (tf + 1.2 * (0.5 + 0.5 * length[page] / known.length))
        bm = np.bincount(page, part, n)
        heaviest = np.zeros(n)
        np.maximum.at(heaviest, page, part)
        pairs, inverse = np.unique(page * self._count + self._feature[word], return_inverse=True)
        owner, feature = pairs // self._count, pairs % self._count
        sums, own = np.bincount(inverse, tf), self._own_weight[feature] * known.feature_idf[feature]
        features = np.bincount(owner, minlength=n)
        distinct = np.log1p(np.bincount(page, minlength=n) + features) / np.maximum(features, 1)
        parts = {
            "bm": np.bincount(inverse, part),
            "sq": own * np.sqrt(sums) / np.sqrt(length[owner] + 300),
            "ti": np.bincount(inverse, value * pages.titled),
            "de": own * np.log1p(sums) / (1 + np.log1p(length[owner] / 500)),
            "di": distinct[owner],
        }
        factor = (1 - 0.5 * heaviest / np.maximum(bm, 1e-9)) * np.where(pages.foreign, FOREIGN, 1.0)
        return _Views(owner, feature, parts, factor)

    def _weighted(self, views: _Views, known: Statistics) -> Floats:
        """What each feature of each page adds to x, before the page's factor."""
        weighted: Floats = sum(
            (weight / known.scales[name] * views.parts[name] for name, weight in VIEW_WEIGHT.items()),
            start=np.zeros(len(views.owner)),
        )
        return weighted

    def _x(self, views: _Views, known: Statistics, n: int) -> Floats:
        return np.bincount(views.owner, self._weighted(views, known), n) * views.factor


def relevance_of(u: Number) -> Number:
    """Relevance from u: 0 to 1; 1/2 at `HALF`."""
    return u / (u + HALF)


def extent_of(relevance: Floats) -> Floats:
    """u from a relevance; infinite for 1."""
    with np.errstate(divide="ignore"):
        return HALF * relevance / (1 - relevance)


def _scale(values: Floats, name: str) -> float:
    positive = values[values > 0]
    n = len(positive)
    if not n:
        return USUAL_SCALES[name]
    return float((n * np.percentile(positive, 95) + STRENGTH * USUAL_SCALES[name]) / (n + STRENGTH))
