"""The judge's formula (`semantic.judges.mixture`) over the pages fetched, with what is known now.

When a page arrives, document frequencies and scales are those of the pages before it; the first pages of a crawl are
judged by guesses. A learner may look back: here all pages are judged again by the frequencies and scales of today, so
that early and late pages compare. The text explains the views; the scale of a view is the 95th percentile of its
positive values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontology.topic import Topic
from semantic.judges.mixture import FOREIGN, HIGHEST, PRIOR_SCALES, VIEW_WEIGHT, topic_words
from semantic.judges.scale import Scale
from semantic.learning.packing import pack_array, unpack_array
from semantic.scorers.scorer import JudgedPage
from semantic.wordtable import WordTable
from semantic.writing import is_foreign

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Counted:
    """A page as the formula needs it. `words`: (word, tf by position, stands in a title)."""

    words: tuple[tuple[int, float, bool], ...]
    length: int
    foreign: bool


def counted(judged: JudgedPage, table: WordTable, languages: frozenset[str]) -> Counted:
    """What the formula needs of a page."""
    words, titled = topic_words(judged.counts, table)
    said = tuple((word, tf, word in titled) for word, tf in words.items())
    return Counted(said, judged.counts.length, is_foreign(judged.page, languages))


@dataclass(frozen=True, slots=True)
class _Mentions:
    """Words of pages, one row a page and word."""

    page: NDArray[np.int64]
    word: NDArray[np.int64]
    tf: Floats
    titled: NDArray[np.bool_]
    length: Floats  # a row a page
    foreign: NDArray[np.bool_]


class Hindsight:
    """Pages fetched, as the formula needs them: `judge` looks back on all, `glance` at one with what was known."""

    def __init__(self, topic: Topic, table: WordTable) -> None:
        names = sorted({feature for feature in table.feature if feature})
        number = {name: i for i, name in enumerate(names)}
        self._feature = np.array([number.get(name, 0) for name in table.feature], np.int64)
        self._features = len(names) or 1
        self._weight = np.array(table.weight)
        self._texts = list(table.texts)
        self._own_weight = np.array([topic.weights.get(name, 0.0) for name in names] or [0.0])
        self._pages: list[Counted] = []
        self._idf = np.full(len(self._weight), 3.0)
        self._feature_idf = np.full(self._features, 2.0)
        self._length = 3000.0
        self._scales = dict(PRIOR_SCALES)

    def add(self, page: Counted) -> None:
        """Take note of a page."""
        self._pages.append(page)

    def forget(self, count: int) -> None:
        """Forget so many pages, the first."""
        del self._pages[:count]

    def glance(self, page: Counted) -> float:
        """r of one page by the frequencies and scales of the last look back."""
        if not page.words:
            return 0.0
        mentions = _mentions([page])
        return float(np.minimum(self._x(mentions, self._views(mentions))[0] / self._scales["x"], HIGHEST))

    def judge(self) -> Floats:
        """r of every page, in the order of adding; frequencies and scales are counted anew."""
        mentions = _mentions(self._pages)
        n = len(self._pages)
        if not len(mentions.page):
            return np.zeros(n)
        self._count(mentions, n)
        views = self._views(mentions)
        self._scales = {name: _scale(view, PRIOR_SCALES[name]) for name, view in views.items() if name != "heaviest"}
        x = self._x(mentions, views)
        self._scales["x"] = _scale(x, PRIOR_SCALES["x"])
        return np.minimum(x / self._scales["x"], HIGHEST)

    def remember(self) -> dict[str, Any]:
        """The pages, and what the last look back found."""
        pages = [(page.words, page.length, page.foreign) for page in self._pages]
        found = {"idf": pack_array(self._idf), "feature idf": pack_array(self._feature_idf)}
        return {"texts": self._texts, "pages": pages, "length": self._length, "scales": self._scales, **found}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave; words are known by their text, so that an edited ontology may go on."""
        index = {text: word for word, text in enumerate(self._texts)}
        now = [index.get(text) for text in memory["texts"]]
        self._pages = [
            Counted(tuple((known, tf, titled) for word, tf, titled in words if (known := now[word]) is not None), *rest)
            for words, *rest in memory["pages"]
        ]
        self._length, self._scales = memory["length"], dict(memory["scales"])
        if memory["texts"] == self._texts:
            self._idf, self._feature_idf = unpack_array(memory["idf"]), unpack_array(memory["feature idf"])

    def _count(self, mentions: _Mentions, n: int) -> None:
        trust = n / (n + 50)
        df = np.bincount(mentions.word, minlength=len(self._weight)) / n
        self._idf = trust * np.log1p((1 - df) / (df + 2 / n)) + (1 - trust) * 3
        pairs = np.unique(mentions.page * self._features + self._feature[mentions.word])
        df = np.bincount(pairs % self._features, minlength=self._features) / n
        self._feature_idf = trust * np.maximum(0.0, np.log(1 / (df + 0.001))) + (1 - trust) * 2
        self._length = max(1.0, float(mentions.length.mean()))

    def _views(self, mentions: _Mentions) -> dict[str, Floats]:
        page, word, tf, length = mentions.page, mentions.word, mentions.tf, mentions.length
        n = len(length)
        value = self._weight[word] * self._idf[word]
        part = value * tf / (tf + 1.2 * (0.5 + 0.5 * length[page] / self._length))
        heaviest = np.zeros(n)
        np.maximum.at(heaviest, page, part)
        pairs, inverse = np.unique(page * self._features + self._feature[word], return_inverse=True)
        owner, feature, sums = pairs // self._features, pairs % self._features, np.bincount(inverse, tf)
        own_value = self._own_weight[feature] * self._feature_idf[feature]
        return {
            "bm": np.bincount(page, part, n),
            "sq": np.bincount(owner, own_value * np.sqrt(sums), n) / np.sqrt(length + 300),
            "ti": np.bincount(page, value * mentions.titled, n),
            "de": np.bincount(owner, own_value * np.log1p(sums), n) / (1 + np.log1p(length / 500)),
            "di": np.log1p(np.bincount(page, minlength=n) + np.bincount(owner, minlength=n)),
            "heaviest": heaviest,
        }

    def _x(self, mentions: _Mentions, views: dict[str, Floats]) -> Floats:
        x = np.zeros(len(mentions.length))
        for name, weight in VIEW_WEIGHT.items():
            x += weight * views[name] / self._scales[name]
        x *= 1 - 0.5 * views["heaviest"] / np.maximum(views["bm"], 1e-9)
        return np.where(mentions.foreign, FOREIGN * x, x)


def _mentions(pages: Sequence[Counted]) -> _Mentions:
    rows = [(i, *word) for i, page in enumerate(pages) for word in page.words]
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
    return _Mentions(
        np.array(columns[0], np.int64),
        np.array(columns[1], np.int64),
        np.array(columns[2], float),
        np.array(columns[3], bool),
        np.array([page.length for page in pages], float),
        np.array([page.foreign for page in pages], bool),
    )


def _scale(values: Floats, prior: float) -> float:
    positive = values[values > 0]
    n = len(positive)
    if not n:
        return prior
    return float((n * np.percentile(positive, 95) + Scale.STRENGTH * prior) / (n + Scale.STRENGTH))
