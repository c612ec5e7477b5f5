"""Strategies that pass cash from page to page: OPIC and OPIE. The address with the most cash is fetched next.

OPIC (Abiteboul et al. 2003). Every seed starts with cash 1/n. Fetching page i distributes cash(i) equally among its
links; then cash(i) = 0.

OPIE (Guan et al. 2008): as OPIC, but link u of page i gets its share in proportion to its topical similarity, and a
page off topic passes on less.

    cash(u) += kept(i) cash(i) sim(u) / sum_v sim(v)
    sim(u)   = near sim(context of u) + (1 - near) sim(i)
    kept(i)  = 1 if i is on topic, else off_topic

The papers leave these points open; our choices:
- A seed has cash 1 instead of 1/n: the order is the same, and n need not be known.
- A page that got no cash (a seed that no other seed links to) counts with the mean cash of fetched pages so far, which
  is 1 while there were only seeds. A seed that an earlier seed links to has only its share.
- Cash of a redirected address goes to its target; cash of one that fails is lost.
- `history`, the sum of cash that a page ever had, does not affect the order if no page is fetched twice, and is not
  stored.
- Several links of a page to one address are one link; OPIE takes the most similar of them.
- Cash given to a page already fetched, or by a page without links, is lost.
- OPIE: the context of a link is its anchor and 60 characters on either side; `near` 0.5, `off_topic` 0.5; sim is
  formula 1 of paper O; if all links have similarity 0, all get the same.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from semantic.links.address_sums import Accounts
from semantic.links.link_reading import LinkReader
from semantic.links.link_scorer import JudgedPage, LinkScorer, Similarity
from semantic.memory.strategy_memory import Remembering
from semantic.reasons import Reason, because
from semantic.records import Priority


class _Cash(Remembering):
    """The cash of every waiting address, and the mean cash of fetched pages."""

    KEPT: ClassVar = {"_accounts": Remembering, "_pages": int, "_brought": float, "_richer": list[str]}

    def __init__(self) -> None:
        self._accounts = Accounts()
        self._richer: list[str] = []
        self._pages = 0
        self._brought = 0.0

    def bring(self, url: str) -> float:
        """Remove and return the cash of a page that has been fetched."""
        cash = self._accounts.take(url)
        if cash is None:
            cash = self._brought / self._pages if self._pages else 1.0
        self._pages += 1
        self._brought += cash
        return cash

    def hand(self, url: str, part: float, why: Reason) -> Priority:
        """Add `part` to an address; its new total is its priority."""
        before = self._accounts.get(url)
        self._accounts.set(url, before + part)
        reasons = [Reason("cash from the linking page", part, (why,))]
        if before:
            reasons.append(Reason("cash from other pages before", before, (f"{before:.3g}",)))
        return Priority(before + part, tuple(reasons))

    def hand_over(self, url: str, successor: str | None) -> None:
        """Give the cash of an address that ended without a page to `successor`; without one it is lost."""
        cash = self._accounts.take(url)
        if cash is not None and successor is not None:
            self._accounts.set(successor, self._accounts.get(successor) + cash)
            self._richer.append(successor)

    def richer(self) -> dict[str, Priority]:
        """The totals of addresses that got cash through a redirect since the last call."""
        totals = {url: self._accounts.get(url) for url in self._richer}
        self._richer.clear()
        return {
            url: Priority(total, (Reason("cash, with that of an address that leads here", total, (f"{total:.3g}",)),))
            for url, total in totals.items()
        }


class _CashScorer(LinkScorer):
    """What OPIC and OPIE have in common: the cash."""

    KEPT: ClassVar = {"_cash": Remembering}

    def __init__(self) -> None:
        self._cash = _Cash()

    def revise(self) -> Mapping[str, Priority]:
        """The new priorities of targets of redirects."""
        return self._cash.richer()

    def forget(self, url: str, successor: str | None) -> None:
        """Pass the cash on."""
        self._cash.hand_over(url, successor)


class Opic(_CashScorer):
    """OPIC, on-line page importance computation: cash is shared equally."""

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """Distribute the page's cash among its links; each has its new total as priority."""
        urls = [link.url for link in judged.page.links]
        targets = dict.fromkeys(urls)
        cash = self._cash.bring(judged.page.url)
        part = cash / max(1, len(targets))
        why = because("share of cash", cash=part, number=len(targets))
        totals = {url: self._cash.hand(url, part, why) for url in targets}
        return [totals[url] for url in urls]


class Opie(_CashScorer):
    """OPIE, on-line topical importance estimation: cash goes to links whose context and page are similar to the topic.

    `weights`: near and off_topic.
    """

    def __init__(self, reader: LinkReader, similarity: Similarity, weights: Mapping[str, float]) -> None:
        super().__init__()
        self._reader = reader
        self._similarity = similarity
        self._weights = weights

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """Distribute the page's cash by similarity; each link has its new total as priority."""
        cash = self._cash.bring(judged.page.url)
        if not judged.relevance.on_topic:
            cash *= self._weights["off_topic"]
        similar = self._similar(judged)
        whole = sum(similar.values())
        totals = {}
        for url, sim in similar.items():
            part = cash * sim / whole if whole else cash / len(similar)
            why = because("cash by similarity", cash=part, similarity=sim, whole=whole)
            totals[url] = self._cash.hand(url, part, why)
        return [totals[link.url] for link in judged.page.links]

    def _similar(self, judged: JudgedPage) -> dict[str, float]:
        """sim(u) of each address that the page links to."""
        weight = self._weights["near"]
        page = (1 - weight) * judged.relevance.score
        similar: dict[str, float] = {}
        for link, features in zip(judged.page.links, self._reader.describe(judged.page, judged.counts), strict=True):
            sim = weight * self._similarity(features.anchor + features.context) + page
            similar[link.url] = max(sim, similar.get(link.url, 0.0))
        return similar
