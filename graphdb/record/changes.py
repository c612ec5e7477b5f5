"""Describes in words what has changed since the crawl ran last, and refuses what may not change."""

import json
from collections.abc import Iterable, Mapping

from ontology.errors import StoreError
from ontology.messages import joined, message
from semantic.records import ConceptRecord, CrawlRecord

SHOWN = 20  # lines of one kind; chosen
OTHER_TOPIC_CURE = message("give another --store, or go on with the ontology this store was begun with")


def check_topic(before: str, now: str) -> None:
    """Raise StoreError if a store's crawl is about another topic than the one that would go on with it (IRIs)."""
    if before != now:
        raise StoreError(
            message("this store holds a crawl about {before}, not about {now}", before=before, now=now),
            OTHER_TOPIC_CURE,
        )


def changes(
    before: CrawlRecord, now: CrawlRecord, old: Mapping[str, ConceptRecord], new: Mapping[str, ConceptRecord]
) -> tuple[str, ...]:
    """Readable lines about the ontology and its concepts (by IRI), the strategy and the settings; () if nothing
    changed.
    """
    lines: list[str] = []
    if before.fingerprint != now.fingerprint:
        lines.append(message("ontology: {ontology} is not what it was", ontology=now.ontology))
    lines += _concepts(old, new)
    if before.strategy != now.strategy:
        lines.append(message("strategy: {before} -> {now}", before=before.strategy, now=now.strategy))
    lines += _settings(before.settings, now.settings)
    return tuple(lines)


def _concepts(old: Mapping[str, ConceptRecord], new: Mapping[str, ConceptRecord]) -> list[str]:
    both = [(old[iri], new[iri]) for iri in new if iri in old]
    return [
        *_cut(message("concept came: {concept}", concept=_named(new[iri])) for iri in new if iri not in old),
        *_cut(message("concept went: {concept}", concept=_named(old[iri])) for iri in old if iri not in new),
        *_cut(
            message(
                "weight: {concept}: {before} -> {now}", concept=_named(b), before=_word(a.weight), now=_word(b.weight)
            )
            for a, b in both
            if a.weight != b.weight
        ),
        *_cut(
            message("layer: {concept}: {before} -> {now}", concept=_named(b), before=_word(a.layer), now=_word(b.layer))
            for a, b in both
            if a.layer != b.layer
        ),
    ]


def _settings(before: str, now: str) -> list[str]:
    old, new = json.loads(before), json.loads(now)
    names = [*new, *(name for name in old if name not in new)]
    return [
        message("{name}: {before} -> {now}", name=name, before=_word(old.get(name)), now=_word(new.get(name)))
        for name in names
        if name != "strategy" and old.get(name) != new.get(name)
    ]


def _cut(lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return (
        found
        if len(found) <= SHOWN
        else [*found[:SHOWN], message("… and {number} more of this kind", number=len(found) - SHOWN)]
    )


def _named(concept: ConceptRecord) -> str:
    return concept.label if concept.label == concept.iri else f"{concept.label} <{concept.iri}>"


def _word(value: object) -> str:
    if value is None or value == []:
        return message("none")
    if isinstance(value, list):
        return joined(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
