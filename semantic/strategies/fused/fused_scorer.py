"""The default strategy `fused` as a link scorer: between judged pages and the learner (`fused_core`)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantic.frame import Frame, LinkRows
from semantic.links.link_scorer import JudgedFrame, LinkScorer
from semantic.records import LinkGraph, LinkRecord
from semantic.scores import Priority, Reason
from semantic.strategies.fused.fused_core import LAYOUT, Fusion, Named, Worths
from semantic.strategies.fused.learner.score_learner import Weights

_AS_LINK = partial(tuple.__new__, LinkRecord)  # nothing between C and C


class Fused(LinkScorer):
    """See `semantic.strategies.fused.fused_core`."""

    layout = LAYOUT
    reads_rows = True

    def __init__(self, worths: Worths, weights: Weights, seed: int) -> None:
        self._core = Fusion(worths, seed, weights)

    def learn(self, judged: Sequence[JudgedFrame]) -> None:
        """Learn of pages, and of their links, which are scored when the learner is fitted."""
        self._arrive(judged, look=False)

    def score(self, judged: Sequence[JudgedFrame]) -> list[tuple[LinkRecord, ...]]:
        """The pages' links are scored with all that is known; the pages themselves are learned from.

        Why a link has its place is told when it is chosen (`why_chosen`) or asked about (`fused_beliefs`).
        """
        named = self._arrive(judged)
        return [self._records(rows_of(one.frame), found) for one, found in zip(judged, named, strict=True)]

    def _arrive(self, judged: Sequence[JudgedFrame], *, look: bool = True) -> list[Named]:
        return self._core.arrive([(one.frame.url, rows_of(one.frame)) for one in judged], look=look)

    def _records(self, links: LinkRows, named: Named) -> tuple[LinkRecord, ...]:
        urls = self._core.evidence.addresses.urls
        told = zip(named.rows.tolist(), named.scores.tolist(), strict=True)
        scores = {urls[row]: score for row, score in told if score > -inf}
        # Others have ended, or stand for another address.
        places = [scores.get(url, 0.0) for url in links.targets]
        reasons = [
            (f"names {words}",) if words and url in scores else ()
            for url, words in zip(links.targets, links.words, strict=True)
        ]
        columns = (links.targets, links.anchors, links.contexts, places, links.positions, reasons, repeat(()))
        return tuple(map(_AS_LINK, zip(*columns, strict=False)))

    def revise(self) -> Mapping[str, Priority]:
        """The best waiting links, and those that were thought better than they are."""
        return self._places(*self._core.revise())

    def choose(self, urls: Sequence[str]) -> None:
        """What is known of them now is what they were chosen by."""
        self._core.choose(urls)

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        """The shares of its score."""
        return self._core.why_chosen(url)

    def miss(self, urls: Sequence[str]) -> None:
        """Links like them are worth less."""
        self._core.miss(urls)

    def _places(self, rows: NDArray[np.int32], scores: NDArray[np.float64]) -> Mapping[str, Priority]:
        urls = self._core.evidence.addresses.urls
        return {urls[row]: Priority(score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)}

    def surroundings(self, urls: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """See `semantic.relevance.self_training.Surroundings`."""
        return self._core.evidence.surroundings(urls)

    def rejudge(self) -> None:
        """The waiting links take their places by what pages are worth now."""
        self._core.refit()

    def places(self) -> Iterator[tuple[str, Priority]]:
        """All that wait."""
        for rows, scores in self._core.places():
            yield from self._places(rows, scores).items()

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


def rows_of(frame: Frame) -> LinkRows:
    """The rows of a frame that was made for this strategy."""
    assert frame.links is not None
    return frame.links
