"""A crawl resumed with other settings: which decisions in its record are made again.

The threshold decides again which pages are on topic; the scope, and parameters that discard links, which addresses
wait.
"""

import json
from collections.abc import Mapping
from dataclasses import replace

from cli.render.language import tr
from cli.render.terminal import say
from cli.settings import Settings
from crawler.frontier.scope import Scope
from crawler.rejudging.requeueing import rescoped, revived
from graphdb.record.batch_rows import parts
from graphdb.stores import Store
from semantic.records import Batch, CrawlRecord, Resumed
from semantic.strategies.strategy_table import STRATEGIES, parameters_of
from semantic.understanding import TopicUnderstanding

SAVED_AT_ONCE = 5000  # addresses in one batch; chosen, not measured


def threshold_of(strategy: str, threshold: float | None, parameters: Mapping[str, float]) -> float:
    """The threshold in force: the one given, otherwise the parameter, otherwise the strategy's default."""
    return parameters_of(strategy, parameters)["threshold"] if threshold is None else threshold


def decide_again(store: Store, resumed: Resumed, now: CrawlRecord, settings: Settings) -> tuple[Resumed, list[str]]:
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


def bring_into_scope(store: Store, scope: Scope, resumed: Resumed) -> Resumed:
    """Apply the current scope to addresses that waited under another scope. If this is interrupted, the next run
    completes it.
    """
    if resumed.scope == scope.text:
        return resumed
    moved, counters = rescoped(store, scope), resumed.counters
    if moved.left or moved.back:
        say(
            tr(
                "  scope: {left:,} links wait no more, {back:,} wait again",
                left=len(moved.left),
                back=len(moved.back),
            )
        )
    for reasons in parts(moved.reasons, SAVED_AT_ONCE):
        store.save(Batch(counters=counters, outside=tuple(reasons)))
    for back in parts(moved.back, SAVED_AT_ONCE):
        store.save(Batch(counters=counters, revived=tuple(back)))
    store.save(Batch(counters=counters, scope=scope.text))
    waiting = resumed.waiting - len(moved.left) + len(moved.back)
    return replace(resumed, waiting=waiting, found=resumed.found + len(moved.back), scope=scope.text)


def revive(store: Store, understanding: TopicUnderstanding, resumed: Resumed) -> Resumed:
    """Queue links that were discarded before and are not now."""
    if not resumed.changed or not understanding.scorer.repeatable:
        return resumed
    links = revived(store.stored_pages(), store.discarded(), understanding)
    if not links:
        return resumed
    store.save(Batch(counters=resumed.counters, revived=links))
    say(tr("  links queued that were discarded before: {links:,}", links=len(links)))
    return replace(resumed, waiting=resumed.waiting + len(links))
