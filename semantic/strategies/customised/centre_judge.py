"""Paper C's judge: the cosine of a page with the drifting centre of the seed pages (`semantic.learning.centroid`).

The paper leaves these points open; our choices:
- The page first moves the centre and is then compared with it, in the order of the paper's text (2.2, 2.4).
- The paper gives no threshold: here 0.8 for what moves the centre (`LIKE`), and 0.3 for what is on topic.
- The centre is built from all seeds before any page is judged (`semantic.understanding`). With more than
  100 seeds, or if one does not answer, it is built from those that have come.
- The number of features is the parameter `features`.
"""

from typing import ClassVar

from semantic.learning.centroid import FEATURES, Centroid, kind_of, own_text
from semantic.memory.strategy_memory import Remembering
from semantic.page import Page
from semantic.reasons import Reason, because
from semantic.records import Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import ConceptCounts
from semantic.understanding import Samples

LIKE = 0.8  # the best of 0.3 to 0.9: benchmarks/papers.md; with 0.3 any page moves the centre
_SHOWN = 5  # words shown as reasons


class CentreJudge(Judge):
    """Paper C's judge. `samples` knows the seeds."""

    meets_seeds = True
    KEPT: ClassVar = {"_centroid": Remembering}

    def __init__(
        self,
        samples: Samples,
        words: WordReader,
        threshold: float = 0.3,
        like: float = LIKE,
        features: int = FEATURES,
    ) -> None:
        self._samples = samples
        self._words = words
        self._threshold = threshold
        self._centroid = Centroid({}, like, features)

    def meet(self, page: Page) -> None:
        """Add a seed page to the centre."""
        self._centroid.add_seed(page.url, self._words.count(own_text(page)))

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """Cosine with the centre; the words that add most are the reasons."""
        vector = self._words.count(own_text(page))
        if not self._samples.is_seed(page.url):
            self._centroid.update(vector)
        shares = sorted(self._centroid.shares(vector).items(), key=lambda item: (-item[1], item[0]))
        score = sum(share for _, share in shares)
        kind = "like hubs" if kind_of(page) == "hub" else "like topic pages"
        reasons = [Reason(kind, share, (word,)) for word, share in shares[:_SHOWN]]
        if rest := shares[_SHOWN:]:
            reasons.append(Reason(kind, sum(share for _, share in rest), (because("more words", number=len(rest)),)))
        return Relevance(score, score >= self._threshold, tuple(reasons))
