"""The beginning of a crawl whose topic is made of its seeds (papers A and C): nothing is judged before all have come.

Pages that come earlier are held: a seed counts as on topic, another page as unknown, and their links wait behind all
others. When the last seed has come, or failed, all held pages are judged and their links get their places. After `MOST`
held pages the seeds that are missing are no longer waited for: they join the topic when they come.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from semantic.page import Page
from semantic.parsing.stored_content import pack, unpack
from semantic.relevance.training_samples import Samples
from semantic.scores import Priority, Reason, Relevance

MOST = 100
WAITS = Priority(0.0, (Reason(0.0, "waits until all seeds have come"),))


class Beginning:
    """The pages that are held; `samples` knows which seeds are awaited."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        self._held: dict[str, Page] = {}

    def holds(self, page: Page) -> bool:
        """Whether the page is to be held, as seeds are awaited or others are held still; then it is."""
        if not (self._held or self._samples.awaits_seeds):
            return False
        self._held[page.url] = page
        return True

    def relevance(self, page: Page) -> Relevance:
        """What is said of a page meanwhile."""
        if self._samples.is_seed(page.url):
            return Relevance(1.0, True, (Reason(1.0, "a seed, not compared with the others yet"),))
        return Relevance(0.0, False, (Reason(0.0, "not judged before all seeds have come"),))

    def withdraw(self, url: str) -> None:
        """A page is a copy of another: nothing more is said of it."""
        self._held.pop(url, None)

    def release(self) -> Sequence[Page]:
        """The held pages, once it is time."""
        if len(self._held) >= MOST:
            self._samples.await_no_more()
        if self._samples.awaits_seeds:
            return ()
        held, self._held = self._held, {}
        return tuple(held.values())

    def remember(self) -> Sequence[Any]:
        """The held pages."""
        return [[url, page.noindex, pack(page, nodes=True)] for url, page in self._held.items()]

    def restore(self, memory: Sequence[Any]) -> None:
        """Take back what `remember` gave."""
        self._held = {}
        for url, noindex, content in memory:
            self._held[url] = replace(unpack(bytes(content), url), noindex=noindex)


def raised(places: Mapping[str, Priority], url: str, priority: Priority) -> Priority:
    """The better of two places of an address."""
    other = places.get(url)
    return priority if other is None or priority.score > other.score else other
