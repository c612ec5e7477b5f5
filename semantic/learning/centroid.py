"""The topic from seed pages alone: a centre that drifts (paper C), and which part of a page's text represents it.

    M  = mean of the n seed pages' vectors
    M' = (M (n + c) + v) / (n + c + 1)    for a page v with max_i cos(v, seed_i) > threshold; c updates so far

A page with more than 0.6 of its text in anchors is a hub, and is represented by its anchor texts. Any other page is a
topic page, represented by its text outside anchors. A vector is word -> frequency, without stop words.

The features are the most frequent words of all seeds together (2.3: frequency replaces idf). Pages are compared by
these words alone.

The paper leaves these points open; our choices: the number of features (`FEATURES`, ties by the word); text is measured
in characters; at exactly 0.6 a page is a topic page; a seed that comes after the centre has moved changes the features,
and what earlier pages added outside the new features is lost.
"""

from collections.abc import Mapping
from math import sqrt
from typing import ClassVar, Literal

from semantic.memory.strategy_memory import Remembering
from semantic.page import PARAGRAPH, Page, Position

HUB_SHARE = 0.6  # share of text in anchors above which a page is a hub: paper C
# words that span the space; chosen, not measured
FEATURES = 200

Vector = Mapping[str, float]


def cosine(one: Vector, other: Vector) -> float:
    """Cosine of two vectors without negative parts, 0 to 1; 0 if one has no words."""
    fewer, more = sorted((one, other), key=len)
    dot = sum(value * more[word] for word, value in fewer.items() if word in more)
    return dot / (_length(one) * _length(other)) if dot else 0.0


def _length(vector: Vector) -> float:
    return sqrt(sum(value * value for value in vector.values()))


class Centroid(Remembering):
    """The centre M, stored as the sums of its seeds and of the pages that moved it, over the features alone."""

    KEPT: ClassVar = {
        "_seeds": dict[str, dict[str, int | float]],
        "_drift": dict[str, int | float],
        "_updates": int,
    }

    def __init__(self, seeds: Mapping[str, Vector], threshold: float, features: int = FEATURES) -> None:
        self._threshold = threshold
        self._most = features
        self._seeds: dict[str, Vector] = {}  # complete vectors, by address
        self._drift: dict[str, float] = {}
        self._updates = 0
        self._near: list[Vector] = []  # the seeds' vectors reduced to the features
        self._sum: dict[str, float] = {}
        for url, seed in seeds.items():
            self._seeds[url] = seed
        self._span()

    def add_seed(self, url: str, page: Vector) -> None:
        """Add a seed page, or replace its text."""
        self._seeds[url] = page
        self._span()

    def _span(self) -> None:
        """Choose the features and recompute the centre over them."""
        total: dict[str, float] = {}
        for seed in self._seeds.values():
            for word, value in seed.items():
                total[word] = total.get(word, 0.0) + value
        ranked = sorted(total.items(), key=lambda item: (-item[1], item[0]))[: self._most]
        self._sum = dict(ranked)
        self._near = [self._over_features(seed) for seed in self._seeds.values()]
        self._drift = self._over_features(self._drift)
        for word, value in self._drift.items():
            self._sum[word] += value

    def _over_features(self, vector: Vector) -> dict[str, float]:
        return {word: value for word, value in vector.items() if word in self._sum}

    def similarity(self, page: Vector) -> float:
        """Cosine of a page with the centre."""
        return sum(self.shares(page).values())

    def shares(self, page: Vector) -> dict[str, float]:
        """What each word adds to the similarity."""
        vector = self._over_features(page)
        length = _length(vector) * _length(self._sum)
        return {word: value * self._sum[word] / length for word, value in vector.items()}

    def update(self, page: Vector) -> bool:
        """Move the centre towards a page if it is similar to a seed. Whether it was."""
        vector = self._over_features(page)
        like = any(cosine(vector, seed) > self._threshold for seed in self._near)
        if like:
            self._updates += 1
            for word, value in vector.items():
                self._drift[word] = self._drift.get(word, 0.0) + value
                self._sum[word] += value
        return like

    @property
    def pages(self) -> int:
        """How many pages M is the mean of."""
        return len(self._seeds) + self._updates

    @property
    def sums(self) -> Mapping[str, float]:
        """M times `pages`."""
        return self._sum

    def centre(self) -> dict[str, float]:
        """M itself."""
        return {word: value / self.pages for word, value in self._sum.items()}

    def derive(self) -> None:
        """Compute the centre."""
        self._span()


def kind_of(page: Page) -> Literal["hub", "topic"]:
    """Whether a page is a hub (most of its text is in anchors) or a topic page."""
    lengths = {True: 0, False: 0}
    for span in page.spans:
        lengths[span.position is Position.ANCHOR] += span.end - span.start
    return "hub" if lengths[True] > HUB_SHARE * sum(lengths.values()) else "topic"


def own_text(page: Page) -> str:
    """The text that represents a page of its kind. PARAGRAPH replaces the text that is left out."""
    anchors = kind_of(page) == "hub"
    text, end = "", -1
    for span in page.spans:
        if (span.position is Position.ANCHOR) == anchors:
            text += ("" if span.start == end or not text else PARAGRAPH) + page.text[span.start : span.end]
            end = span.end
    return text
