"""`ontocrawl ontology suggest --from`: proposals from other sources for the ontology's words, with counts in pages.

A source only proposes. If a crawl is given, terms that its pages on topic contain come first, with their pages.
"""

import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from cli.inputs.crawl_topic import About, read_about
from cli.ontologies.suggesting import as_row, check_answers, hand_over, proposals_table, read_pages, without_refused
from cli.recorded.recorded_verdicts import stored_about, stored_settings
from cli.render.answer_tables import as_json
from cli.render.language import tr
from cli.render.terminal import say
from graphdb.stores import open_store
from ontology.errors import SettingsError
from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.proposal import Proposal
from ontology.proposals.refusals import refused
from ontology.thesauri.entries import wanted_words
from ontology.thesauri.source_proposals import proposals_of
from ontology.thesauri.source_reading import read_source
from semantic.candidates.own_text import ReadPage
from semantic.parsing.page_reader import unpack
from semantic.proposals.doubtful_words import surprise
from semantic.proposals.suggestions import within
from semantic.proposals.term_contexts import terms_matcher

_NAMING = ("name", "synonym", "fragment")  # the last where a class has no label that can be used


def run(  # noqa: PLR0913 - what was typed
    source: str,
    where: str,
    ontology: Path | None,
    out: Path | None,
    most: int,
    *,
    one_by_one: bool,
    as_rows: bool,
) -> int:
    """Propose terms for `ontology`, or for that of the crawl in the store `where`, whose pages are then counted."""
    check_answers(one_by_one=one_by_one)
    pages: list[ReadPage] = []
    if ontology is not None:
        about = read_about(ontology)
    else:
        with contextlib.closing(open_store(where, create=False)) as store:
            settings = stored_settings(store)
            if settings.ontology is None:
                raise SettingsError("this crawl has no ontology", "give one with --ontology FILE")
            about = stored_about(store, settings)
            pages = read_pages(store)
    usable = [iri for iri in within(about.ontology, about.topic) if iri not in about.topic.layers]
    labels = [label for iri in usable for label in about.ontology.concepts[iri].labels if label.kind in _NAMING]
    entries = read_source(source, wanted_words(labels))
    found = counted(proposals_of(entries, about.ontology, about.lexicon, usable), pages)
    number = len(found)
    found = without_refused(found, refused(Path(about.ontology.path)), most)
    say(tr("{source}: {number:,} entries for the words of the ontology", source=source, number=len(entries)))
    hand_over(
        found,
        about,
        out,
        lambda: _rows(found, pages) if as_rows else _table(found, pages, about, source, number),
        one_by_one=one_by_one,
        as_rows=as_rows,
    )
    return 0


def _rows(found: Sequence[Proposal], pages: Sequence[ReadPage]) -> str:
    """The proposals for programs; without pages the counts are null."""
    rows = list(map(as_row, found))
    if pages:
        return as_json(rows)
    none = dict.fromkeys(("on_topic", "off_topic", "gain", "score"))
    return as_json(
        [{**row, "evidence": {**asdict(one.evidence), **none}} for row, one in zip(rows, found, strict=True)]
    )


def _table(found: Sequence[Proposal], pages: Sequence[ReadPage], about: About, source: str, number: int) -> str:
    """`number`: of all words that were found, refused ones among them."""
    if number and not found:
        return tr(
            "nothing is proposed: all words that {source} has for this ontology were refused earlier ({number})",
            source=source,
            number=number,
        )
    if not found:
        return tr("nothing is proposed: {source} has no other words for this ontology", source=source)
    return proposals_table(found, about, is_counted=bool(pages))


def counted(found: Sequence[Proposal], pages: Sequence[ReadPage]) -> list[Proposal]:
    """The proposals with counts of pages, those on most pages on topic first, otherwise in their order."""
    if not found or not pages:
        return list(found)
    keys = [same_word_key(one.term) for one in found]
    matcher = terms_matcher(keys)
    on: Counter[int] = Counter()
    off: Counter[int] = Counter()
    for page in pages:
        text = unpack(page.content, page.url).text
        (on if page.counts_for else off).update({hit.words[0] for hit in matcher.find(text)})
    share = sum(page.counts_for for page in pages) / len(pages)
    first = {key: number for number, key in reversed(list(enumerate(keys)))}
    rows = []
    for one, key in zip(found, keys, strict=True):
        said_on, said_off = on[first[key]], off[first[key]]
        score = round(surprise(said_on, said_off, share), 2) if 0 < share < 1 else 0.0
        rows.append(
            replace(
                one, evidence=replace(one.evidence, on_topic=said_on, off_topic=said_off, gain=said_off, score=score)
            )
        )
    return sorted(rows, key=lambda one: -one.evidence.on_topic)
