"""Paper J's judge of pages: naive Bayes over their words (formulas 1, 2), learned from samples; gives P(topic | page).

The paper leaves these points open; our choices: until there are 5 samples of each class, the page is judged by the
ontology, limited to 1. A page is judged before it is learned from.
"""

from collections.abc import Mapping
from typing import ClassVar

from semantic.learning.naive_bayes import TopicBayes
from semantic.memory.strategy_memory import Remembering
from semantic.page import Page
from semantic.reasons import Reason
from semantic.records import Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import ConceptCounts
from semantic.understanding import Samples

_SHOWN = 5  # words shown as reasons


class BayesJudge(Judge):
    """Naive Bayes as a judge."""

    KEPT: ClassVar = {"_bayes": Remembering}

    def __init__(self, samples: Samples, words: WordReader, threshold: float = 0.5) -> None:
        self._samples = samples
        self._words = words
        self._threshold = threshold
        self._bayes = TopicBayes(marked=samples.source == "examples")
        for page, marks in samples.pages:
            self._learn(words.count(page.text), marks.good)

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """P(topic | page), with the words that speak most for it as the reason."""
        words = self._words.of_page(page)
        relevance = self._judged(words) if self._bayes.knows else self._by_ontology(page, counts)
        self._learn(words, self._samples.marks(page, counts).good)
        return relevance

    @property
    def knows(self) -> bool:
        """Whether there are enough samples for naive Bayes."""
        return self._bayes.knows

    def _judged(self, words: Mapping[str, int]) -> Relevance:
        score = self._bayes.good(words)
        strongest = tuple(self._bayes.evidence(words)[:_SHOWN])
        return Relevance(score, score >= self._threshold, (Reason("naive Bayes", score, strongest),))

    def _by_ontology(self, page: Page, counts: ConceptCounts) -> Relevance:
        judged = self._samples.judge(page, counts)
        score = min(judged.score, 1.0)
        reasons = tuple(r._replace(share=(r.share or 0.0) * score / judged.score) for r in judged.reasons)
        return Relevance(score, score >= self._threshold, reasons)

    def _learn(self, words: Mapping[str, int], good: bool | None) -> None:
        if good is not None:
            self._bayes.learn(words, good=good)
