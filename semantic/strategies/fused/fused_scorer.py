"""The default strategy `fused` as a link scorer: between judged pages and the learner (`fused_core`)."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantic.links.link_scorer import JudgedPage, LinkScorer
from semantic.records import LinkGraph
from semantic.scores import Priority
from semantic.strategies.fused.evidence.link_reading import SayingReader
from semantic.strategies.fused.fused_core import LAYOUT, Fusion, Worths
from semantic.strategies.fused.learner.score_learner import Weights
from semantic.strategies.fused.learner.score_shares import worded


class Fused(LinkScorer):
    """See `semantic.strategies.fused.fused_core`."""

    layout = LAYOUT

    def __init__(self, reader: SayingReader, worths: Worths, weights: Weights, seed: int) -> None:
        self._reader = reader
        self._core = Fusion(worths, seed, weights)

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """The page's links are scored with all that is known; the page itself is learned from.

        Reasons are told of links that give their target its place, not of those to what waits higher up already.
        """
        saying = self._reader.read(judged)
        core = self._core
        rows, scores, told = core.arrive(judged.page.url, saying)
        urls = core.evidence.addresses.urls
        words = dict(zip(saying.targets, saying.words, strict=True))
        places = {urls[row]: _place(score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)}
        for row, why in zip(rows[told].tolist(), core.reasons(rows[told]), strict=True):
            url = urls[row]
            places[url] = Priority(places[url].score, worded(why, words.get(url, "")))
        return [places.get(link.url, _NOWHERE) for link in judged.page.links]

    def revise(self) -> Mapping[str, Priority]:
        """The best waiting links, and those that were thought better than they are."""
        return self._places(*self._core.revise())

    def choose(self, url: str) -> None:
        """What is known of it now is what it was chosen by."""
        self._core.choose(url)

    def miss(self, url: str) -> Mapping[str, Priority]:
        """The places of links like it."""
        return self._places(*self._core.miss(url))

    def _places(self, rows: NDArray[np.int32], scores: NDArray[np.float64]) -> Mapping[str, Priority]:
        urls = self._core.evidence.addresses.urls
        return {
            urls[row]: Priority(score, why)
            for row, score, why in zip(rows.tolist(), scores.tolist(), self._core.reasons(rows), strict=True)
        }

    def surroundings(self, urls: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """See `semantic.relevance.self_training.Surroundings`."""
        return self._core.evidence.surroundings(urls)

    def rejudge(self) -> None:
        """The waiting links take their places by what pages are worth now."""
        self._core.refit()

    def places(self) -> Iterator[tuple[str, Priority]]:
        """All that wait, with reasons for the best of them."""
        urls = self._core.evidence.addresses.urls
        for rows, scores, reasons in self._core.places():
            for row, score, why in zip(rows.tolist(), scores.tolist(), reasons, strict=True):
                yield urls[row], Priority(score, why)

    def forget(self, url: str, successor: str | None) -> None:
        """Evidence of a redirected address goes to where it leads."""
        self._core.forget(url, successor)

    def text_of(self, url: str) -> str:
        """That of the address's row."""
        addresses = self._core.evidence.addresses
        row = addresses.rows.own(url)
        return url if row is None else addresses.urls[row]

    def wants_graph(self) -> bool:
        """When there are half as many results again as at the last time."""
        return self._core.wants_graph

    def receive_graph(self, graph: LinkGraph) -> None:
        """What lies behind the pages fetched."""
        self._core.receive_graph(graph)

    def remember(self) -> Mapping[str, Any]:
        """All that was learned."""
        return self._core.remember()

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._core.restore(memory)


_NOWHERE = Priority(0.0)


def _place(score: float) -> Priority:
    """Of an address that waits; of one that has ended (-inf) none."""
    return Priority(score) if score > -inf else _NOWHERE
