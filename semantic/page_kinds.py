"""Detail page or list of links: the result-page classifier of paper J (3.1), a support vector machine on a triple.

    TextDegree  = log2(plaintexts / k)            words outside links
    LinkDegree  = log2(linknums / TotalWords)
    Aggregation: how much the text stands in blocks, by their number and sizes

Left open, and read here so: Aggregation = log2(sum s^2 / sum s) over the blocks of text outside links, s their sizes in
words: the size of the block in which the average word stands, few large blocks giving more than many small ones. k
is 100, which only moves the scale. A word is a run of letters or digits; two Han characters are one. A count of 0 is
taken as half a word or half a link. The kernel is Gaussian with gamma = 1/3, each feature brought to one scale before.

The samples are the pages of the demonstration web, which a person marked `detail` or `list` (`page_kinds.tsv`: mark and
features, written by tests/semantic/test_page_kinds.py), and those that a user marks.
"""

import re
from collections.abc import Sequence
from functools import cache
from math import log2
from pathlib import Path

from ontology.surface import HAN
from semantic.learning.fitting import Decision, fit_svm
from semantic.page import PARAGRAPH, Page, Position

MARKED = Path(__file__).with_name("page_kinds.tsv")
K = 100.0
_HAN = re.compile(f"[{HAN}]")
_SPACED = re.compile(f"[^\\W_{HAN}]+")

Features = tuple[float, float, float]  # TextDegree, LinkDegree, Aggregation


def kind_features(page: Page) -> Features:
    """The triple of a page."""
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


class PageKinds:
    """The classifier; it is fitted when first asked, and again where pages were marked since."""

    def __init__(self) -> None:
        self._given: list[tuple[bool, Features]] = []
        self._decide: Decision | None = None

    def add(self, features: Features, *, detail: bool) -> None:
        """A page that the user marked."""
        self._given.append((detail, features))
        self._decide = None

    def is_detail(self, features: Features) -> bool:
        """Whether a page with these features says something itself."""
        if self._decide is None:
            samples = [*_marked(), *self._given]
            self._decide = fit_svm([features for _, features in samples], [detail for detail, _ in samples])
        return self._decide(features) > 0

    def remember(self) -> list[tuple[bool, Features]]:
        """What the user marked."""
        return list(self._given)

    def restore(self, given: Sequence[tuple[bool, Sequence[float]]]) -> None:
        """Take back what `remember` gave."""
        self._given = [(detail, (text, link, block)) for detail, (text, link, block) in given]
        self._decide = None


@cache
def _marked() -> tuple[tuple[bool, Features], ...]:
    """The demonstration web's pages."""
    rows = [line.split("\t") for line in MARKED.read_text("utf-8").splitlines()]
    return tuple((kind == "detail", (float(text), float(link), float(block))) for kind, text, link, block in rows[1:])
