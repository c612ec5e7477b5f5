"""What a crawl is made of that other commands make too, without the machinery of crawling."""

import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from cli.inputs.concept_names import in_language
from cli.inputs.crawl_topic import About
from cli.settings import Settings
from graphdb.stores import Store
from semantic.parsing.page_reader import read_page
from semantic.records import ConceptRecord, CrawlRecord, Mark
from semantic.strategies.strategy_table import build_understanding, strategy_row, takes_marks
from semantic.understanding import Examples, Reader, TopicUnderstanding
from semantic.urls import without_password


def understanding_of(  # noqa: PLR0913 - all that it is made of
    settings: Settings,
    about: About,
    seeds: Sequence[str],
    language: str | None,
    *,
    examples: Examples | None,
    read: Reader = read_page,
) -> TopicUnderstanding:
    """Build analyst, judge and scorer by the settings. `language`: of captions."""
    return build_understanding(
        settings.strategy,
        about.topic,
        about.lexicon,
        threshold=settings.threshold,
        parameters=settings.parameters,
        seeds=seeds,
        examples=examples,
        read=read,
        seed=settings.seed,
        segmenter=settings.segmenter,
        language=language,
        respects=settings.respect is not None,
        listings=settings.results is not None,
    )


def make_record(settings: Settings, about: About) -> CrawlRecord:
    """The record of the crawl itself. Its settings say where samples came from, if the strategy uses any."""
    kept = asdict(settings) | {"proxy": settings.proxy and without_password(settings.proxy)}
    for name in ("ontology", "examples"):  # absolute, so that they are found from any folder
        kept[name] = kept[name] and str(Path(kept[name]).resolve())
    for name in ("recrawl", "watch", "dashboard", "workers"):
        del kept[name]  # of this run, not of the crawl
    if strategy_row(settings.strategy).samples:
        kept["samples"] = "examples" if settings.examples else "ontology"
    return CrawlRecord(
        id=str(uuid.uuid4()),
        topic=about.iri,
        ontology=about.name,
        fingerprint=about.fingerprint,
        strategy=settings.strategy,
        settings=json.dumps(kept, ensure_ascii=False, sort_keys=True),
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def marks_given(examples: Examples | None, strategy: str) -> dict[str, Mark]:
    """Addresses that --examples marks as good or bad, if the strategy uses marks as more than samples."""
    return examples.good_and_bad if examples and takes_marks(strategy) else {}


def captioned(concepts: Sequence[ConceptRecord], language: str | None, store: Store) -> list[ConceptRecord]:
    """The concepts with the names to show. `language` None: that of most pages."""
    return list(concepts) if language else in_language(concepts, store.languages())
