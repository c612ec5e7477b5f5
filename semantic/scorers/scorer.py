"""What every link scorer offers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from semantic.counting import ConceptCounts
from semantic.page import Page
from semantic.relevance import Priority, Relevance

Similarity = Callable[[Sequence[int]], float]  # of a short text with these words (`Lexicon.words`) to the topic, 0 to 1


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """All that is known of the page on which links stand."""

    page: Page
    counts: ConceptCounts
    relevance: Relevance


class LinkScorer(Protocol):
    """Gives each link of a page its place in the queue."""

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """One priority for each of `judged.page.links`, in their order; None: not worth queueing."""
        ...

    def remember(self) -> Mapping[str, Any]:
        """What must be known to go on, as JSON values."""
        ...

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        ...
