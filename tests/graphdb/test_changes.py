"""What is said of an edited ontology."""

import re
from dataclasses import replace

from records_at_hand import CRAWL

from graphdb.record.changes import SHOWN, changes
from semantic.records import ConceptRecord


def by_iri(*concepts: ConceptRecord) -> dict[str, ConceptRecord]:
    return {concept.iri: concept for concept in concepts}


def test_nothing_changed_says_nothing():
    concepts = by_iri(ConceptRecord(iri="urn:a", label="a", weight=1.0))
    assert changes(CRAWL, CRAWL, concepts, concepts) == ()


def test_layers_and_weights_that_came_and_concepts_without_label():
    old = by_iri(ConceptRecord(iri="urn:a", label="a"), ConceptRecord(iri="urn:b", label="urn:b"))
    new = by_iri(ConceptRecord(iri="urn:a", label="a", weight=0.5, layer=2))
    assert changes(CRAWL, CRAWL, old, new) == (
        "concept went: urn:b",
        "weight: a <urn:a>: none -> 0.5",
        "layer: a <urn:a>: none -> 2",
    )


def test_many_changes_of_one_kind_are_cut():
    new = by_iri(*(ConceptRecord(iri=f"urn:{n}", label=f"c{n}") for n in range(SHOWN + 3)))
    lines = changes(CRAWL, CRAWL, {}, new)
    assert len(lines) == SHOWN + 1
    assert re.findall(r"\d+", lines[-1]) == ["3"]


def test_settings_that_came_went_and_changed():
    now = replace(CRAWL, settings='{"delay": 2.0, "connections": 4, "seeds": ["a.txt", "b.txt"]}')
    assert changes(CRAWL, now, {}, {}) == (
        "delay: 1 -> 2",
        "connections: none -> 4",
        "seeds: none -> a.txt, b.txt",
        "threshold: 0.5 -> none",
    )
