"""Paper J's judge (3.1): naive Bayes decides whether a page is on topic, a support vector machine whether it is a
result.

The relevance is P(topic | page) (`bayes_judge`). `on_topic` is what the paper calls a result: a page on topic that is a
detail page (`semantic.strategies.jlse.page_kind_classifier`). Samples of detail pages and lists come with the program,
and from the user.
"""

from typing import ClassVar

from semantic.memory.strategy_memory import Remembering
from semantic.page import Page
from semantic.reasons import Reason
from semantic.records import Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.strategies.jlse.bayes_judge import BayesJudge
from semantic.strategies.jlse.page_kind_classifier import Features, PageKinds, kind_features
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import ConceptCounts
from semantic.understanding import Samples


class ResultJudge(Judge):
    """Paper J's judge."""

    KEPT: ClassVar = {"_topic": Remembering, "_kinds": Remembering}

    def __init__(self, samples: Samples, words: WordReader, threshold: float = 0.5) -> None:
        self._samples = samples
        self._threshold = threshold
        self._topic = BayesJudge(samples, words, threshold)
        self._kinds = PageKinds()
        for page, marks in samples.pages:
            self._learn(kind_features(page), marks.detail)

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """P(topic | page), and whether the page is a result. The kind of page is a reason that adds 0."""
        judged = self._topic.judge(page, counts)
        features = kind_features(page)
        self._kinds.see(features)
        detail = self._kinds.is_detail(features)
        self._learn(features, self._samples.marks(page, counts).detail)
        kind = Reason("a detail page" if detail else "a list of links, so no result", 0.0, (_in_words(features),))
        return Relevance(judged.score, judged.on_topic and detail, (*judged.reasons, kind))

    def expands(self, page: Page, relevance: Relevance) -> bool:
        """Whether a page's links are followed (algorithm 2, step 1): those of pages that are on topic and no results.

        Our additions: links of seeds always, and those of pages off topic while naive Bayes has too few samples.
        """
        if self._samples.is_seed(page.url):
            return True
        if relevance.on_topic and not page.noindex:
            return False
        return relevance.score >= self._threshold or not self._topic.knows

    def _learn(self, features: Features, detail: bool | None) -> None:
        if detail is not None:
            self._kinds.add(features, detail=detail)


def _in_words(features: Features) -> str:
    return "TextDegree {:.2f}, LinkDegree {:.2f}, Aggregation {:.2f}".format(*features)
