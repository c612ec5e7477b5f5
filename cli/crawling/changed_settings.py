"""A crawl that goes on with other settings: what of its record is decided anew, and what is not."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from cli.settings import Settings
from semantic.records import CrawlRecord, Resumed
from semantic.strategies.strategy_table import STRATEGIES, parameters_of


class Deciding(Protocol):
    """What is asked of a store."""

    def decide(self, threshold: float) -> int:
        """Call a page on topic from this relevance on. Gives how many are."""
        ...


def threshold_of(strategy: str, threshold: float | None, parameters: Mapping[str, float]) -> float:
    """The threshold that holds: as given, else as a parameter, else the strategy's own."""
    return parameters_of(strategy, parameters)["threshold"] if threshold is None else threshold


def decide_again(store: Deciding, resumed: Resumed, now: CrawlRecord, settings: Settings) -> tuple[Resumed, list[str]]:
    """Where the threshold is another than before, decide by it what was judged before.

    Gives the totals of now, and what a user must know of pages that were fetched before.
    """
    before = resumed.previous
    if (
        before is None
        or not resumed.counters.pages
        or before.strategy != now.strategy
        or now.strategy not in STRATEGIES
    ):
        return resumed, []
    was = _threshold_before(before)
    threshold = threshold_of(settings.strategy, settings.threshold, settings.parameters)
    if was == threshold:
        return resumed, []
    if not STRATEGIES[settings.strategy].by_threshold:
        kept = f"the {resumed.counters.pages:,} pages so far keep their judgement"
        return resumed, [f"the threshold of {threshold:g} holds for pages fetched from now on; {kept}"]
    on_topic = store.decide(threshold)
    line = (
        f"by the threshold of {threshold:g} {on_topic:,} of the {resumed.counters.pages:,} pages so far are on topic "
        f"(by that of {was:g}: {resumed.counters.on_topic:,}); their relevance is what it was"
    )
    return replace(resumed, counters=replace(resumed.counters, on_topic=on_topic)), [line]


def _threshold_before(before: CrawlRecord) -> float:
    settings = json.loads(before.settings)
    return threshold_of(before.strategy, settings.get("threshold"), settings.get("parameters", {}))
