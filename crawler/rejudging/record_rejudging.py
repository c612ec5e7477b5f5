"""What a crawl has kept, judged by the ontology of now: an understanding learns from the record as from a crawl.

So it does after a kill, of what ended after its memory was saved: without, the links that were the best and are fetched
would wait for ever in what the strategy knows, and hide the others.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from crawler.archive.stored_pages import page_of_kept
from semantic.page import Page
from semantic.parsing.listings import kind_of
from semantic.records import JudgedRecord, KeptPage
from semantic.understanding import Understood, judged_record


class Judging(Protocol):
    """What is asked of an understanding."""

    def understand_page(self, page: Page) -> Understood:
        """Judge a page, and learn from it."""
        ...

    def rejudged(self) -> Sequence[JudgedRecord]:
        """What is now said of pages that were held."""
        ...

    def remember(self) -> bytes:
        """What was learned."""
        ...

    def miss(self, url: str) -> object:
        """A request for an address was in vain."""
        ...

    def forget(self, url: str, successor: str | None) -> None:
        """An address ended without a page, or `successor` takes its place."""
        ...


def judge_again(pages: Iterable[KeptPage], understanding: Judging) -> Iterator[JudgedRecord]:
    """Judge pages in the order of fetching; feeds keep their judgement, and pages without text (copies, noindex), of
    which the understanding hears that they have ended.

    It learns as a crawl with one connection would: what else was under way when a page was chosen is not recorded.
    Raises StoreError where the record is too old for it.
    """
    textless = []  # ended, too, for what links to them and is judged later
    held: dict[str, JudgedRecord] = {}  # what is said of pages that are judged later
    for kept in pages:
        if kept.status == "failed":
            understanding.miss(kept.url)
        if kept.status != "fetched":
            understanding.forget(kept.url, kept.links[0].url if kept.links else None)
        elif kept.content is None:
            textless.append(kept)
        else:
            understood = understanding.understand_page(page_of_kept(kept))
            relevance = understood.relevance
            if not understood.page.source:
                said = judged_record(kept.url, relevance, understood.mentions, kind_of(understood.page))
                if understood.held:
                    held[kept.url] = said
                else:
                    yield said
        for record in understanding.rejudged():
            held.pop(record.url, None)
            yield record
    yield from held.values()
    for kept in textless:
        if kept.order is None:  # a copy
            understanding.miss(kept.url)
        understanding.forget(kept.url, None)
