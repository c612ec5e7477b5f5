"""PageRank as a strategy: the address with the highest rank in the known web is fetched next."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from semantic.learning.known_web import WAITING
from semantic.learning.pagerank import RankedWeb
from semantic.links.link_scorer import JudgedPage, LinkScorer
from semantic.links.queue_updates import Places
from semantic.memory.strategy_memory import Remembering
from semantic.reasons import Reason
from semantic.records import Priority
from semantic.urls import is_page_like

# times the pages until the next computation: so many addresses are reported in their true order; chosen, not measured
SPARE = 4


class PageRank(LinkScorer):
    """PageRank over the known web; `d` as in the formula."""

    KEPT: ClassVar = {"_ranked": Remembering, "_places": Remembering}

    def __init__(self, d: float = 0.85) -> None:
        self._ranked = RankedWeb(d)
        self._places = Places()

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """Each link has the rank of its target as priority."""
        urls = [link.url for link in judged.page.links]
        page, targets = self._ranked.add(judged.page.url, urls)
        ranks, places = self._ranked.ranks, {}
        for target in targets:
            url = self._ranked.web.addresses[target]
            places[url] = _priority(ranks[target])
            if is_page_like(url):
                self._places.report(target, ranks[target])
        own = _priority(ranks[page])
        return [places.get(url, own) for url in urls]

    def revise(self) -> Mapping[str, Priority]:
        """The new ranks, whenever they are recomputed."""
        if not self._ranked.compute():
            return {}
        web, ranks = self._ranked.web, self._ranked.ranks
        waiting = [number for number, links in enumerate(web.links) if links == WAITING]
        news = self._places.changed(waiting, ranks.__getitem__, SPARE * self._ranked.interval)
        return {web.addresses[number]: _priority(rank) for number, rank in news.items()}

    def forget(self, url: str, successor: str | None) -> None:
        """Count links to a redirected address for its target."""
        moved = self._ranked.end(url, successor)
        if moved is not None:
            self._places.report(moved[1], self._places.reported(moved[0]))


def _priority(rank: float) -> Priority:
    return Priority(rank, (Reason("PageRank over the known pages", rank),))
