"""Pages of a crawl as the page shows them: with the words of the topic highlighted, and with reasons."""

import contextlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from cli.recorded.recorded_verdicts import known_about, stored_settings
from cli.render.language import reason_told
from cli.report.page_cards import TOLD, Words
from cli.results.result_formats import why
from cli.results.result_list import Result, read_results
from graphdb.stores import Store, open_store
from semantic.urls import readable

CRAWLS = 4  # whose words are kept in memory; chosen, not measured


def words_of(store: Store, where: str) -> Words | None:
    """The words of a crawl's topic; None if its ontology has none, or its file is gone."""
    settings = stored_settings(store)
    file = Path(settings.ontology) if settings.ontology else None
    return _words(where, settings.ontology, file.stat().st_mtime_ns if file and file.exists() else None)


@lru_cache(CRAWLS)
def _words(where: str, ontology: str | None, changed: int | None) -> Words | None:
    """Reading an ontology takes a fifth of a second, so this is done again only after its file has `changed`."""
    with contextlib.closing(open_store(where, create=False)) as store:
        settings = stored_settings(store)
        about = known_about(store, settings)
    return Words(about, settings.segmenter) if about else None


def shown(store: Store, where: str, pages: Sequence[int]) -> list[dict[str, Any]]:
    """These pages, by their numbers, as JSON."""
    return [_row(one) for one in read_results(store, pages, words_of(store, where))]


def _row(one: Result) -> dict[str, Any]:
    return {
        "url": one.url,
        "title": one.title or readable(one.url),
        "shown": readable(one.url),
        "site": readable(one.site),
        "published": one.published,
        "relevance": one.relevance,
        "kind": one.kind,
        "marked": one.marked,
        "concepts": one.concepts,
        "said": one.said,
        "why": why(one, "; "),
        "reasons": [reason_told(reason) for reason in one.why[:TOLD]],
    }
