"""A crawl resumed with other settings: which decisions in its record are made again."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from cli.render.language import tr
from cli.settings import Settings
from semantic.records import CrawlRecord, Resumed
from semantic.strategies.strategy_table import STRATEGIES, parameters_of


class Deciding(Protocol):
    """What is needed of a store."""

    def set_threshold(self, threshold: float) -> int:
        """Set `on_topic` of all pages by this threshold. Gives how many are on topic."""
        ...


def threshold_of(strategy: str, threshold: float | None, parameters: Mapping[str, float]) -> float:
    """The threshold in force: the one given, otherwise the parameter, otherwise the strategy's default."""
    return parameters_of(strategy, parameters)["threshold"] if threshold is None else threshold


def decide_again(store: Deciding, resumed: Resumed, now: CrawlRecord, settings: Settings) -> tuple[Resumed, list[str]]:
    """Apply a changed threshold to the pages judged before.

    Gives the new totals, and messages about earlier pages for the user.
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
        kept = tr("the {pages:,} pages so far keep their judgement", pages=resumed.counters.pages)
        holds = tr("the threshold of {threshold:g} holds for pages fetched from now on", threshold=threshold)
        return resumed, [f"{holds}; {kept}"]
    on_topic = store.set_threshold(threshold)
    line = tr(
        "by the threshold of {threshold:g} {on_topic:,} of the {pages:,} pages so far are on topic "
        "(by that of {was:g}: {before:,}); their relevance is what it was",
        threshold=threshold,
        on_topic=on_topic,
        pages=resumed.counters.pages,
        was=was,
        before=resumed.counters.on_topic,
    )
    return replace(resumed, counters=replace(resumed.counters, on_topic=on_topic)), [line]


def _threshold_before(before: CrawlRecord) -> float:
    settings = json.loads(before.settings)
    return threshold_of(before.strategy, settings.get("threshold"), settings.get("parameters", {}))
