"""What a waiting link lacks compared with one that comes earlier, and a page off topic with those just on topic.

The shares of scores are compared (`semantic.records.shares_of`). A missing share is 0.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from cli.explaining.what_was_learned import stored_beliefs
from cli.render.answer_tables import Row
from cli.render.language import tr
from cli.render.terminal import one_line
from graphdb.stores import Store
from ontology.errors import OutdatedMemory
from semantic.reasons import Reason, shares_of
from semantic.strategies.learned_beliefs import Beliefs
from semantic.strategies.strategy_table import STRATEGIES
from semantic.urls import readable

ANY_DEPTH = 2**31  # deeper than any page
SHOWN = 5  # differences shown
LEAST = 0.005  # smallest difference shown

Shares = Mapping[str, float]


def depth_limit(settings: Mapping[str, Any]) -> int:
    """The depth up to which a crawl with these recorded settings fetches pages."""
    limit = settings.get("max_depth")
    return ANY_DEPTH if limit is None else int(limit)


class Crawl:
    """The crawl of a store, as explanations need it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._row = self._store.ask("explain", "crawl")[0]
        self._settings = json.loads(str(self._row["settings"]))
        self._strategy = str(self._row["strategy"])

    def place(self, url: str, page: Row) -> Iterable[str]:
        """The lines: a waiting link's place in the queue, the link it is compared with, and where it falls behind."""
        priority, found = page["priority"], page["found"]
        depth = depth_limit(self._settings)
        if whole(page["depth"]) > depth:
            yield tr("\nIts place: it waits for a run with a larger --max-depth, or none")
            return
        queue = self._store.ask("explain", "queue", priority=priority, found=found, depth=depth)[0]
        before, waiting = whole(queue["before"]), whole(queue["waiting"])
        left = max(0, self._settings["max_pages"] - whole(self._row["pages"]))
        ahead = (
            tr("{left:,} pages are left to --max-pages", left=left)
            if left
            else tr("--max-pages is reached: it waits for more")
        )
        yield tr(
            "\nIts place: {before:,} of {waiting:,} waiting; {ahead}", before=before + 1, waiting=waiting, ahead=ahead
        )
        if not before:
            yield tr("  no link that waits comes before it, as things stand")
            return
        cut_off = 0 < left <= before
        other = self._store.ask("explain", "place", before=left - 1 if cut_off else 0, depth=depth)[0]
        name = tr("place {left:,}, the last that is fetched", left=left) if cut_off else tr("the best that waits")
        shown = readable(str(other["url"]))
        yield tr(
            "\nWhat would have to differ: {name} has {priority:.3f}, {shown}",
            name=name,
            priority=_number(other["priority"]),
            shown=shown,
        )
        yield from self._differences(self._shares(url, page), self._shares(str(other["url"]), other))

    def reasons(self, url: str) -> Sequence[Reason]:
        """The reasons for a waiting link's priority, from the strategy's memory."""
        return self._beliefs.fused.reasons(url) if self._beliefs and self._beliefs.fused else ()

    def _shares(self, url: str, waiting: Row) -> Shares:
        """The shares of a waiting link's priority: as stored, otherwise from the strategy's memory."""
        return stored_shares(waiting) or shares_of(self.reasons(url))

    def _differences(self, here: Shares, there: Shares) -> Iterable[str]:
        """The lines of differences, with concepts' names."""
        rows = self._store.ask("explain", "captions", iris=sorted({*here, *there}))
        return differences(here, there, {str(row["iri"]): str(row["label"]) for row in rows})

    def likeness(self, url: str) -> Iterable[str]:
        """The line: which page of the link graph has the most similar links."""
        found = self._beliefs.fused.likeness(url) if self._beliefs and self._beliefs.fused else None
        if found:
            yield tr(
                "  in the link graph it looks most like the link to {page}, Q {q:.2f}",
                page=found[0],
                q=found[1],
            )

    def lacks(self, relevance: float, page: Row) -> Iterable[str]:
        """The lines: which shares of a page off topic are below those of pages just on topic."""
        rows = self._store.ask("explain", "just_on_topic")
        threshold = self._threshold
        if threshold is not None and relevance >= threshold:
            yield tr(
                "\nWhat it lacks: nothing by its relevance (the threshold is {threshold:g}); see the reasons above",
                threshold=threshold,
            )
            return
        asked = (
            tr(
                "{missing:.3f} below the threshold of {threshold:g}",
                missing=threshold - relevance,
                threshold=threshold,
            )
            if threshold
            else tr("off topic")
        )
        yield tr("\nWhat it lacks: it is {asked}", asked=asked)
        if rows:
            there = _mean([stored_shares(row) for row in rows])
            yield tr("  (there: the mean of the {number} pages nearest above)", number=len(rows))
            yield from self._differences(stored_shares(page), there)

    @property
    def _threshold(self) -> float | None:
        """The threshold; None if it changes during the crawl."""
        if self._strategy == "adaptive":
            return None
        given = self._settings.get("threshold")
        known = {**STRATEGIES[self._strategy].parameters, **self._settings.get("parameters", {})}
        return float(known["threshold"] if given is None else given)

    @cached_property
    def _beliefs(self) -> Beliefs | None:
        try:
            return stored_beliefs(self._store)
        except OutdatedMemory:
            return None  # `status` says so


def stored_shares(page: Row) -> Shares:
    """Name -> share of a page's or link's score, as stored in the graph."""
    shares: dict[str, float] = json.loads(str(page["shares"] or "{}"))
    return shares


def differences(here: Shares, there: Shares, captions: Mapping[str, str]) -> Iterable[str]:
    """The lines: which shares are higher there, the largest difference first. `captions`: IRI -> name."""
    gaps = [(there.get(what, 0.0) - here.get(what, 0.0), what) for what in dict.fromkeys([*here, *there])]
    more = sorted((gap for gap in gaps if gap[0] >= LEAST), key=lambda gap: (-gap[0], gap[1]))
    for gap, what in more[:SHOWN]:
        here_and_there = tr("{there:.3f} there, {here:.3f} here", there=there.get(what, 0.0), here=here.get(what, 0.0))
        yield f"  {gap:+.3f}  {one_line(captions.get(what) or tr(what), 60)}: {here_and_there}"
    if not more:
        yield tr("  nothing that its reasons show")


def _mean(all_shares: Sequence[Shares]) -> Shares:
    names = dict.fromkeys(name for shares in all_shares for name in shares)
    return {name: sum(shares.get(name, 0.0) for shares in all_shares) / len(all_shares) for name in names}


def whole(value: object) -> int:
    """A count in an answer; 0 where there is none."""
    return value if isinstance(value, int) else 0


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
