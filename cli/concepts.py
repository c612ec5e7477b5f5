"""The ontology's concepts as the graph keeps them."""

from collections import Counter

from ontology.concepts import Concept, Ontology
from ontology.lexicon import Lexicon
from ontology.topic import Topic, narrower
from semantic.records import ConceptRecord


def concept_records(ontology: Ontology, lexicon: Lexicon, topic: Topic) -> list[ConceptRecord]:
    """Every concept that has a word or a part in the topic, with its direct hyponyms among them."""
    kept = {sense.concept for word in lexicon.words for sense in word.senses} | set(topic.weights) | set(topic.layers)
    children = narrower(ontology)
    language = _main_language(ontology)
    return [
        ConceptRecord(
            iri,
            _shown(concept, language),
            topic.weights.get(iri),
            topic.layers.get(iri),
            tuple(child for child in children.get(iri, ()) if child in kept),
            tuple(dict.fromkeys(label.text for label in concept.labels if label.kind in ("name", "synonym"))),
        )
        for iri, concept in ontology.concepts.items()
        if iri in kept
    ]


def _main_language(ontology: Ontology) -> str | None:
    """The language that names the most concepts."""
    named = Counter(
        label.language
        for concept in ontology.concepts.values()
        for label in concept.labels
        if label.kind == "name" and label.language
    )
    return named.most_common(1)[0][0] if named else None


def _shown(concept: Concept, language: str | None) -> str:
    names = (label.text for label in concept.labels if label.kind == "name" and label.language == language)
    return next(names, concept.label)
