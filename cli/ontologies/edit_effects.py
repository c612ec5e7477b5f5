"""`ontocrawl ontology diff --store`: the effect of an edit on the pages of a crawl. The store is only read.

All pages are judged by both versions in the same way, as by `rejudge`. The record's own verdicts cannot be compared
with: a live crawl learned from pages in another order, and after `rejudge` with the very same ontology 17 of 2,000
pages of one wiki had other verdicts, as many as an edit changes.
"""

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from cli.crawling.crawl_parts import marks_given, understanding_of
from cli.crawling.rejudge import all_marks, put_judged
from cli.inputs.concept_names import chosen_language
from cli.inputs.crawl_topic import About, read_about, stored_seeds
from cli.inputs.example_pages import examples_of
from cli.ontologies.said_words import SaidWords, said_words
from cli.recorded.page_counts import page_counts
from cli.recorded.recorded_verdicts import Verdict, stored_settings, verdicts
from cli.recorded.verdict_changes import Changes, changed, tell_changes
from cli.render.language import as_told, tr
from cli.render.terminal import one_line, say, show
from cli.settings import Settings
from crawler.rejudging.record_rejudging import judge_again
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError
from ontology.inspection.differences import OF_A_LABEL, Difference, differences, in_words, written
from semantic.records import JudgedRecord, StoredPage


@dataclass(frozen=True, slots=True)
class Said:
    """A difference, with the number of pages that contain what was added, removed or changed, and how many are on
    topic.

    Removals are counted by the words and verdicts of the old version, everything else by the new one.
    """

    difference: Difference
    pages: int
    on_topic: int


def run(where: str, old: Path, new: Path, *, as_json: bool) -> None:
    """Print the differences of two versions and their effect on pages. Raises SettingsError for unsuitable stores."""
    with contextlib.closing(open_store(where, create=False)) as store:
        said, changes = effects(store, old, new, first_labels=as_json)
    if as_json:
        rows = [{**asdict(one.difference), "pages": one.pages, "on_topic": one.on_topic} for one in said]
        show(json.dumps({"differences": rows, **asdict(changes)}, ensure_ascii=False))
        return
    for one in said:
        where_said = (
            tr("  (pages {pages:,}, on topic {on_topic:,})", pages=one.pages, on_topic=one.on_topic)
            if one.difference.concept
            else ""
        )
        show(one_line(as_told(in_words(one.difference))) + where_said)
    tell_changes(changes)


def effects(store: Store, old: Path, new: Path, *, first_labels: bool) -> tuple[list[Said], Changes]:
    """Each difference with its pages, and how verdicts change. Raises SettingsError if the crawl has no ontology.

    `first_labels`: concepts are named by these, and not in the user's language.
    """
    settings = stored_settings(store)
    if settings.ontology is None:
        raise SettingsError("this crawl has no ontology", "compare the two without --store")
    seeds = stored_seeds(store)
    recorded, kept = verdicts(store), list(store.stored_pages())
    before, after = (_judged(store, settings, path, seeds, recorded, kept) for path in (old, new))
    language = None if first_labels else chosen_language(None, after.about.ontology)
    found = differences(before.about.ontology, after.about.ontology, language)
    moved = {str(one.after): str(one.before) for one in found if one.what == "iri"}
    changes = changed(before.verdicts, after.verdicts, page_counts(store), {})
    crawled = sum(verdict.on_topic for verdict in recorded.values())
    if crawled != changes.before:
        say(
            tr(
                "  the crawl itself has {crawled:,} pages on topic: it judged each when it came; judged all together "
                "there are {before:,}, with which the new version is compared",
                crawled=crawled,
                before=changes.before,
            )
        )
    return [_said(one, before, after, moved) for one in found], changes


@dataclass(frozen=True, slots=True)
class _Judged:
    """One version of the ontology, with the crawl's pages judged by it."""

    about: About
    verdicts: Mapping[str, Verdict]
    said: SaidWords


def _judged(  # noqa: PLR0913, PLR0917 - a version, and all that the record has
    store: Store,
    settings: Settings,
    path: Path,
    seeds: Sequence[str],
    recorded: Mapping[str, Verdict],
    kept: Sequence[StoredPage],
) -> _Judged:
    say(tr("  pages are judged by {path}; nothing is written", path=path.name))
    about = read_about(path, seeds, settings.generations, reason=settings.reason)
    language, examples = chosen_language(settings.lang, about.ontology), examples_of(settings.examples, stored=True)
    understanding = understanding_of(settings, about, seeds, language, examples=examples)
    if understanding.takes_marks:
        understanding.teach(all_marks(marks_given(examples, settings.strategy), store), lambda: iter(()))
    judged: dict[str, JudgedRecord] = {}
    put_judged(judged, judge_again(kept, understanding))
    put_judged(judged, understanding.settle())
    found = {
        url: replace(verdict, relevance=judged[url].relevance, on_topic=judged[url].on_topic)
        for url, verdict in recorded.items()
        if url in judged
    }
    pages = ((page.url, page.content) for page in kept if page.content and page.url in found)
    return _Judged(about, found, said_words(pages, about, settings.segmenter))


def _said(one: Difference, before: _Judged, after: _Judged, moved: Mapping[str, str]) -> Said:
    is_gone = one.before is None if one.what == "deprecated" else one.after is None
    side = before if is_gone else after
    iri = moved.get(one.concept, one.concept) if side is before else one.concept
    concept = side.about.ontology.concepts.get(iri)
    urls: set[str] = set()
    if concept is not None:
        text = one.before if one.after is None else one.after
        labels = concept.excludes if one.what == "excluded" else concept.labels if one.what in OF_A_LABEL else ()
        label = next((each for each in labels if written(each) == text), None)
        urls = side.said.concepts.get(iri, set()) if label is None else side.said.of_label(concept, label)
    return Said(one, len(urls), sum(side.verdicts[url].on_topic for url in urls))
