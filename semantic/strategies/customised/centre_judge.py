"""Paper C's judge: the cosine of a page with the centre of the seed pages, which drifts (`semantic.learning.centroid`).

Left open, and read here so:
- The page moves the centre first and is compared with it then, the order in which the paper tells it (2.2, 2.4).
- The paper names no threshold: 0.3 for what moves the centre (`like`), and the same for what is on topic.
- The centre is made of all seeds before any page is judged (`semantic.relevance.training_samples`); of more than 100,
  or where one does not answer, of those that have come.
- How many features there are: `features`.
"""

from collections.abc import Mapping
from typing import Any

from semantic.learning.centroid import FEATURES, Centroid, kind_of, own_text
from semantic.page import Page
from semantic.records import Reason, Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.relevance.training_samples import Samples
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import ConceptCounts

_SHOWN = 5  # words told of


class CentreJudge(Judge):
    """See the module's text; `samples` knows the seeds."""

    def __init__(
        self,
        samples: Samples,
        words: WordReader,
        threshold: float = 0.3,
        like: float = 0.3,
        features: int = FEATURES,
    ) -> None:
        self._samples = samples
        self._words = words
        self._threshold = threshold
        self._centroid = Centroid({}, like, features)

    def meet(self, page: Page) -> None:
        """A seed has come."""
        self._centroid.add_seed(page.url, self._words.count(own_text(page)))

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """Cosine with the centre; each of the words that add most is a reason."""
        vector = self._words.count(own_text(page))
        if not self._samples.is_seed(page.url):
            self._centroid.update(vector)
        shares = sorted(self._centroid.shares(vector).items(), key=lambda item: (-item[1], item[0]))
        score = sum(share for _, share in shares)
        what = f"like the seeds' centre, as a {kind_of(page)} page"
        reasons = [Reason(share, what, word) for word, share in shares[:_SHOWN]]
        if rest := shares[_SHOWN:]:
            reasons.append(Reason(sum(share for _, share in rest), what, f"{len(rest)} more words"))
        return Relevance(score, score >= self._threshold, tuple(reasons))

    def remember(self) -> Mapping[str, Any]:
        """The centre and the seeds' vectors."""
        return self._centroid.remember()

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._centroid.restore(memory)
