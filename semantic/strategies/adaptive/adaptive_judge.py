"""Paper A's judge: the cosine of a page with an adaptive base vector, compared with an adaptive threshold.

Both are in `semantic.learning.base_vector`. The expert's words are those of the ontology, each with the weight of its
feature.
"""

from collections.abc import Mapping
from typing import ClassVar

from semantic.learning.base_vector import BaseVector, Threshold
from semantic.memory.strategy_memory import Remembering
from semantic.page import Page
from semantic.reasons import Reason, because
from semantic.records import Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import ConceptCounts, WordTable
from semantic.understanding import Samples

_SHOWN = 5  # words shown as reasons


class AdaptiveJudge(Judge):
    """Paper A's judge. `parameters`: those of `Threshold`, and `threshold`, the initial value of thd."""

    meets_seeds = True
    KEPT: ClassVar = {"_vector": Remembering, "_threshold": Remembering}

    def __init__(self, table: WordTable, samples: Samples, words: WordReader, parameters: Mapping[str, float]) -> None:
        self._samples = samples
        self._words = words
        self._vector = BaseVector(_expert(table, words))
        self._threshold = Threshold(parameters["threshold"], parameters)
        for page, marks in samples.pages:
            if marks.good is not None:
                self._vector.learn(words.count(page.text), good=marks.good)
        self._vector.extract()

    @property
    def thd(self) -> float:
        """The current threshold."""
        return self._threshold.thd

    def meet(self, page: Page) -> None:
        """Add a seed as a sample of the topic, unless the user marked it bad, and extract f again."""
        self._vector.learn(self._words.of_page(page), good=self._samples.marked(page.url).good is not False)
        self._vector.extract()

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """Cosine with the base vector; the words that add most are the reasons. The page is learned from."""
        words = self._words.of_page(page)
        shares = sorted(self._vector.shares(words).items(), key=lambda item: (-item[1], item[0]))
        score = sum(share for _, share in shares)
        kept = score >= self._threshold.thd
        is_seed = self._samples.is_seed(page.url)
        good = (self._samples.marked(page.url) if is_seed else self._samples.marks(page, counts)).good
        if not is_seed:
            self._vector.learn(words, good=kept if good is None else good)
        if self._threshold.count(kept=kept, on_topic=good is not False):
            self._vector.extract()
        return Relevance(score, kept, _reasons(shares))


def _expert(table: WordTable, words: WordReader) -> dict[str, float]:
    """The single words of the ontology's words, each with the highest weight it has among them."""
    expert: dict[str, float] = {}
    for text, weight in zip(table.texts, table.weight, strict=True):
        for word in words.count(text):
            if weight > expert.get(word, 0.0):
                expert[word] = weight
    return expert


def _reasons(shares: list[tuple[str, float]]) -> tuple[Reason, ...]:
    reasons = [Reason("in the base vector", share, (word,)) for word, share in shares[:_SHOWN]]
    if rest := shares[_SHOWN:]:
        more = because("more words", number=len(rest))
        reasons.append(Reason("in the base vector", sum(share for _, share in rest), (more,)))
    return tuple(reasons)
