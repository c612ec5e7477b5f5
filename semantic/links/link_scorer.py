"""The protocol of link scorers.

A scorer is asked about the links of each page after the page was judged (`prioritise`); one that reads rows of frames
takes several pages at once (`score`). A scorer that learns may change the priorities of waiting links (`revise`). One
that passes values from page to page is told about addresses that ended without a page (`forget`). One that learns from
the link graph says when it needs it (`wants_graph`). Everything but `prioritise` has a default here. `remember` saves a
scorer's whole state exactly: a crawl that was stopped goes on in the same order.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from semantic.frame import Frame
from semantic.memory.strategy_memory import Remembering
from semantic.page import PARAGRAPH, Link, Page
from semantic.reasons import Reason
from semantic.records import LinkGraph, LinkRecord, Priority, Relevance
from semantic.terms.term_matching import ConceptCounts
from semantic.urls import is_page_like

# similarity of a short text with these words (indices into `Lexicon.words`) to the topic, 0 to 1
Similarity = Callable[[Sequence[int]], float]
BY_SHARE, BY_RANK, NEVER = "by share", "by rank", "never"


class JudgedFrame(NamedTuple):
    """A frame with its page's relevance."""

    frame: Frame
    relevance: Relevance


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page with links on it, its mentions and its relevance."""

    page: Page
    counts: ConceptCounts
    relevance: Relevance


class LinkScorer(Remembering):
    """Gives each link of a page its priority. To be inherited from.

    - `layout`: name of its memory's format, if that may change with the code.
    - `repeatable`: scoring a page again teaches it nothing, so links that it discarded can be scored again.
    - `any_way`: until how many fetched pages the link graph includes every path to a result.
    - `waits`: how a link is weighed against a better one whose host rests (`crawler.engine.patience`): BY_SHARE of the
      priorities; BY_RANK, if these are ranks or layers; NEVER.
    - `tree`: it reads `Page.nodes`, so the record stores them.
    - `reads_rows`: it reads `Frame.links` of several pages at once, and no `Page`.
    """

    layout: str = ""
    repeatable: bool = False
    any_way: int = 0
    waits: str = BY_SHARE
    tree: bool = False
    reads_rows: bool = False

    def score(self, judged: Sequence[JudgedFrame]) -> list[tuple[LinkRecord, ...]]:
        """For each page its links as the record stores them: one for each target, the best if repeated, in the page's
        order.
        """
        return [self._scored(one) for one in judged]

    def learn(self, judged: Sequence[JudgedFrame]) -> None:
        """Learn from pages as `score` does, when nobody needs their links' priorities."""
        self.score(judged)

    def _scored(self, one: JudgedFrame) -> tuple[LinkRecord, ...]:
        page = one.frame.page
        assert page is not None, "the frame was made for a strategy that reads rows"
        return best_links(page, self.prioritise(JudgedPage(page, one.frame.counts, one.relevance)))

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """One priority for each of `judged.page.links`, in their order; None: not worth queueing."""
        raise TypeError("this strategy reads rows of frames")

    def revise(self) -> Mapping[str, Priority]:
        """New priorities, higher or lower, of waiting addresses; entries for others are ignored. Called after every
        page.
        """
        return {}

    def rejudge(self) -> None:
        """Learn from the new relevance of pages, after all were judged again because marks have changed."""
        return

    def places(self) -> Iterator[tuple[str, Priority]]:
        """The current priority of every waiting address."""
        return iter(())

    def forget(self, url: str, successor: str | None) -> None:
        """Drop an address that ended without a page: it failed or was refused (`successor` None), or was replaced by
        `successor`.
        """
        return

    def choose(self, urls: Sequence[str]) -> None:
        """Note that these addresses have been chosen and are being fetched. Other addresses may be answered before
        them.
        """
        return

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        """Why an address that is being fetched was chosen; () if the reasons were recorded with its priority."""
        return ()

    def miss(self, urls: Sequence[str]) -> None:
        """Note that requests failed, or brought copies. `revise` gives the new priorities that follow."""
        return

    def lay_aside(self, held: Collection[str]) -> Iterable[tuple[str, bytes]]:
        """Give up what is known of each waiting address that is not `held`; returns it, for `bring_in`."""
        return ()

    def bring_in(self, urls: Sequence[str], read: Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]) -> None:
        """Take back what is known of these addresses, as far as it was given up. `read` gives what `lay_aside` gave."""
        return

    def interned(self, url: str) -> str:
        """Give an equal string, the one already in memory if there is one, so that a long queue stores each address
        once.
        """
        return url

    def wants_graph(self) -> bool:
        """Whether the current link graph is needed. True until `receive_graph`."""
        return False

    def receive_graph(self, graph: LinkGraph) -> None:
        """Take the link graph that was asked for."""
        return


def best_links(page: Page, priorities: Sequence[Priority | None]) -> tuple[LinkRecord, ...]:
    """The links of a page as records: one for each target, in the order of targets, the best if repeated.

    Links to the page itself and to addresses that are no pages (`is_page_like`) are left out.
    """
    best: dict[str, tuple[Link, Priority | None]] = {}
    for link, priority in zip(page.links, priorities, strict=True):
        previous = best.get(link.url)
        if previous is None or _is_better(priority, previous[1]):
            best[link.url] = (link, priority)
    best.pop(page.url, None)
    return tuple([_record(link, priority) for url, (link, priority) in best.items() if is_page_like(url)])


def _is_better(one: Priority | None, other: Priority | None) -> bool:
    return one is not None and (other is None or one.score > other.score)


def _record(link: Link, priority: Priority | None) -> LinkRecord:
    context = f"{link.before}{link.anchor}{link.after}".replace(PARAGRAPH, " ")
    if priority is None:
        return LinkRecord(link.url, link.anchor, context, None, link.order)
    return LinkRecord(link.url, link.anchor, context, priority.score, link.order, priority.reasons)
