"""What every judge offers. A judge that never changes its judgements defines `judge` only."""

from collections.abc import Iterator, Mapping, Sequence

from semantic.frame import Frame
from semantic.memory.strategy_memory import Remembering
from semantic.page import Page
from semantic.records import Mark, Relevance
from semantic.relevance.relevance_model import GROWTH
from semantic.terms.term_matching import ConceptCounts

_NO_MARKS = "this strategy's judge takes no marks"


class Judge(Remembering):
    """Judges pages on arrival; may learn from them, and saves what it learned. To be inherited from.

    A judge that reads pages defines `judge`. One that reads frames (`reads_frames`) defines `judge_frames` and `weigh`.
    One that `takes_marks` compares pages with those that the expert marked, by their hashed words; it defines `teach`,
    `read_again`, `look_back`, `likely` and `threshold_for`. One that `meets_seeds` makes its topic of the seeds.
    """

    reads_frames: bool = False
    takes_marks: bool = False
    meets_seeds: bool = False

    def meet(self, page: Page) -> None:
        """Take a seed page into the topic."""
        return

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """Relevance of a page, with one reason for each feature."""
        raise TypeError("this judge reads frames")

    def judge_frames(self, frames: Sequence[Frame], growth: float = GROWTH) -> list[Relevance]:
        """Relevance of pages that came together. `growth`: by which share the crawl must grow before pages are judged
        again.
        """
        return self.weigh(frames)

    def weigh(self, frames: Sequence[Frame]) -> list[Relevance]:
        """The relevance of pages that are not part of the crawl, by all that has been learned so far."""
        return [self.judge(_page_of(frame), frame.counts) for frame in frames]

    @property
    def marks(self) -> Mapping[str, Mark]:
        """The expert's marks in use, by the identity of the address."""
        return {}

    @property
    def likely(self) -> tuple[float, int] | None:
        """From which relevance on a page is more likely good than bad by the marks, and how many pages reach it. None:
        too few marks, or a judge that takes none.
        """
        return None

    def threshold_for(self, pages: int) -> float:
        """The highest threshold, to the hundredth, that so many pages reach. Raises TypeError as `teach` does."""
        raise TypeError(_NO_MARKS)

    def teach(self, marks: Mapping[str, Mark]) -> bool:
        """Replace the expert's marks. Whether earlier pages must be read again (`read_again`, then `look_back`). Raises
        TypeError for a judge that takes no marks.
        """
        raise TypeError(_NO_MARKS)

    def read_again(self, frames: Iterator[Frame]) -> None:
        """Take the words of pages judged earlier."""
        return

    def look_back(self) -> None:
        """Judge all pages again after marks have changed, or after all were read again."""
        return

    def follow(self, url: str, successor: str) -> None:
        """Give the mark of a redirected address to its successor."""
        return

    def leave_out(self, url: str) -> None:
        """Treat a page as no result, without relevance of its own, until it is judged again."""
        return

    def news(self, most: int) -> Iterator[tuple[str, Relevance]]:
        """At most `most` pages judged earlier whose relevance has changed; the others follow at the next call."""
        return iter(())

    def settle(self) -> Iterator[tuple[str, Relevance]]:
        """At the end of a crawl: every page whose relevance, by all that is known, differs from the one last
        reported.
        """
        return iter(())


def _page_of(frame: Frame) -> Page:
    assert frame.page is not None, "the frame was made without its page"
    return frame.page
