"""`ontocrawl ontology coverage`: what a crawl has found of each concept, and what is missing."""

import contextlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from cli.inputs.concept_names import chosen_language
from cli.ontologies.said_words import said_words
from cli.recorded.page_counts import page_counts, pages_line
from cli.recorded.recorded_verdicts import stored_about, stored_settings
from cli.recorded.store_reading import crawl_row
from cli.render.answer_tables import as_table
from cli.render.language import later, listed, tr
from cli.render.terminal import one_line, say, show, wrapped
from graphdb.stores import Store, open_store
from ontology.concepts import Ontology
from ontology.errors import OntocrawlError, SettingsError
from ontology.inspection.concept_captions import Captions
from ontology.loading.ontology_reader import read_ontology
from semantic.proposals.doubtful_words import FEW, is_too_general

TOO_GENERAL, NO_NEWS = later("too general"), later("no news")
NEVER_SEEN, BELOW_ONLY, FEW_PAGES, LEADS, GOOD = "never seen", "below only", "few pages", "leads", "good"
VERDICTS = (NEVER_SEEN, BELOW_ONLY, TOO_GENERAL, NO_NEWS, FEW_PAGES, LEADS, GOOD)
LATE = 0.1  # share of the crawl: a concept without a page in the last tenth may be exhausted; chosen, not measured


@dataclass(frozen=True, slots=True)
class Covered:
    """What the crawl has of a concept.

    - `hosts`: number of hosts of its pages. `share`: of all pages. `late`: pages among the last tenth of the crawl.
    - `below`: whether a page mentions a narrower concept. `narrower`: IRIs of those directly below it.
    - `remark`: TOO_GENERAL if its pages are hardly more often on topic than all pages (`is_too_general`), NO_NEWS if
      none of the last tenth of the crawl mentions it.
    """

    iri: str
    label: str
    weight: float | None
    layer: int | None
    pages: int
    on_topic: int
    hosts: int
    share: float
    late: int
    below: bool
    remark: str = ""
    narrower: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The verdict on the concept: its remark if it has one, otherwise why it has none."""
        if not self.pages:
            return BELOW_ONLY if self.below else NEVER_SEEN
        if self.layer:
            return LEADS
        return self.remark or (GOOD if self.pages >= FEW else FEW_PAGES)


def run(where: str, *, words: bool, as_json: bool) -> None:
    """Print the coverage. `words`: also the ontology's words that stand on no page, for which all pages are read."""
    with contextlib.closing(open_store(where, create=False)) as store:
        ontology = stored_settings(store).ontology
        if ontology is None:
            raise SettingsError("this crawl has no ontology", "crawl with --ontology FILE")
        found = covered(store) if as_json else named(covered(store), ontology)
        if words:
            say(tr("reading the record ..."))
        silent = unseen_words(store) if words else None
        counts = page_counts(store)
    if as_json:
        told: dict[str, Any] = {"concepts": [asdict(one) for one in found]}
        show(json.dumps(told if silent is None else {**told, "unseen_words": silent}, ensure_ascii=False))
        return
    show(
        as_table([_row(one) for one in found if one.pages])
        if any(one.pages for one in found)
        else tr("no page mentions a concept yet")
    )
    show(tr("of {told}", told=pages_line(counts)))
    never = [one.label for one in found if not one.pages and not one.below]
    if never:
        show(wrapped(tr("never mentioned ({number})  ", number=len(never)), one_line(listed(never), 2000)))
    if silent is not None:
        show(
            wrapped(
                tr("words on no page ({number})  ", number=len(silent)), one_line(listed(silent), 2000) or tr("none")
            )
        )


def covered(store: Store) -> list[Covered]:
    """All concepts with the names of the record, those with most pages first."""
    crawl = crawl_row(store)
    pages, on_topic = (int(str(crawl[name] or 0)) for name in ("pages", "on_topic"))
    rate = on_topic / pages if pages else 0.0
    last = int(store.ask("coverage", "last_rank")[0]["last"])
    mentioned = {row["iri"]: row for row in store.ask("coverage", "mentioned", late=last - round(LATE * last))}
    concepts = store.ask("coverage", "concepts")
    above = over_mentioned({row["iri"]: row["narrower"] for row in concepts}, mentioned.keys())
    found = [_covered(row, mentioned.get(row["iri"], {}), pages, rate, row["iri"] in above) for row in concepts]
    return sorted(found, key=_most_pages_first)


def named(found: Sequence[Covered], path: str | Path | None) -> list[Covered]:
    """The concepts with the names that the other commands show: of the ontology as it is now, in the user's language.

    `path`: of the ontology. If it cannot be read, the names are those of the record, and that is said.
    """
    try:
        ontology = read_ontology(Path(path)) if path else Ontology("", "")
    except OntocrawlError as error:
        say(tr("the names are those of the record: {error}", error=error))
        return list(found)
    return called(found, ontology)


def called(found: Sequence[Covered], ontology: Ontology) -> list[Covered]:
    """The concepts with the names of this ontology, in the user's language; those that it lacks keep theirs."""
    captions = Captions(ontology, language=chosen_language(None, ontology))
    told = [replace(one, label=captions.of(one.iri)) if one.iri in ontology.concepts else one for one in found]
    return sorted(told, key=_most_pages_first)


def _most_pages_first(one: Covered) -> tuple[int, str, str]:
    return -one.pages, one.label, one.iri


def _covered(concept: Mapping[str, Any], counts: Mapping[str, Any], crawled: int, rate: float, below: bool) -> Covered:
    pages, on_topic, hosts, late = (int(counts.get(name, 0)) for name in ("pages", "on_topic", "hosts", "late"))
    remark = ""
    if pages >= FEW and not concept["layer"]:
        if is_too_general(on_topic, pages, rate):
            remark = TOO_GENERAL
        elif not late:
            remark = NO_NEWS
    share = pages / crawled if crawled else 0.0
    iri, label, weight, layer = (concept[name] for name in ("iri", "label", "weight", "layer"))
    narrower = tuple(concept["narrower"])
    return Covered(iri, label, weight, layer, pages, on_topic, hosts, share, late, below, remark, narrower)


def over_mentioned(narrower: Mapping[str, Sequence[str]], mentioned: Iterable[str]) -> set[str]:
    """The concepts that have one of the `mentioned` below them, at any distance. `narrower`: concepts directly below
    each.
    """
    broader: dict[str, list[str]] = {}
    for iri, below in narrower.items():
        for child in below:
            broader.setdefault(child, []).append(iri)
    found: set[str] = set()
    waiting = list(mentioned)
    while waiting:
        for parent in broader.get(waiting.pop(), ()):
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return found


def unseen_words(store: Store) -> list[str]:
    """The words of the ontology that stand on no page of the crawl, outside of anchors."""
    settings = stored_settings(store)
    about = stored_about(store, settings)
    pages = ((kept.url, kept.content) for kept in store.stored_pages() if kept.content)
    said = said_words(pages, about, settings.segmenter)
    return sorted(word.text for word, on in zip(about.lexicon.words, said.words, strict=True) if word.senses and not on)


def _row(one: Covered) -> dict[str, object]:
    return {
        tr("concept"): one.label,
        tr("weight"): one.weight,
        tr("pages"): one.pages,
        tr("on topic"): one.on_topic,
        tr("hosts"): one.hosts,
        tr("share"): f"{one.share:.1%}",
        tr("lately"): one.late,
        tr("remark"): tr(one.remark),
    }
