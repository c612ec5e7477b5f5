"""Another ontology or SKOS thesaurus as a source: names, narrower and related concepts of concepts with a wanted
name.
"""

from collections.abc import Iterator, Sequence

from ontology.concepts import Concept, Label, Ontology
from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.proposal import Kind
from ontology.thesauri.entries import Entry, Wanted, language_of
from ontology.topic import narrower

_NAMING = ("name", "synonym")


def vocabulary_entries(other: Ontology, wanted: Wanted) -> Iterator[Entry]:
    """Entries from its concepts that have a wanted word as a name."""
    children = narrower(other)
    for concept in other.concepts.values():
        called = {same_word_key(label.text): label for label in concept.labels if label.kind in _NAMING}
        for key in called.keys() & wanted.keys():
            yield from _of_concept(concept, key, children.get(concept.iri, ()), other)


def _of_concept(concept: Concept, key: str, below: Sequence[str], other: Ontology) -> Iterator[Entry]:
    text = _names_of(concept)
    for label in concept.labels:
        if label.kind in _NAMING and same_word_key(label.text) != key:
            yield _entry(key, Kind.SYNONYM, label, text, concept.iri)
    for kind, iris in ((Kind.NARROWER, below), (Kind.RELATED, concept.related)):
        for iri in iris:
            found = other.concepts.get(iri)
            if found is not None and found.labels and not found.deprecated:
                yield _entry(key, kind, found.labels[0], f"{text}: {_names_of(found)}", found.iri)


def _names_of(concept: Concept) -> str:
    return ", ".join(label.text for label in concept.labels if label.kind in _NAMING)


def _entry(key: str, kind: Kind, label: Label, text: str, place: str) -> Entry:
    language = label.language or language_of(label.text)
    return Entry(word=key, kind=kind, term=label.text, language=language, text=text, place=place)
