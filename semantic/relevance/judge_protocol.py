"""What every judge offers. One that judges a page once and for all defines the first two and the memory."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from semantic.frame import Frame
from semantic.page import Page
from semantic.records import Relevance
from semantic.relevance.relevance_model import GROWTH
from semantic.terms.term_matching import ConceptCounts


class Judge(Protocol):
    """Judges pages the moment they arrive; may learn from them, and remembers what it learned. To be inherited from.

    One that reads pages and not their frames defines `judge`, another one (`reads_frames`) `judge_frames` and `weigh`.
    """

    reads_frames: bool = False

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """Relevance of the page with its reasons, one a feature."""
        raise TypeError("this judge reads frames")

    def judge_frames(self, frames: Sequence[Frame], growth: float = GROWTH) -> list[Relevance]:
        """Relevance of pages that came together; `growth`: of the crawl, after which pages are judged again."""
        return list(map(self.weigh, frames))

    def weigh(self, frame: Frame) -> Relevance:
        """What a page that is none of the crawl's would be worth by all that is known now."""
        assert frame.page is not None, "the frame was made without its page"
        return self.judge(frame.page, frame.counts)

    def remember(self) -> Mapping[str, Any]:
        """What was learned, as JSON values."""
        ...

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        ...

    @property
    def marks(self) -> Mapping[str, bool]:
        """The expert's marks that it knows, by the identity of the address: whether the page is good."""
        return {}

    def follow(self, url: str, successor: str) -> None:
        """An address was redirected: its mark goes along."""
        return

    def leave_out(self, url: str) -> None:
        """The page is a copy of another one, and has no relevance of its own."""
        return

    def news(self, most: int) -> Iterator[tuple[str, Relevance]]:
        """Pages judged before that have another relevance now; so many at most, the others at the next call."""
        return iter(())

    def settle(self) -> Iterator[tuple[str, Relevance]]:
        """At the end of a crawl: every page whose relevance, by all that is known now, is not the one last told."""
        return iter(())
