"""Thresholds of relevance, and what others would change: `ontocrawl threshold`, and lines of `status`."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cli.crawling.changed_settings import threshold_of
from cli.recorded.page_counts import PageCounts, page_counts, pages_line
from cli.render.answer_tables import Row
from cli.render.language import listed, tr
from cli.render.terminal import fitted, one_line, width
from cli.store_option import store_words
from graphdb.stores import Store
from ontology.errors import SettingsError
from semantic.strategies.strategy_table import STRATEGIES
from semantic.urls import readable

BORDERS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)  # thresholds that are shown
BINS = 1000  # parts of the scale in which pages are counted, as the question `scale` has them
NEAR = 0.05  # distance from a border within which pages are shown: half of the distance to the next border
SHOWN = 3  # pages at each border
ASKED = 8  # candidates from which the nearest are taken
TITLE = 30  # columns


def read_thresholds(store: Store, crawl: Row) -> dict[str, Any]:
    """`threshold`, what `PageCounts` has, and for each of the `borders` how many pages reach it and some `near` it.

    Raises SettingsError if the strategy does not judge by a threshold alone.
    """
    strategy = str(crawl["strategy"])
    if not decides(strategy):
        cure = tr("crawl with --strategy fused to have one that can be chosen afterwards")
        raise SettingsError(tr("strategy '{strategy}' does not judge by a threshold alone", strategy=strategy), cure)
    found = count_pages(store, crawl)
    rows = found.pop("rows")
    asked = {border["from"]: _nearest(rows, border["from"]) for border in found["borders"]}
    urls = sorted({url for some in asked.values() for url in some})
    pages = {str(row["url"]): dict(row) for row in store.ask("status", "near", urls=urls)}
    for border in found["borders"]:
        near = sorted((pages[url] for url in asked[border["from"]]), key=_distance(border["from"]))[:SHOWN]
        border["near"] = sorted(near, key=lambda page: (-page["relevance"], page["url"]))
    return found


def decides(strategy: str) -> bool:
    """Whether a strategy's pages are on topic exactly if their relevance reaches the threshold."""
    return strategy in STRATEGIES and STRATEGIES[strategy].by_threshold


def count_pages(store: Store, crawl: Row) -> dict[str, Any]:
    """The same without example pages. `rows`: number of pages in each part of the scale."""
    settings = json.loads(str(crawl["settings"]))
    threshold = threshold_of(str(crawl["strategy"]), settings.get("threshold"), settings.get("parameters", {}))
    rows = store.ask("status", "scale", threshold=threshold)
    reached = {border: sum(row["pages"] for row in rows if row["part"] >= round(border * BINS)) for border in BORDERS}
    reached[threshold] = sum(row["reaching"] for row in rows)
    borders = [{"from": border, "pages": reached[border]} for border in sorted(reached)]
    return {"threshold": threshold, **asdict(page_counts(store)), "borders": borders, "rows": rows}


def _nearest(rows: Sequence[Mapping[str, Any]], border: float) -> list[str]:
    """Addresses of pages near a border, from the nearest parts of the scale."""
    near = [row for row in rows if abs(row["part"] - border * BINS) <= NEAR * BINS]
    near.sort(key=lambda row: abs(row["part"] + 0.5 - border * BINS))
    return list(dict.fromkeys(url for row in near for url in (row["first"], row["last"])))[:ASKED]


def _distance(border: float) -> Callable[[Mapping[str, Any]], tuple[float, str]]:
    return lambda page: (abs(page["relevance"] - border), page["url"])


def threshold_lines(found: Mapping[str, Any], where: str) -> Iterable[str]:
    """The lines for people. `where`: the store."""
    for border in found["borders"]:
        mark = tr("  the threshold") if border["from"] == found["threshold"] else ""
        yield tr(
            "{threshold:<5g} {pages:>9,} pages{mark}",
            threshold=border["from"],
            pages=border["pages"],
            mark=mark,
        )
        for page in border["near"]:
            title = one_line(str(page["title"] or ""), TITLE)
            kind = tr("  a listing") if page["kind"] == "listing" else ""
            yield fitted(f"      {page['relevance']:.3f}  {title}{' ' * (TITLE - width(title))}  ", _short(page), kind)
    counts = PageCounts(found["pages"], found["hidden"], found["error_pages"])
    yield tr("of {told}", told=pages_line(counts))
    yield tr("\nTo change it: {command} rejudge{store} --threshold T", store=store_words(where))


def _short(page: Mapping[str, Any]) -> str:
    return readable(str(page["url"])).partition("://")[2]


def threshold_line(found: Mapping[str, Any], where: str) -> str:
    """The counts in one line."""
    counts = listed(f"{border['from']:g}: {border['pages']:,}" for border in found["borders"])
    return tr(
        "{threshold:g}; pages from {counts}; see: {command} threshold{store}",
        threshold=found["threshold"],
        counts=counts,
        store=store_words(where),
    )
