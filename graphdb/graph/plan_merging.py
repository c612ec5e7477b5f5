"""Merges several batches into one plan with the same effect as applying them one after the other, at less cost.

Of several priorities of a waiting page only the last is written, a page judged twice is written once, a page that is
queued and fetched is created with its final state, and so on. Rules
- A page that ended stays ended: queue entries of later batches are ignored.
- A better priority is compared with the one in the merged batches; if there is none, with the graph, as in one batch.
- The page that found a page first is its parent.
- An address out of scope does not wait until it is queued again.
- The paths to all pages that were results in any batch are marked, even if they are no results in the end; applying the
  batches one by one does the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphdb.record.batch_rows import Plan, Row

PLACE = ("priority", "reasons")


def merged(plans: Iterable[Plan]) -> Plan:
    """One plan for all. Raises ValueError if any plan but the last has `replaced`, which changes earlier pages."""
    sum_of_all = _Sum()
    for plan in plans:
        if sum_of_all.replaced:
            raise ValueError("a batch after which pages have become copies is merged with none that follows")
        sum_of_all.add(plan)
    return sum_of_all.plan()


@dataclass(slots=True)
class _Sum:
    """The fields of `Plan`, while they are collected."""

    ended: dict[str, Row] = field(default_factory=dict)
    waiting: dict[str, Row] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    links: dict[str, list[Row]] = field(default_factory=dict)
    mentions: dict[str, list[Row]] = field(default_factory=dict)
    sites: dict[str, Row] = field(default_factory=dict)
    results: dict[str, None] = field(default_factory=dict)
    revised: dict[str, Row] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)
    renewed: dict[str, Row] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    replaced: tuple[tuple[str, str, Row], ...] = ()
    outside: dict[str, Row] = field(default_factory=dict)
    unsaid: dict[str, Sequence[str]] = field(default_factory=dict)

    def plan(self) -> Plan:
        return Plan(
            self.ended,
            self.waiting,
            self.parents,
            self.links,
            self.mentions,
            self.sites,
            tuple(self.results),
            self.revised,
            self.chosen,
            self.renewed,
            self.copies,
            self.replaced,
            self.outside,
            self.unsaid,
        )

    def add(self, plan: Plan) -> None:
        self._add_waiting(plan)
        for url, row in plan.ended.items():
            self._end(url, row, plan)
        for host, site in plan.sites.items():
            self.sites[host] = self.sites.get(host, {}) | site
        for url, row in plan.renewed.items():
            self.renewed[url] = self.renewed.get(url, {}) | row
        for url, mentions in plan.mentions.items():
            self._mention(url, mentions, plan.unsaid.get(url))
        self.results |= dict.fromkeys(plan.results)
        self.copies |= plan.copies
        self.replaced = plan.replaced

    def _mention(self, url: str, mentions: list[Row], unsaid: Sequence[str] | None) -> None:
        """Replace the mentions of a page, or with `unsaid` only those of these concepts."""
        if unsaid is None:
            self.mentions[url] = mentions
            self.unsaid.pop(url, None)
            return
        if url not in self.mentions:
            self.unsaid[url] = unsaid
        elif url in self.unsaid:
            self.unsaid[url] = [*dict.fromkeys([*self.unsaid[url], *unsaid])]
        kept = [row for row in self.mentions.get(url, ()) if row["concept"] not in unsaid]
        self.mentions[url] = [*kept, *mentions]

    def _add_waiting(self, plan: Plan) -> None:
        """Add what the plan contains about pages that have not ended."""
        for url, parent in plan.parents.items():
            if url not in self.ended and url not in self.waiting:
                self.parents[url] = parent
        for url, row in plan.waiting.items():
            if url not in self.ended:
                self._queue(url, row)
        for url, row in plan.revised.items():
            if url not in self.ended and url not in plan.ended:
                self.revised[url] = row
        for url, row in plan.outside.items():
            if url not in self.ended:
                self.waiting.pop(url, None)
                self.revised.pop(url, None)
                self.outside[url] = row

    def _queue(self, url: str, row: Row) -> None:
        """Add a queue entry: the first one, or a better priority."""
        self.outside.pop(url, None)
        place = self.revised.get(url) or self.waiting.get(url)
        better = {name: row[name] for name in PLACE}
        if place is not None and place["priority"] < row["priority"]:
            if url in self.revised:
                self.revised[url] = better
            else:
                self.waiting[url] = place | better
        self.waiting.setdefault(url, row)

    def _end(self, url: str, row: Row, plan: Plan) -> None:
        if url in plan.chosen and url not in self.ended:
            self.chosen[url] = plan.chosen[url]
        self.ended[url] = row
        self.outside.pop(url, None)
        self.links[url] = plan.links.get(url, [])
        self.renewed.pop(url, None)
        self.copies.pop(url, None)
