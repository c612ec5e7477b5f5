"""Shark search (Hersovici et al. 1998): a link's own words, and a score inherited from the pages before it.

    inherited(u)     = delta sim(page)          if the page is relevant
                     = delta inherited(page)    else
    anchor(u)        = sim(anchor text)
    context(u)       = 1 if anchor(u) > 0, else sim(text around the anchor)
    neighbourhood(u) = beta anchor(u) + (1 - beta) context(u)
    potential(u)     = gamma inherited(u) + (1 - gamma) neighbourhood(u)

delta 0.5, beta 0.8, gamma 0.8.

The paper leaves these points open; our choices:
- sim is formula 1 of paper O for page, anchor and surroundings.
- A page is relevant if the judge calls it on topic.
- Only the link's title or alt text replaces a missing anchor text.
- The text around an anchor is 60 characters on either side.
- A page that several links lead to inherits the highest score that any of them gives. A seed inherits 0.
- A redirected address passes its inherited score to its target.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from semantic.links.address_sums import Accounts
from semantic.links.link_reading import LinkFeatures, LinkReader
from semantic.links.link_scorer import JudgedPage, LinkScorer, Similarity
from semantic.memory.strategy_memory import Remembering
from semantic.reasons import Reason
from semantic.records import Priority

_NAMED = (Reason("the anchor has topic words"),)


class Shark(LinkScorer):
    """Shark search. `weights`: delta, beta and gamma."""

    KEPT: ClassVar = {"_inherited": Remembering}

    def __init__(self, reader: LinkReader, similarity: Similarity, weights: Mapping[str, float]) -> None:
        self._reader = reader
        self._similarity = similarity
        self._weights = weights
        self._inherited = Accounts()

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """The potential of every link; none is discarded."""
        inherited = self._inherit(judged)
        for link in judged.page.links:
            self._inherited.set(link.url, max(inherited, self._inherited.get(link.url)))
        why = "the page is on topic" if judged.relevance.on_topic else "handed on from the pages before"
        page = Reason("inherited from the linking page", self._weights["gamma"] * inherited, (Reason(why),))
        return [self._potential(features, page) for features in self._reader.describe(judged.page, judged.counts)]

    def _inherit(self, judged: JudgedPage) -> float:
        before = self._inherited.take(judged.page.url) or 0.0
        return self._weights["delta"] * (judged.relevance.score if judged.relevance.on_topic else before)

    def _potential(self, features: LinkFeatures, page: Reason) -> Priority:
        beta, near = self._weights["beta"], 1 - self._weights["gamma"]
        anchor = self._similarity(features.anchor)
        context = 1.0 if anchor else self._similarity(features.context)
        parts = (
            page,
            Reason("anchor", near * beta * anchor),
            Reason("around the anchor", near * (1 - beta) * context, _NAMED if anchor else ()),
        )
        return Priority(sum(part.share or 0.0 for part in parts), tuple(part for part in parts if part.share))

    def forget(self, url: str, successor: str | None) -> None:
        """Pass the inherited score on."""
        inherited = self._inherited.take(url)
        if inherited is not None and successor is not None:
            self._inherited.set(successor, max(inherited, self._inherited.get(successor)))
