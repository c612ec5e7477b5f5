"""Paper A's link scorer: PageRank over the known web, and tunnelling by a genetic factor.

    val(u) = sim(page) PR(u) / mean PR
    Val(u) = Val(page)     if val(u) >= thd
           = Val(page) r   else                 (`semantic.learning.genetic_factor`)

The queue is ordered by Val, then by val, both in one number: `two_key_priority`.

The paper leaves these points open; our choices:
- The paper calls val the authority of the link and compares it with a threshold of relevance (f = 0.15; with d = 0.85
  no PR is below it). It says that page text and links are combined, not how. Here val is the relevance of the linking
  page, higher if the known web points at the target more than at others. f is thd, which starts at 0.15.
- A seed has Val 100, whoever links to it; so has a page that got no Val from another.
- If several pages link to an address, the highest Val counts, and of the pages that give it the highest sim.
- When PageRank is recomputed, val changes and Val stays, because Val was given when the link was found.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from semantic.learning.genetic_factor import SEED_VAL, inherited_val, two_key_priority
from semantic.learning.known_web import WAITING
from semantic.learning.pagerank import RankedWeb
from semantic.links.link_scorer import BY_RANK, JudgedPage, LinkScorer
from semantic.links.queue_updates import Places
from semantic.memory.strategy_memory import Remembering
from semantic.reasons import Reason, because
from semantic.records import Priority
from semantic.strategies.baselines.pagerank_scorer import SPARE
from semantic.urls import is_page_like


class Tunnelling(LinkScorer):
    """Paper A's link scorer. `thd`: gives the current threshold; `is_seed`: whether an address is a seed."""

    KEPT: ClassVar = {"_ranked": Remembering, "_places": Remembering, "_inherited": array, "_sim": array}

    waits = BY_RANK

    def __init__(
        self, thd: Callable[[], float], is_seed: Callable[[str], bool], d: float = 0.85, r: float = 0.5
    ) -> None:
        self._thd = thd
        self._is_seed = is_seed
        self._r = r
        self._ranked = RankedWeb(d)
        self._places = Places()
        self._inherited = array("d")  # Val of each known address, 0 before it has one
        self._sim = array("d")  # sim of the page that gave Val

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """Pass Val on to the links; each link gets the priority of its target."""
        urls = [link.url for link in judged.page.links]
        page, targets = self._ranked.add(judged.page.url, urls)
        self._grow()
        if self._is_seed(judged.page.url):
            self._inherited[page] = SEED_VAL
        val = self._inherited[page] or SEED_VAL
        places = {}
        for target in targets:
            self._hand(target, val, judged.relevance.score)
            url = self._ranked.web.addresses[target]
            places[url] = priority = self._priority(target)
            if is_page_like(url):
                self._places.report(target, priority.score)
        own = self._priority(page)
        return [places.get(url, own) for url in urls]

    def _hand(self, target: int, parent: float, sim: float) -> None:
        val = self._val(target, sim)
        inherited = inherited_val(parent, val, self._thd(), self._r)
        before = (self._inherited[target], self._sim[target])
        self._inherited[target], self._sim[target] = max(before, (inherited, sim))

    def _val(self, target: int, sim: float) -> float:
        return sim * self._ranked.ranks[target] / self._ranked.mean

    def _place(self, target: int) -> float:
        inherited = self._inherited[target] or SEED_VAL
        return two_key_priority(inherited, self._val(target, self._sim[target]), self._r)

    def _priority(self, target: int) -> Priority:
        place = self._place(target)
        val = self._val(target, self._sim[target])
        second, rank = val / (1 + val), float(self._ranked.ranks[target])
        reasons = (
            Reason("roads blocked on the way here", place - second, (f"Val {self._inherited[target]:g}",)),
            Reason("val", second, (because("linking page and rank", relevance=float(self._sim[target]), rank=rank),)),
        )
        return Priority(place, reasons)

    def revise(self) -> Mapping[str, Priority]:
        """The new priorities, whenever PageRank is recomputed."""
        if not self._ranked.compute():
            return {}
        web = self._ranked.web
        waiting = [number for number, links in enumerate(web.links) if links == WAITING]
        news = self._places.changed(waiting, self._place, SPARE * self._ranked.interval)
        return {web.addresses[number]: self._priority(number) for number in news}

    def forget(self, url: str, successor: str | None) -> None:
        """Give Val and links of a redirected address to its target."""
        moved = self._ranked.end(url, successor)
        self._grow()
        if moved is not None:
            before, after = moved
            own = (self._inherited[after], self._sim[after])
            self._inherited[after], self._sim[after] = max(own, (self._inherited[before], self._sim[before]))
            self._places.report(after, self._places.reported(before))

    def _grow(self) -> None:
        fresh = len(self._ranked.ranks) - len(self._sim)
        self._inherited.extend([0.0] * fresh)
        self._sim.extend([0.0] * fresh)
