"""What every judge offers."""

from collections.abc import Mapping
from typing import Any, Protocol

from semantic.counting import ConceptCounts
from semantic.page import Page
from semantic.relevance import Relevance


class Judge(Protocol):
    """Judges a page the moment it arrives; may learn from it, and remembers what it learned."""

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """Relevance of the page with its reasons, one a feature."""
        ...

    def remember(self) -> Mapping[str, Any]:
        """What was learned, as JSON values."""
        ...

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        ...
