"""The topic from seed pages alone: a centre that drifts (paper C), and which text of a page speaks for it.

    M  = mean of the n seed pages' vectors
    M' = (M (n + c) + v) / (n + c + 1)    for a page v with max_i cos(v, seed_i) > threshold; c updates so far

A page with more than 0.6 of its text in anchors is a hub, and its text is its anchor texts; else it is a topic page,
and its text is the text outside anchors. A vector is word -> frequency, stop words removed.

Left open, and read here so: text is measured in characters; at exactly 0.6 a page is a topic page. The paper knows all
seed pages before it begins; here they come as they are fetched, and M is the mean of those that have come. It chooses
the seeds' frequent words as features; here every word is one, as the choice only saves space.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Literal

from semantic.page import PARAGRAPH, Page, Position

HUB_SHARE = 0.6

Vector = Mapping[str, float]


def cosine(one: Vector, other: Vector) -> float:
    """Cosine of the angle between two vectors without negative parts, 0 to 1; 0 where one has no words."""
    fewer, more = sorted((one, other), key=len)
    dot = sum(value * more[word] for word, value in fewer.items() if word in more)
    return dot / (_length(one) * _length(other)) if dot else 0.0


def _length(vector: Vector) -> float:
    return sqrt(sum(value * value for value in vector.values()))


class Centroid:
    """The centre M, kept as the sum M (n + c): its direction is the same, and an update touches the page's words only.

    Of the sum's words the `kept` heaviest stay, ties by the word; half as many more are let in before it is cut.
    """

    def __init__(self, seeds: Sequence[Vector], threshold: float, kept: int = 20_000) -> None:
        self._seeds: list[Vector] = []
        self._threshold = threshold
        self._kept = kept
        self._sum: dict[str, float] = {}
        self._square = 0.0  # of the sum's length, so that a page costs its own words only
        self._pages = 0
        for seed in seeds:
            self.add_seed(seed)

    def add_seed(self, page: Vector) -> None:
        """One more page that is the topic."""
        self._seeds.append(page)
        self._add(page)

    def similarity(self, page: Vector) -> float:
        """Cosine of a page with the centre."""
        return sum(self.shares(page).values())

    def shares(self, page: Vector) -> dict[str, float]:
        """What each word adds to the similarity."""
        length = _length(page) * sqrt(self._square)
        return {word: value * self._sum[word] / length for word, value in page.items() if word in self._sum}

    def update(self, page: Vector) -> bool:
        """Move the centre towards a page that is like some seed; whether it was."""
        like = any(cosine(page, seed) > self._threshold for seed in self._seeds)
        if like:
            self._add(page)
        return like

    def centre(self) -> dict[str, float]:
        """M itself."""
        return {word: value / self._pages for word, value in self._sum.items()}

    def _add(self, page: Vector) -> None:
        self._pages += 1
        for word, value in page.items():
            before = self._sum.get(word, 0.0)
            self._sum[word] = before + value
            self._square += value * (2 * before + value)
        if len(self._sum) > self._kept * 3 // 2:
            self._sum = dict(sorted(self._sum.items(), key=lambda item: (-item[1], item[0]))[: self._kept])
            self._square = sum(value * value for value in self._sum.values())

    def remember(self) -> Mapping[str, Any]:
        """Seeds, sum and number of pages in it, as JSON values."""
        return {
            "seeds": [dict(seed) for seed in self._seeds],
            "sum": self._sum,
            "square": self._square,
            "pages": self._pages,
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._seeds = list(memory["seeds"])
        self._sum = dict(memory["sum"])
        self._square = memory["square"]
        self._pages = memory["pages"]


def kind_of(page: Page) -> Literal["hub", "topic"]:
    """A hub, or a page that says something itself."""
    lengths = {True: 0, False: 0}
    for span in page.spans:
        lengths[span.position is Position.ANCHOR] += span.end - span.start
    return "hub" if lengths[True] > HUB_SHARE * sum(lengths.values()) else "topic"


def own_text(page: Page) -> str:
    """The text that speaks for a page of its kind; PARAGRAPH stands where the other text was."""
    anchors = kind_of(page) == "hub"
    text, end = "", -1
    for span in page.spans:
        if (span.position is Position.ANCHOR) == anchors:
            text += ("" if span.start == end or not text else PARAGRAPH) + page.text[span.start : span.end]
            end = span.end
    return text
