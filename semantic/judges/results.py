"""Paper J's judge (3.1): naive Bayes says whether a page is on topic, a support vector machine whether it is a result.

    relevance = P(good | words of the page)          (formula 1; semantic.learning.naive_bayes)
    result, here: on topic = relevance >= threshold, and the page is a detail page (semantic.page_kinds)

Samples of good and bad pages are what the user marked or, without, what the ontology judged clearly in this crawl; the
page itself is learned from before it is judged. The classifier is asked once it has `LEAST` samples of each class; the
ontology's verdict stands in until then. With samples from the ontology no class gets more than `LEAST` ahead of the
other (see `TopicBayes`). Samples of detail pages and lists are those of the demonstration web and those of the user.
"""

from collections.abc import Mapping
from typing import Any

from semantic.counting import ConceptCounts
from semantic.learning.naive_bayes import TopicBayes
from semantic.page import Page
from semantic.page_kinds import Features, PageKinds, kind_features
from semantic.relevance import Reason, Relevance
from semantic.samples import Samples
from semantic.words import WordReader

LEAST = 10


def topic_bayes(samples: Samples) -> TopicBayes:
    """A classifier for samples of this kind: what a user marks is right, and need not be much."""
    return TopicBayes(LEAST, LEAST) if samples.source == "ontology" else TopicBayes(1, 10**9)


class ResultJudge:
    """See the module's text; `words` is shared with the scorer, which asks for the same page's."""

    def __init__(self, samples: Samples, words: WordReader, threshold: float = 0.5) -> None:
        self._samples = samples
        self._words = words
        self._threshold = threshold
        self._bayes = topic_bayes(samples)
        self._kinds = PageKinds()
        for page, marks in samples.pages:
            self._learn(page, marks.good, marks.detail, kind_features(page))

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """The page's P(good), and whether it is a result."""
        features = kind_features(page)
        taught = self._samples.judge(page, counts)
        marks = self._samples.marks(page, counts)
        self._learn(page, marks.good, marks.detail, features)
        detail = self._kinds.is_detail(features)
        kind = Reason(0.0, "a detail page" if detail else "a list, which is no result", _told(features))
        if self._bayes.ready:
            score = self._bayes.good(self._words.of_page(page))
            return Relevance(score, score >= self._threshold and detail, (self._reason(page, score), kind))
        score = min(1.0, taught.score)
        share = Reason(score, "judged by the ontology", "too few samples to ask naive Bayes")
        return Relevance(score, score >= self._threshold and detail, (share, kind))

    def expands(self, page: Page, relevance: Relevance) -> bool:
        """Whether a page's links are followed: of pages on topic, of seeds, of all while little is known."""
        return relevance.score >= self._threshold or not self._bayes.ready or self._samples.is_seed(page.url)

    def _learn(self, page: Page, good: bool | None, detail: bool | None, features: Features) -> None:
        if good is not None:
            self._bayes.add(self._words.of_page(page), good=good)
        if detail is not None:
            self._kinds.add(features, detail=detail)

    def _reason(self, page: Page, score: float) -> Reason:
        good, bad = self._bayes.samples
        telling = ", ".join(self._bayes.telling(self._words.of_page(page)))
        return Reason(score, "naive Bayes", f"{good} good and {bad} bad samples; {telling}")

    def remember(self) -> Mapping[str, Any]:
        """What both classifiers learned."""
        return {"bayes": self._bayes.remember(), "kinds": self._kinds.remember()}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._bayes.restore(memory["bayes"])
        self._kinds.restore(memory["kinds"])


def _told(features: Features) -> str:
    return "TextDegree {:.2f}, LinkDegree {:.2f}, Aggregation {:.2f}".format(*features)
