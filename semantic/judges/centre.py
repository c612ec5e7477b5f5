"""Paper C's judge: the cosine of a page with the centre of the seed pages, which drifts (`semantic.learning.centroid`).

Left open, and read here so:
- The page moves the centre first and is compared with it then, the order in which the paper tells it (2.2, 2.4).
- The paper names no threshold: 0.3 for what moves the centre (`like`), and the same for what is on topic.
- A page that is fetched before any seed, as all seeds are redirected elsewhere, has relevance 0.
"""

from collections.abc import Mapping
from typing import Any

from semantic.counting import ConceptCounts
from semantic.learning.centroid import Centroid, kind_of, own_text
from semantic.page import Page
from semantic.relevance import Reason, Relevance
from semantic.samples import Samples
from semantic.words import WordReader

_SHOWN = 5  # words told of


class CentreJudge:
    """See the module's text; `samples` knows the seeds."""

    def __init__(self, samples: Samples, words: WordReader, threshold: float = 0.3, like: float = 0.3) -> None:
        self._samples = samples
        self._words = words
        self._threshold = threshold
        self._centroid = Centroid((), like)

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """Cosine with the centre; each of the words that add most is a reason."""
        vector = self._words.count(own_text(page))
        if self._samples.is_seed(page.url):
            self._centroid.add_seed(vector)
        else:
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
