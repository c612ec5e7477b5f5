"""Paper J: what an anchor says about the page behind it, by naive Bayes (formulas 1, 2), and formula 10.

    sim_anchor(u) = P(good | anchor text of u), 0.01 if the anchor is more likely bad
    priority(u) = sim(u, t) / sqrt(sum_{v in page} sim(v, t)^2) P(topic | page)                     (10)

The paper leaves these points open; our choices:
- A sample is the anchor of a followed link, good or bad like the page behind it; of several links to one
  address the first with words counts. An example that no link led to (a file, a seed) teaches by its title.
- Until there are 5 samples of either class, sim_anchor is formula 1 of paper O for the anchor's words, 0.01 where it
  has none of the ontology's.
- Several links of a page to one address are one in the sum of (10), the most similar.
- P(topic | page) is at least 0.0001 in (10): below it naive Bayes tells how long a page is (10^-20, 10^-200), not how
  far off, and the order would be chance. It is so low that links of pages off topic, where they are followed, come
  last, and among themselves by their anchors.
"""

from collections.abc import Mapping
from math import sqrt
from typing import ClassVar

from semantic.learning.naive_bayes import TopicBayes
from semantic.links.link_reading import LinkReader
from semantic.links.link_scorer import JudgedPage, Similarity
from semantic.memory.strategy_memory import Remembering
from semantic.reasons import Reason, because
from semantic.records import Priority
from semantic.terms.bag_of_words import WordReader
from semantic.understanding import Samples

NEGATIVE = 0.01  # sim_anchor of an anchor that is more likely bad: paper J
LOWEST = 0.0001  # lower limit of P(topic | page): see the module's text; chosen, not measured
_KEPT = 200_000  # addresses whose anchors are stored; the oldest are dropped; chosen, not measured


class AnchorBayes(Remembering):
    """sim_anchor, learned from the anchors of links whose pages turned out good or bad."""

    KEPT: ClassVar = {"_bayes": Remembering, "_anchors": dict[str, str]}

    def __init__(self, samples: Samples, words: WordReader, reader: LinkReader, similarity: Similarity) -> None:
        self._samples = samples
        self._words = words
        self._reader = reader
        self._similarity = similarity
        self._bayes = TopicBayes(marked=samples.source == "examples")
        self._anchors: dict[str, str] = {}
        for page, marks in samples.pages:
            self._learn(page.title, marks.good)

    def learn(self, judged: JudgedPage) -> None:
        """Learn from the page behind an anchor."""
        marks = self._samples.marks(judged.page, judged.counts)
        self._learn(self._anchors.pop(judged.page.url, judged.page.title), marks.good)

    def similarities(self, judged: JudgedPage) -> dict[str, float]:
        """sim_anchor of each address that the page links to. The anchors are stored for learning."""
        found: dict[str, float] = {}
        for url, sim in zip((link.url for link in judged.page.links), self._each(judged), strict=True):
            found[url] = max(sim, found.get(url, 0.0))
        for link in judged.page.links:
            if link.url not in self._anchors and self._words.of_text(link.anchor):
                self._anchors[link.url] = link.anchor
        while len(self._anchors) > _KEPT:
            del self._anchors[next(iter(self._anchors))]
        return found

    def forget(self, url: str, successor: str | None) -> None:
        """Give the anchor of a redirected address to its successor."""
        anchor = self._anchors.pop(url, None)
        if anchor is not None and successor is not None:
            self._anchors.setdefault(successor, anchor)

    def _each(self, judged: JudgedPage) -> list[float]:
        if self._bayes.knows:
            known: dict[str, float] = {}
            for link in judged.page.links:
                if link.anchor not in known:
                    good = self._bayes.good(self._words.of_text(link.anchor))
                    known[link.anchor] = good if good > 0.5 else NEGATIVE
            return [known[link.anchor] for link in judged.page.links]
        return [
            max(NEGATIVE, self._similarity(features.anchor))
            for features in self._reader.describe(judged.page, judged.counts)
        ]

    def _learn(self, anchor: str, good: bool | None) -> None:
        words = self._words.of_text(anchor)
        if words and good is not None:
            self._bayes.learn(words, good=good)


def on_page(similar: Mapping[str, float], page: float) -> dict[str, Priority]:
    """Formula 10 for the addresses that a page links to. `similar`: sim(u, t) of each; `page`: P(topic | page)."""
    page = max(page, LOWEST)
    length = sqrt(sum(sim * sim for sim in similar.values()))
    found = {}
    for url, sim in similar.items():
        score = sim / length * page
        detail = because("similar anchor", similarity=sim, length=length, probability=page)
        found[url] = Priority(score, (Reason("anchor on its page", score, (detail,)),))
    return found
