"""`ontocrawl ontology weigh`: weights of features computed from a crawl's pages. The store is only read."""

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from cli.inputs.concept_names import chosen_language
from cli.inputs.crawl_topic import About
from cli.ontologies.suggesting import MARKS, check_answers, hand_over
from cli.recorded.recorded_verdicts import stored_about, stored_settings, verdicts
from cli.render.answer_tables import as_table
from cli.render.language import listed, tr
from cli.render.terminal import say
from graphdb.stores import Store, open_store
from ontology.concepts import Concept, Ontology
from ontology.errors import SettingsError
from ontology.inspection.concept_captions import Captions
from ontology.proposals.proposal import Proposal
from ontology.proposals.refusals import refusal_key, refused
from semantic.proposals.concept_weights import WeighedConcept, WeighedPage, as_proposal, features_of, weigh


def run(where: str, out: Path | None, *, one_by_one: bool, as_rows: bool) -> int:
    """Print weights, or write changed ones to `out` as proposals, or ask about them.

    Raises SettingsError if the crawl has no ontology or no page on topic.
    """
    check_answers(one_by_one=one_by_one)
    with contextlib.closing(open_store(where, create=False)) as store:
        settings = stored_settings(store)
        if settings.ontology is None:
            raise SettingsError("this crawl has no ontology", "crawl with --ontology FILE")
        about = stored_about(store, settings)
        say(tr("reading the record ..."))
        pages = list(read_pages(store, about))
    if not any(page.counts for page in pages):
        raise SettingsError("no page of this crawl is on topic", "crawl more, or mark pages: {command} review")
    found = weigh(about.topic, pages)
    hand_over(
        other_weights(found, about.ontology),
        about,
        out,
        lambda: json.dumps([asdict(one) for one in found]) if as_rows else _table(found, about, pages),
        one_by_one=one_by_one,
        as_rows=as_rows,
    )
    return 0


def read_pages(store: Store, about: About) -> Iterator[WeighedPage]:
    """The pages of the crawl that are no copies, with the expert's marks; without hubs."""
    feature = features_of(about.lexicon)
    mentioned = {page.url: page.concepts for page in store.mentioned()}
    for url, verdict in verdicts(store).items():
        if verdict.marked != "hub":
            features = frozenset(feature[iri] for iri in mentioned.get(url, ()) if iri in feature)
            yield WeighedPage(on_topic=verdict.on_topic, features=features, good=MARKS.get(verdict.marked))


def other_weights(found: Sequence[WeighedConcept], ontology: Ontology) -> list[Proposal]:
    """Those that differ from the present ones as proposals, without what the expert refused earlier."""
    no = refused(Path(ontology.path))
    news = [_proposal(one, ontology.concepts[one.feature]) for one in found if one.is_news]
    return [one for one in news if refusal_key(one) not in no]


def _proposal(one: WeighedConcept, concept: Concept) -> Proposal:
    language = (concept.labels[0].language or "").partition("-")[0] if concept.labels else ""
    return as_proposal(one, concept.label, language)


def _table(found: Sequence[WeighedConcept], about: About, pages: Sequence[WeighedPage]) -> str:
    captions = Captions(about.ontology, language=chosen_language(None, about.ontology))
    rows = [
        {
            tr("concept"): captions.of(one.feature),
            tr("weight"): one.weight,
            tr("proposed"): f"{one.proposed:g}" if one.is_news else "",
            tr("pages"): one.pages,
            tr("on topic"): one.on,
        }
        for one in found
    ]
    silent = [captions.of(iri) for iri in about.topic.given if iri not in {one.feature for one in found}]
    lines = [as_table(rows) if rows else tr("no page mentions a feature of the topic")]
    marked = sum(page.good is not None for page in pages)
    lines += (
        [
            tr(
                "{marked:,} of {number:,} pages are marked by you, and count as you marked them",
                marked=marked,
                number=len(pages),
            )
        ]
        if marked
        else []
    )
    lines += [tr("on no page, so nothing is proposed: {silent}", silent=listed(silent[:20]))] if silent else []
    return "\n".join(lines)
