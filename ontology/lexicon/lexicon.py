"""The lexicon: which words name which concept, at which generation, in which language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ontology.concepts import Label, Ontology
from ontology.errors import OntologyError
from ontology.lexicon.hypernyms import FeaturesAbove, Hypernyms
from ontology.lexicon.relatedness import related_features
from ontology.lexicon.surface_forms import is_cased, is_inflected, same_word_key, surface_forms
from ontology.messages import message
from ontology.syntaxes.annotation_properties import TO_BE_PLACED
from ontology.topic import Topic

NO_WORD_CURE = message(
    "give the classes an rdfs:label, or IRIs that end in a name; put missing imports beside the file"
)


@dataclass(frozen=True, slots=True)
class Sense:
    """One concept that a word names. `concept` is "" for a word that counts for a feature but names no concept
    (`semantic.terms.name_words`).

    - `features`: every feature the word counts for, nearest first, with the generation (0: the concept is the feature;
      1: it is a direct hyponym of the feature; ...). `generation`: that of the nearest feature, 0 if there is none.
    - `layer`: 1 or 2 if the concept marks a predecessor layer.
    - `related`: if it has no feature, the one it counts for by relations other than is-a, and the fraction of its
      weight (`ontology.lexicon.relatedness`).
    """

    concept: str
    generation: int = 0
    features: Sequence[tuple[str, int]] = ()
    layer: int | None = None
    related: tuple[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """A label of the ontology with all its senses: a word of two concepts has two, an excluded phrase none. `is_name`:
    not a synonym.
    """

    text: str
    language: str | None
    senses: tuple[Sense, ...]
    is_name: bool = True


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of an ontology.

    `forms`: surface form (as written, not folded) -> indices into `words`; includes inflected forms. `cased`: forms
    that must match in their own case (short acronyms).
    """

    words: tuple[Word, ...]
    forms: Mapping[str, tuple[int, ...]]
    cased: frozenset[str] = frozenset()


def build_lexicon(ontology: Ontology, topic: Topic | None = None, generations: int | None = None) -> Lexicon:
    """The words of all concepts that are not deprecated, each with the features it counts for.

    `generations`: a hyponym counts for features at most this many steps above it. A concept whose features are all
    further away has no word (None: no limit). Without a topic no word has features. Raises OntologyError if there is no
    word.
    """
    words = _words(ontology, _senses(ontology, topic, generations))
    if words:
        words += _excluded(ontology, words)
    if not words:
        raise OntologyError(
            message("{path}: not one word in it; it has {found}", path=ontology.path, found=found_instead(ontology)),
            NO_WORD_CURE,
        )
    return Lexicon(tuple(words), *_forms(words))


def _senses(ontology: Ontology, topic: Topic | None, generations: int | None) -> dict[str, Sense]:
    above = {iri: concept.above for iri, concept in ontology.concepts.items()}
    hypernyms = Hypernyms(above, frozenset(topic.weights if topic else ()), generations)
    nearest, layers = hypernyms.nearest(), topic.layers if topic else {}
    related = related_features(ontology, topic, nearest) if topic else {}
    senses = {}
    for iri in (concept.iri for concept in ontology.concepts.values() if not concept.deprecated):
        if iri == TO_BE_PLACED:
            continue
        first = nearest.get(iri)
        if first is None:
            senses[iri] = Sense(iri, layer=layers.get(iri), related=related.get(iri))
        elif generations is None or first[1] <= generations:
            senses[iri] = Sense(iri, first[1], FeaturesAbove(iri, first, hypernyms), layers.get(iri), related.get(iri))
    return senses


def _words(ontology: Ontology, senses: Mapping[str, Sense]) -> list[Word]:
    """One word for each label. Labels that fold to the same text are one word; a word of two concepts has two
    senses.
    """
    first: dict[str, Label] = {}
    named: dict[str, dict[str, Sense]] = {}
    for iri, sense in senses.items():
        for label in ontology.concepts[iri].labels:
            key = label.text if is_cased(label.text) else same_word_key(label.text)
            if any(character.isalpha() for character in key):
                first[key] = _preferred(first.get(key), label)
                named.setdefault(key, {})[iri] = sense
    return [
        Word(label.text, label.language, tuple(named[key].values()), label.kind == "name")
        for key, label in first.items()
    ]


def _excluded(ontology: Ontology, words: list[Word]) -> list[Word]:
    """Phrases that name nothing although they contain words of the topic (`oc:excludes`); the longest match wins.

    A phrase that is a concept's name keeps naming it.
    """
    known = {same_word_key(word.text) for word in words}
    phrases = {same_word_key(each.text): each for concept in ontology.concepts.values() for each in concept.excludes}
    return [Word(each.text, each.language, ()) for key, each in phrases.items() if key and key not in known]


def _preferred(first: Label | None, label: Label) -> Label:
    """The first label, unless only the later one can be inflected."""
    if first is None or (is_inflected(label.language) and not is_inflected(first.language)):
        return label
    return first


def _forms(words: list[Word]) -> tuple[dict[str, tuple[int, ...]], frozenset[str]]:
    """Forms and cased forms. A form that is a label names only the word of that label; other forms may name several
    words.
    """
    found = [(index, form) for index, word in enumerate(words) for form in surface_forms(word.text, word.language)]
    labels = {same_word_key(word.text) for word in words}
    indices: dict[str, tuple[int, ...]] = {}
    for index, form in found:
        others = indices.get(form, ())
        if form == words[index].text or (same_word_key(form) not in labels and not _names_same(words, index, others)):
            indices[form] = (*others, index)
    cased = frozenset(
        form for index, form in found if form in indices and (is_cased(form) or is_cased(words[index].text))
    )
    return indices, cased


def _names_same(words: list[Word], index: int, others: tuple[int, ...]) -> bool:
    """Whether one of the other words names all concepts of this word, because a mention must not count twice."""
    concepts = {sense.concept for sense in words[index].senses}
    return any(concepts <= {sense.concept for sense in words[other].senses} for other in others)


def found_instead(ontology: Ontology) -> str:
    """A description of the ontology's content, for one without words."""
    deprecated = sum(concept.deprecated for concept in ontology.concepts.values())
    missing = sum(finding.code == "W101" for finding in ontology.findings)
    return message(
        "{classes} classes, {skos_concepts} SKOS concepts and {individuals} individuals "
        "({deprecated} of all deprecated, {missing} imports missing)",
        classes=ontology.classes,
        skos_concepts=ontology.skos_concepts,
        individuals=ontology.individuals,
        deprecated=deprecated,
        missing=missing,
    )
