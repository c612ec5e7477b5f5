"""What every link scorer offers.

A scorer is asked for the links of each page when the page has been judged (`prioritise`). One that learns may then give
waiting links other places (`revise`); one that hands something on from page to page is told of addresses that ended
without a page (`forget`); one that learns from the link graph says when it wants to see it (`wants_graph`). All but
`prioritise` may stay as they are here. What a scorer knows is `remember`ed whole, to the last digit: a crawl that
was stopped goes on in the same order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from semantic.page import Page
from semantic.records import LinkGraph
from semantic.scores import Priority, Relevance
from semantic.terms.term_frequency import ConceptCounts

Similarity = Callable[[Sequence[int]], float]  # of a short text with these words (`Lexicon.words`) to the topic, 0 to 1


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
    `Page.nodes`, so that the record keeps them.
    """

    layout: str = ""
    repeatable: bool = False
    any_way: int = 0
    tree: bool = False

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """One priority for each of `judged.page.links`, in their order; None: not worth queueing."""
        ...

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

    def choose(self, url: str) -> None:
        """An address was chosen, by all that is known now, and is being fetched; others may come before its answer."""
        return

    def miss(self, url: str) -> Mapping[str, Priority]:
        """A request for an address was in vain: it failed, or was a copy. New places that follow from it."""
        return {}

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
