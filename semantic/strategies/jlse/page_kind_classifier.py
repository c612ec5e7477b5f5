"""Detail page or list of links: paper J's classifier of result pages (3.1), a support vector machine on three features.

    TextDegree  = log2(plaintexts / k)            words outside links
    LinkDegree  = log2(linknums / TotalWords)
    Aggregation: how much the text is concentrated in blocks, by their number and sizes

The paper leaves these points open; our choices: Aggregation = log2(sum s^2 / sum s) over the blocks of text outside
links, s their sizes in words. That is the size of the block in which the average word stands; few large blocks give
more than many small ones. k is 100, which only shifts the scale. A word is a run of letters or digits; two Han
characters are one word. A count of 0 is taken as half a word or half a link. The kernel is Gaussian with gamma = 1/3.

These features differ more between sites and between languages than between lists and detail pages: trained on one web,
the classifier calls nearly every page of another a detail page. So they are standardised for each web: minus the mean,
divided by the standard deviation. A crawl's statistics are those of the pages it has seen, averaged with `USUAL`, which
counts as `STRENGTH` pages.

The samples (`page_kinds.tsv`: web, mark, features) are 40 pages of the demonstration web, marked by a person; 40 of
each of six archived webs, marked by rules that a person wrote for their addresses; and
those that a user marks. On the archived webs, each judged by the samples of the others, 0.78 of the lists (mean of the
five webs that have lists) and 0.82 of the detail pages (of six) are classified correctly. Without standardisation, with
the demonstration web alone, it is 0.41 and 0.93: nearly everything was a detail page. The order of `jlse` is no better
for it (of six tasks four do not change, one gains 0.01 of the oracle and one loses 0.05).
"""

import re
from collections.abc import Sequence
from functools import cache
from math import log2, sqrt
from pathlib import Path
from statistics import fmean, pstdev
from typing import ClassVar

from ontology.lexicon.surface_forms import HAN
from semantic.learning.sklearn_models import Decision, fit_svm
from semantic.memory.strategy_memory import Remembering
from semantic.page import PARAGRAPH, Page, Position

MARKED = Path(__file__).with_name("page_kinds.tsv")
# only shifts the scale; chosen, not measured
K = 100.0
# mean and standard deviation of the features over seven webs, of which `page_kinds.tsv` has samples
USUAL = ((1.3, 1.8), (-4.2, 1.4), (4.4, 1.2))
# pages that USUAL counts for; chosen, not measured
STRENGTH = 20
_HAN = re.compile(f"[{HAN}]")
_SPACED = re.compile(f"[^\\W_{HAN}]+")

Features = tuple[float, float, float]  # TextDegree, LinkDegree, Aggregation


def kind_features(page: Page) -> Features:
    """The three features of a page."""
    blocks = [size for size in map(_words, _blocks(page)) if size]
    plain = sum(blocks)
    total = plain + sum(_words(link.anchor) for link in page.links)
    aggregation = sum(size * size for size in blocks) / plain if plain else 0.5
    return log2((plain or 0.5) / K), log2((len(page.links) or 0.5) / (total or 0.5)), log2(aggregation)


def _blocks(page: Page) -> list[str]:
    """The text outside links, block by block."""
    parts, end = [], 0
    for span in page.spans:
        parts.append(page.text[end : span.start])
        if span.position is not Position.ANCHOR:
            parts.append(page.text[span.start : span.end])
        end = span.end
    return "".join(parts).split(PARAGRAPH)


def _words(text: str) -> float:
    return len(_SPACED.findall(text)) + len(_HAN.findall(text)) / 2


class PageKinds(Remembering):
    """The classifier. It is trained when first used, and again after pages were marked."""

    KEPT: ClassVar = {
        "_given": list[tuple[bool, Features]],
        "_seen": int,
        "_sums": list[float],
        "_squares": list[float],
    }

    def __init__(self) -> None:
        self._given: list[tuple[bool, Features]] = []
        self._seen = 0
        self._sums = [0.0] * 3
        self._squares = [0.0] * 3
        self._decide: Decision | None = None

    def see(self, features: Features) -> None:
        """Add a page of the crawl to the statistics of the features."""
        self._seen += 1
        for i, value in enumerate(features):
            self._sums[i] += value
            self._squares[i] += value * value

    def add(self, features: Features, *, detail: bool) -> None:
        """Add a page that the user marked as a sample."""
        self._given.append((detail, features))
        self._decide = None

    def is_detail(self, features: Features) -> bool:
        """Whether a page with these features is a detail page."""
        if self._decide is None:
            samples = [*_marked(), *((detail, self._scaled(given)) for detail, given in self._given)]
            self._decide = fit_svm([features for _, features in samples], [detail for detail, _ in samples])
        return self._decide(self._scaled(features)) > 0

    def _scaled(self, features: Features) -> Features:
        one, other, third = map(self._on_scale, range(3), features)
        return one, other, third

    def _on_scale(self, i: int, value: float) -> float:
        usual, spread = USUAL[i]
        n = self._seen + STRENGTH
        mean = (self._sums[i] + STRENGTH * usual) / n
        square = (self._squares[i] + STRENGTH * (usual * usual + spread * spread)) / n
        return (value - mean) / sqrt(square - mean * mean)

    def derive(self) -> None:
        """Learn the samples again."""
        self._decide = None


@cache
def _marked() -> tuple[tuple[bool, Features], ...]:
    """The samples, each standardised for its web."""
    webs: dict[str, list[tuple[bool, Features]]] = {}
    for line in MARKED.read_text("utf-8").splitlines()[1:]:
        web, kind, text, link, block = line.split("\t")
        webs.setdefault(web, []).append((kind == "detail", (float(text), float(link), float(block))))
    return tuple(sample for samples in webs.values() for sample in _on_one_scale(samples))


def _on_one_scale(samples: Sequence[tuple[bool, Features]]) -> list[tuple[bool, Features]]:
    columns = list(zip(*(features for _, features in samples), strict=True))
    means, spreads = [fmean(column) for column in columns], [pstdev(column) for column in columns]
    scaled = ([(v - m) / s for v, m, s in zip(features, means, spreads, strict=True)] for _, features in samples)
    return [(detail, (text, link, block)) for (detail, _), (text, link, block) in zip(samples, scaled, strict=True)]
