"""What a store's crawl is about, and how it judged its pages, without the machinery of judging."""

import json
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from cli.inputs.crawl_topic import About, read_about, stored_seeds
from cli.recorded.store_reading import crawl_row
from cli.render.answer_tables import Row
from cli.render.language import tr
from cli.render.terminal import say
from cli.settings import Settings
from graphdb.stores import Store
from ontology.errors import OntocrawlError


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a page."""

    url: str
    title: str
    relevance: float
    on_topic: bool
    marked: str = ""
    kind: str = ""  # see `semantic.parsing.page_kind`


def stored_settings(store: Store) -> Settings:
    """The settings of the crawl's last run."""
    kept: dict[str, Any] = json.loads(str(crawl_row(store)["settings"]))
    known: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
    known.pop("samples", None)
    return Settings(**known)


def stored_about(store: Store, settings: Settings) -> About:
    """What the crawl is about, by its ontology as it is now. Raises OntocrawlError for a file that cannot be used."""
    return read_about(settings.ontology, stored_seeds(store), settings.generations, reason=settings.reason)


def known_about(store: Store, settings: Settings) -> About | None:
    """The same; None if the crawl has no ontology with words, or its file is gone, which is said: then no sentences of
    pages can be shown.
    """
    try:
        about = stored_about(store, settings)
    except OntocrawlError as error:
        say(tr("no sentences of pages are shown: {error}", error=error))
        return None
    return about if about.lexicon.words else None


def verdicts(store: Store) -> dict[str, Verdict]:
    """The recorded judgement of each page that may be a result, in the order of fetching."""
    rows = sorted(store.ask("marks", "verdicts"), key=itemgetter("order", "url"))
    return {verdict.url: verdict for verdict in map(_verdict, rows)}


def _verdict(row: Row) -> Verdict:
    relevance = row["relevance"]
    assert isinstance(relevance, float)
    url, title, marked, kind = (str(row[name] or "") for name in ("url", "title", "verdict", "kind"))
    return Verdict(url, title, relevance, bool(row["on_topic"]), marked, kind)
