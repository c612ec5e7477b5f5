"""Scorers that ignore the link itself: breadth-first, and paper O without link prediction."""

from collections.abc import Sequence
from typing import ClassVar

from semantic.links.link_scorer import NEVER, JudgedPage, LinkScorer
from semantic.reasons import Reason
from semantic.records import Priority


class BreadthFirst(LinkScorer):
    """First in, first out: the n-th link found has priority -n."""

    KEPT: ClassVar = {"_found": int}

    waits = NEVER

    def __init__(self) -> None:
        self._found = 0

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """Give the links the next numbers."""
        first = self._found + 1
        self._found += len(judged.page.links)
        return [Priority(-float(n), (Reason("order of finding", -float(n)),)) for n in range(first, self._found + 1)]


class PageRelevance(LinkScorer):
    """Paper O without algorithm 3: a link has the relevance of the page it stands on."""

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """The same priority for every link of the page."""
        score = judged.relevance.score
        return [Priority(score, (Reason("relevance of the linking page", score),))] * len(judged.page.links)
