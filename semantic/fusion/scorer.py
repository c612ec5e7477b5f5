"""The default strategy `fused` as a link scorer: between judged pages and the learner (`semantic.fusion.core`)."""

from collections.abc import Mapping, Sequence
from typing import Any

from ontology.topic import Topic
from semantic.fusion.core import Fusion
from semantic.fusion.hindsight import Hindsight, counted
from semantic.fusion.reading import SayingReader
from semantic.relevance import Priority
from semantic.scorers.features import LinkReader
from semantic.scorers.scorer import JudgedPage, LinkScorer
from semantic.wordtable import WordTable


class Fused(LinkScorer):
    """See `semantic.fusion.core`; `languages`: those of which the ontology has words."""

    def __init__(
        self, topic: Topic, table: WordTable, reader: LinkReader, languages: frozenset[str], seed: int = 0
    ) -> None:
        self._table = table
        self._languages = languages
        self._reader = SayingReader(table, reader)
        self._core = Fusion(Hindsight(topic, table), seed)

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """The page's links are scored with all that is known; the page itself is learned from."""
        saying = self._reader.read(judged)
        rows, scores = self._core.arrive(judged.page.url, counted(judged, self._table, self._languages), saying)
        urls = self._core.addresses.urls
        reasons = self._core.reasons(rows)
        places = {
            urls[row]: Priority(score, why)
            for row, score, why in zip(rows.tolist(), scores.tolist(), reasons, strict=True)
        }
        return [places.get(link.url, _NOWHERE) for link in judged.page.links]

    def revise(self) -> Mapping[str, Priority]:
        """The best waiting links, and those that were thought better than they are."""
        rows = self._core.revise()
        scores = self._core.addresses.at["score"][rows].tolist()
        urls = self._core.addresses.urls
        return {
            urls[row]: Priority(score, why)
            for row, score, why in zip(rows.tolist(), scores, self._core.reasons(rows), strict=True)
        }

    def forget(self, url: str, successor: str | None) -> None:
        """Evidence of a redirected address goes to where it leads."""
        self._core.forget(url, successor)

    def remember(self) -> Mapping[str, Any]:
        """All that was learned."""
        return self._core.remember()

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._core.restore(memory)


_NOWHERE = Priority(0.0)
