"""Paper O (Zheng et al. 2006): formulas 1 and 2 over the semantic term frequencies of algorithm 2."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import sqrt

from ontology.errors import SettingsError
from ontology.messages import message
from ontology.topic import Topic
from semantic.page import Page, Position
from semantic.reasons import because
from semantic.records import Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.terms.term_matching import POSITION_WEIGHT, ConceptCounts, Mention, WordTable


class CosineJudge(Judge):
    """sim(P_j, R) = sum_i w_ij w_ir / (|P_j| |R|), with w_ij = s_ij f_ij w_ir; on topic from `theta` on (paper: 0.3).

    A word counts for every feature of which it is a synonym or hyponym (temp_i of algorithm 2). |R| is over all
    features that the expert gave.
    """

    def __init__(self, topic: Topic, table: WordTable, theta: float = 0.3) -> None:
        self._topic = topic
        self._table = table
        self._theta = theta
        self._norm = sqrt(sum(weight * weight for weight in topic.given.values()))

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """Formula 1. The share of a feature is its term of the sum, divided by both norms."""
        terms = self._terms(counts)
        if not terms:
            return Relevance(0.0, False)
        reasons = sorted(
            (
                because("concept", share=share, concept=feature, name=self._table.caption(feature, page.language))
                for feature, share in terms.items()
            ),
            key=lambda r: -(r.share or 0.0),
        )
        score = sum(terms.values())
        return Relevance(score, score >= self._theta, tuple(reasons))

    def similarity(self, words: Sequence[int]) -> float:
        """Formula 1 for a short text with these words, such as an anchor, all at the same position."""
        if not words:
            return 0.0
        counts = ConceptCounts(tuple(Mention(0, 0, word, Position.OTHER) for word in words), 0, 0)
        return sum(self._terms(counts).values())

    def _terms(self, counts: ConceptCounts) -> dict[str, float]:
        """Feature -> its term of formula 1's sum, divided by both norms."""
        weights = page_weights(counts, self._topic, self._table)
        norm = sqrt(sum(weight * weight for weight in weights.values())) * self._norm
        return {feature: weight * self._topic.weights[feature] / norm for feature, weight in weights.items() if weight}


def weights_from(samples: Iterable[ConceptCounts], topic: Topic, table: WordTable) -> Topic:
    """The topic with weights w_ir computed from sample pages.

    The paper says that weights may be computed so, and not how. Here each sample is its vector of formula 2 without
    w_ir (s_ij f_ij), scaled to length 1; w_ir is the mean over the samples, scaled to 1 for the largest. A feature that
    no sample mentions weighs 0. Raises SettingsError if no sample mentions any feature.
    """
    plain = replace(topic, weights=dict.fromkeys(topic.weights, 1.0))
    sums = dict.fromkeys(topic.weights, 0.0)
    for counts in samples:
        vector = page_weights(counts, plain, table)
        norm = sqrt(sum(weight * weight for weight in vector.values()))
        for feature, weight in vector.items():
            sums[feature] += weight / norm
    most = max(sums.values(), default=0.0)
    if not most:
        cure = message("mark pages of the topic as good, saved as HTML files beside the file of examples")
        raise SettingsError("--examples: no good page that is a file has a word of the topic", cure)
    return replace(topic, weights={feature: weight / most for feature, weight in sums.items()})


def page_weights(counts: ConceptCounts, topic: Topic, table: WordTable) -> dict[str, float]:
    """Formula 2: feature -> w_ij, for the features that the page mentions."""
    frequency: dict[str, int] = {}  # tf_ij
    position: dict[str, float] = {}  # s_ij
    for mention in counts.mentions:
        for feature in table.features[mention.word]:
            frequency[feature] = frequency.get(feature, 0) + 1
            position[feature] = position.get(feature, 0.0) + POSITION_WEIGHT[mention.position]
    most = max(frequency.values(), default=1)
    return {feature: position[feature] * tf / most * topic.weights[feature] for feature, tf in frequency.items()}
