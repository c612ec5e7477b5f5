"""What every link scorer offers.

A scorer is asked for the links of each page when the page has been judged (`prioritise`); one that reads the rows of
frames takes several pages at once (`score`). One that learns may then give waiting links other places (`revise`); one
that hands something on from page to page is told of addresses that ended without a page (`forget`); one that learns
from the link graph says when it wants to see it (`wants_graph`). All but `prioritise` may stay as they are here. What a
scorer knows is `remember`ed whole, to the last digit: a crawl that was stopped goes on in the same order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from semantic.frame import Frame
from semantic.page import PARAGRAPH, Link, Page
from semantic.records import LinkGraph, LinkRecord, Priority, Reason, Relevance, shares_of
from semantic.terms.term_matching import ConceptCounts
from semantic.urls import is_page_like

Similarity = Callable[[Sequence[int]], float]  # of a short text with these words (`Lexicon.words`) to the topic, 0 to 1


class JudgedFrame(NamedTuple):
    """A page as the crawl has it, and what it is worth."""

    frame: Frame
    relevance: Relevance


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """All that is known of the page on which links stand."""

    page: Page
    counts: ConceptCounts
    relevance: Relevance


class LinkScorer(Protocol):
    """Gives each link of a page its place in the queue. To be inherited from.

    `layout`: names how its memory is laid out, where that may change with the code. `repeatable`: whether a page may be
    asked about again, because that teaches it nothing; so links that it discarded can be asked about again. `any_way`:
    of how many pages fetched, at most, the link graph is to hold those on any way to a result. `tree`: whether it reads
    `Page.nodes`, so that the record keeps them. `reads_rows`: it reads `Frame.links`, of several pages at once, and no
    `Page`.
    """

    layout: str = ""
    repeatable: bool = False
    any_way: int = 0
    tree: bool = False
    reads_rows: bool = False

    def score(self, judged: Sequence[JudgedFrame]) -> list[tuple[LinkRecord, ...]]:
        """Of each page the links as the record keeps them: one a target, the best if repeated, in the page's order."""
        return [self._scored(one) for one in judged]

    def learn(self, judged: Sequence[JudgedFrame]) -> None:
        """Learn of pages as `score` does, where nobody asks what their links are worth."""
        self.score(judged)

    def _scored(self, one: JudgedFrame) -> tuple[LinkRecord, ...]:
        page = one.frame.page
        assert page is not None, "the frame was made for a strategy that reads rows"
        return best_links(page, self.prioritise(JudgedPage(page, one.frame.counts, one.relevance)))

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """One priority for each of `judged.page.links`, in their order; None: not worth queueing."""
        raise TypeError("this strategy reads rows of frames")

    def revise(self) -> Mapping[str, Priority]:
        """New places, higher or lower, of addresses that wait; others are passed over. Asked after every page."""
        return {}

    def rejudge(self) -> None:
        """All pages were judged again, because marks have changed: learn from what they are worth now."""
        return

    def places(self) -> Iterator[tuple[str, Priority]]:
        """The place of every waiting address, by all that is known now."""
        return iter(())

    def forget(self, url: str, successor: str | None) -> None:
        """An address ended without a page: it failed or was refused (None), or `successor` takes its place."""
        return

    def choose(self, urls: Sequence[str]) -> None:
        """Addresses were chosen, by all that is known now, and are being fetched; others may come before them."""
        return

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        """Why an address that is being fetched was chosen; () where that was told with its place."""
        return ()

    def miss(self, urls: Sequence[str]) -> None:
        """Requests for addresses were in vain: they failed, or were copies. `revise` tells what follows from it."""
        return

    def text_of(self, url: str) -> str:
        """The same address; where its text is held already, that one, so that a long queue holds it once."""
        return url

    def wants_graph(self) -> bool:
        """Whether the link graph of now is wanted before anything else is fetched; until `receive_graph`."""
        return False

    def receive_graph(self, graph: LinkGraph) -> None:
        """The link graph of this moment."""
        return

    def remember(self) -> Mapping[str, Any]:
        """What must be known to go on, as JSON values and bytes."""
        return {}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        return


def best_links(page: Page, priorities: Sequence[Priority | None]) -> tuple[LinkRecord, ...]:
    """The links of a page in the order of its targets, one each, the best if repeated; none to itself or to what is no
    page.
    """
    best: dict[str, tuple[Link, Priority | None]] = {}
    for link, priority in zip(page.links, priorities, strict=True):
        held = best.get(link.url)
        if held is None or _is_better(priority, held[1]):
            best[link.url] = (link, priority)
    best.pop(page.url, None)
    return tuple([_record(link, priority) for url, (link, priority) in best.items() if is_page_like(url)])


def _is_better(one: Priority | None, other: Priority | None) -> bool:
    return one is not None and (other is None or one.score > other.score)


def _record(link: Link, priority: Priority | None) -> LinkRecord:
    context = f"{link.before}{link.anchor}{link.after}".replace(PARAGRAPH, " ")
    if priority is None:
        return LinkRecord(link.url, link.anchor, context, None, link.order)
    reasons = tuple(map(str, priority.reasons))
    return LinkRecord(link.url, link.anchor, context, priority.score, link.order, reasons, shares_of(priority.reasons))
