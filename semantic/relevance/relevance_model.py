"""The relevance model of the default judge: how much of a page the topic's concepts fill, on one scale for a crawl.

With tf_k and tf_c the occurrences of word k and of feature c outside anchors, weighted by position, w the feature's
weight, L the length of the text outside anchors, L' its mean over the pages judged, n their number, a = n/(n + 200):

    idf_k = a log(1 + (1-df_k)/(df_k + 2/n)) + 3(1-a)         idf_c = a max(0, log(1/(df_c + .001))) + 2(1-a)
    bm = sum_k w idf_k tf_k / (tf_k + 1.2(.5 + .5 L/L'))      sq = sum_c w idf_c sqrt(tf_c) / sqrt(L + 300)
    ti = sum_{k in title, h1} w idf_k                         de = sum_c w idf_c log(1 + tf_c) / (1 + log(1 + L/500))
    di = log(1 + distinct words and features)
    x = z(bm) + z(sq) + z(ti)/2 + z(de)/2 + z(di)/2           z: divided by its scale
    x is lowered when one word makes up all of bm (a word repeated is weak evidence: up to one half), and halved when
    the page is written in a language of which the ontology has no word.
    u = x / scale(x),  relevance = u / (u + 1/2)

A scale is the 95th percentile of the positive values, drawn to a usual one as if by 100 values more. So a relevance
lies between 0 and 1, and is 1/2 where a page has half of what the best twentieth of the crawl's pages have.

Statistics (df, L', scales) are those of the last `RECENT` pages, counted anew at 25, 50, 75, 100, 200, ... pages
(`is_due`), and at a crawl's end. They hold for all pages, whenever they were read: one relevance means the same all
over a crawl.

Why not the cosine of paper O: it ignores how much of the page the topic fills, so that one lone mention can score 1.
idf comes from the crawl itself, so that a word which stands on every page of a site says little.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ontology.topic import Topic
from semantic.memory.array_packing import pack_array, unpack_array
from semantic.relevance.counted_pages import Columns
from semantic.terms.word_table import WordTable

Floats = NDArray[np.float64]
Number = TypeVar("Number", float, Floats)

# Typical 95th percentiles on webs with a topic in them; they matter for the first pages only.
USUAL_SCALES = {"bm": 10.0, "sq": 0.5, "ti": 5.0, "de": 4.0, "di": 2.5, "x": 3.0}
USUAL_LENGTH = 3000.0  # characters, mean of the same webs
VIEW_WEIGHT = {"bm": 1.0, "sq": 1.0, "ti": 0.5, "de": 0.5, "di": 0.5}
FOREIGN = 0.5  # what a page in a language of which the ontology has no word is worth
TRUST = 200  # pages after which half of an idf is the crawl's own
STRENGTH = 100  # values that a usual scale counts for; both steady the first hundreds of pages: benchmarks/judge.md
HALF = 0.5  # u of a page with relevance 1/2
RECENT = 10_000  # pages of which the statistics are
FIRST_FITS = (25, 50, 75)  # pages after which statistics are counted anew,
FIT_EVERY = 100  # then every so many,
GROWTH = 0.02  # or when the crawl has grown by so much, if that is later
REPEATED = 0.5  # the same where all pages are learned of again: what is learned on the way is of no use


def is_due(pages: int, before: int, growth: float = GROWTH) -> bool:
    """Whether what was learned of `before` pages is to be learned anew; `growth`: by how much they must have grown."""
    begun = before // FIT_EVERY * FIT_EVERY  # pages that come together may have been judged some pages late
    return pages in FIRST_FITS or (pages % FIT_EVERY == 0 and pages - begun >= growth * min(pages, RECENT))


@dataclass(frozen=True, slots=True)
class Statistics:
    """What is known of a crawl: idf by word and by feature, mean length, scale of each view."""

    idf: Floats
    feature_idf: Floats
    length: float
    scales: Mapping[str, float]

    def remember(self) -> list[Any]:
        """All of it."""
        return [pack_array(self.idf), pack_array(self.feature_idf), self.length, dict(self.scales)]

    @classmethod
    def restored(cls, memory: Sequence[Any]) -> "Statistics":
        """What `remember` gave."""
        idf, feature_idf, length, scales = memory
        return cls(unpack_array(idf), unpack_array(feature_idf), length, dict(scales))


@dataclass(frozen=True, slots=True)
class _Views:
    """Each view in rows of a page and a feature (`owner`, `feature`), and what is one number a page."""

    owner: NDArray[np.int64]
    feature: NDArray[np.int64]
    parts: Mapping[str, Floats]
    factor: Floats


class RelevanceModel:
    """The formula of the module's text over columns of pages; a single page is a column of one."""

    def __init__(self, topic: Topic, table: WordTable) -> None:
        self.features = sorted({feature for feature in table.feature if feature})
        number = {name: i for i, name in enumerate(self.features)}
        self._feature = np.array([number.get(name, 0) for name in table.feature], np.int64)
        self._count = len(self.features) or 1
        self._weight = np.array(table.weight)
        self._own_weight = np.array([topic.weights.get(name, 0.0) for name in self.features] or [0.0])

    def usual(self) -> Statistics:
        """What is assumed of a crawl before its first page."""
        return Statistics(np.full(len(self._weight), 3.0), np.full(self._count, 2.0), USUAL_LENGTH, dict(USUAL_SCALES))

    def statistics(self, pages: Columns) -> Statistics:
        """What these pages say of the crawl."""
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
        """What each feature adds to u of each page."""
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
    """From 0 up to 1; 1/2 at `HALF`."""
    return u / (u + HALF)


def extent_of(relevance: Floats) -> Floats:
    """u of a relevance; infinite for 1."""
    with np.errstate(divide="ignore"):
        return HALF * relevance / (1 - relevance)


def _scale(values: Floats, name: str) -> float:
    positive = values[values > 0]
    n = len(positive)
    if not n:
        return USUAL_SCALES[name]
    return float((n * np.percentile(positive, 95) + STRENGTH * USUAL_SCALES[name]) / (n + STRENGTH))
