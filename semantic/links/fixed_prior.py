"""The fixed prior: a link's priority from anchor, context, address and page, with fixed weights and without learning.

    priority = tanh(A) + context tanh(C) + address tanh(U) + page min(r, 1) + layer [a layer word in A or C]

A, C, U: summed weights of the topic words in the anchor (or its title), around it, and in the address. r: relevance of
the linking page. context, address, page, layer: the strategy's parameters.
"""

from collections.abc import Mapping, Sequence
from math import tanh

from semantic.links.link_reading import LinkFeatures, LinkReader
from semantic.links.link_scorer import JudgedPage, LinkScorer
from semantic.reasons import Evidence, Reason
from semantic.records import Priority
from semantic.terms.term_matching import WordTable

# all weights but the anchor's, which is 1: the strategy's defaults, and those with which `fused` begins
PRIOR_WEIGHTS: Mapping[str, float] = {"page": 0.5, "context": 0.3, "address": 0.3, "layer": 0.1}


class FixedPrior(LinkScorer):
    """The module's formula. `weights`: context, address, page and layer, relative to the anchor's weight of 1."""

    def __init__(self, table: WordTable, reader: LinkReader, weights: Mapping[str, float]) -> None:
        self._table = table
        self._reader = reader
        self._weights = weights

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """A priority for every link; none is discarded."""
        relevance = min(judged.relevance.for_links, 1.0)
        page = Reason("relevance of the linking page", self._weights["page"] * relevance)
        wordless = Priority(page.share or 0.0, (page,) if page.share else ())
        return [
            self._priority(features, page) if any(features) else wordless
            for features in self._reader.describe(judged.page, judged.counts)
        ]

    def _priority(self, features: LinkFeatures, page: Reason) -> Priority:
        parts = (
            (1.0, "anchor", features.anchor),
            (self._weights["context"], "around the anchor", features.context),
            (self._weights["address"], "address", features.address),
        )
        reasons = [page] if page.share else []
        for weight, kind, words in parts:
            mass = sum(self._table.weight[word] for word in words)
            if mass:
                reasons.append(Reason(kind, weight * tanh(mass), self._named(words)))
        layer = [word for word in (*features.anchor, *features.context) if self._table.layer[word]]
        if layer:
            reasons.append(Reason("predecessor layer", self._weights["layer"], (self._table.meanings[layer[0]],)))
        return Priority(sum(reason.share or 0.0 for reason in reasons), tuple(reasons))

    def _named(self, words: Sequence[int]) -> Evidence:
        return self._table.describe(word for word in words if self._table.weight[word])
