"""What a store's crawl is about, and how it judged its pages, without the machinery of judging."""

import json
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from cli.inputs.crawl_topic import About, read_about, stored_seeds
from cli.recorded.store_reading import crawl_row
from cli.render.answer_tables import Row
from cli.settings import Settings
from graphdb.stores import Store


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


def verdicts(store: Store) -> dict[str, Verdict]:
    """The recorded judgement of each page that may be a result, in the order of fetching."""
    rows = sorted(store.ask("marks", "verdicts"), key=itemgetter("order", "url"))
    return {verdict.url: verdict for verdict in map(_verdict, rows)}


def _verdict(row: Row) -> Verdict:
    relevance = row["relevance"]
    assert isinstance(relevance, float)
    url, title, marked, kind = (str(row[name] or "") for name in ("url", "title", "verdict", "kind"))
    return Verdict(url, title, relevance, bool(row["on_topic"]), marked, kind)
