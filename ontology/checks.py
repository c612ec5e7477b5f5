"""What can be wrong with an ontology as a topic: one table of coded findings, each with its cure.

E: an error, the ontology cannot steer a crawl. W1..: met while reading (`ontology.reading`). W2..: about the topic.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter

from ontology.concepts import Concept, Finding, Ontology
from ontology.errors import OntologyError
from ontology.hypernyms import over
from ontology.lexicon import Lexicon, build_lexicon, found_instead
from ontology.topic import Topic, below, build_topic


@dataclass(frozen=True, slots=True)
class Material:
    """What a check looks at. `lexicon` is None if there is no word; a broken `oc:topic` is left out of `topic`."""

    ontology: Ontology
    topic: Topic
    lexicon: Lexicon | None


@dataclass(frozen=True, slots=True)
class Rule:
    """`what` and `cure` for the expert; `places` finds the culprits (None: the reader does)."""

    what: str
    cure: str
    places: Callable[[Material], Iterable[str]] | None = None


def check(ontology: Ontology) -> tuple[Finding, ...]:
    """Everything to tell the expert: what the reader met, then each rule of RULES, errors first."""
    material = _material(ontology)
    known = {finding.code for finding in ontology.findings}
    found = [
        Finding(code, f"{rule.what}: {place}" if place else rule.what, rule.cure)
        for code, rule in RULES.items()
        if rule.places is not None and code not in known
        for place in rule.places(material)
    ]
    return tuple(sorted((*ontology.findings, *found), key=lambda finding: finding.code))


def usable_topic(ontology: Ontology) -> Topic:
    """The topic, or what it would be without a broken `oc:topic`."""
    try:
        return build_topic(ontology)
    except OntologyError:
        return build_topic(replace(ontology, topic=None))


def _material(ontology: Ontology) -> Material:
    topic = usable_topic(ontology)
    try:
        return Material(ontology, topic, build_lexicon(ontology, topic))
    except OntologyError:
        return Material(ontology, topic, None)


def _no_word(material: Material) -> Iterator[str]:
    if material.lexicon is None:
        yield f"only {found_instead(material.ontology)}"


def _topic_names_nothing(material: Material) -> Iterator[str]:
    topic = material.ontology.topic
    if topic is not None and topic not in material.ontology.concepts:
        yield topic


def _negative_weight(material: Material) -> Iterator[str]:
    return (concept.iri for concept in _weighted(material) if _weight(concept) < 0)


def _no_word_counts(material: Material) -> Iterator[str]:
    if material.lexicon and not any(sense.features for word in material.lexicon.words for sense in word.senses):
        yield ""


def _cycle(material: Material) -> Iterator[str]:
    concepts = material.ontology.concepts
    above = {iri: [p for p in concept.parents if p in concepts and p != iri] for iri, concept in concepts.items()}
    try:
        TopologicalSorter(above).prepare()
    except CycleError as error:
        yield " -> ".join(error.args[1])


def _word_of_two(material: Material) -> Iterator[str]:
    for word in material.lexicon.words if material.lexicon else ():
        if len(word.senses) > 1:
            yield f"{word.text} ({', '.join(sense.concept for sense in word.senses)})"


def _several_roots(material: Material) -> Iterator[str]:
    concepts = material.ontology.concepts
    roots = [iri for iri in material.topic.weights if not any(p in concepts for p in concepts[iri].parents if p != iri)]
    if material.topic.iri is None and not any(True for _ in _weighted(material)) and len(roots) > 1:
        yield f"{len(roots)}, such as {', '.join(roots[:3])}"


def _feature_without_word(material: Material) -> Iterator[str]:
    words = material.lexicon.words if material.lexicon else ()
    named = (sense.concept for word in words for sense in word.senses)
    counted = over(named, {iri: concept.parents for iri, concept in material.ontology.concepts.items()})
    return (iri for iri in material.topic.weights if iri not in counted)


def _layer_below_feature(material: Material) -> Iterator[str]:
    under = set(below(material.ontology, material.topic.weights))
    return (iri for iri in material.topic.layers if iri in under)


def _weight_of_zero(material: Material) -> Iterator[str]:
    return (concept.iri for concept in _weighted(material) if _weight(concept) == 0)


def _no_topic(material: Material) -> Iterator[str]:
    if material.ontology.topic is None and any(True for _ in _weighted(material)):
        yield ""


def _deprecated_feature(material: Material) -> Iterator[str]:
    topic = material.ontology.topic
    for concept in material.ontology.concepts.values():
        if concept.deprecated and (concept.weight is not None or concept.iri == topic):
            yield concept.iri


def _weight_outside_topic(material: Material) -> Iterator[str]:
    if material.topic.iri is not None:
        inside = set(below(material.ontology, [material.topic.iri]))
        yield from (concept.iri for concept in _weighted(material) if concept.iri not in inside)


def _odd_layer(material: Material) -> Iterator[str]:
    for concept in material.ontology.concepts.values():
        if concept.layer is not None and concept.layer not in (1, 2):
            yield f"{concept.iri} ({concept.layer})"


def _weighted(material: Material) -> Iterator[Concept]:
    return (concept for concept in material.ontology.concepts.values() if concept.weight is not None)


def _weight(concept: Concept) -> float:
    return 0.0 if concept.weight is None else concept.weight


RULES: Mapping[str, Rule] = {
    "E101": Rule("no word at all", "give the classes an rdfs:label, or put missing imports beside the file", _no_word),
    "E102": Rule(
        "oc:topic names nothing in this file", "let it name the root class of the topic", _topic_names_nothing
    ),
    "E103": Rule("a weight below zero", "write a weight above 0, or take it out", _negative_weight),
    "E104": Rule(
        "no word counts for a feature", "give labels to the classes with oc:weight, or to those below", _no_word_counts
    ),
    "W101": Rule("missing import", "put its file into the same folder, or name it in catalog-v001.xml"),
    "W102": Rule("bytes that are no text", "save the file as UTF-8"),
    "W103": Rule("imported file or catalog that cannot be read", "save it again from Protégé, or delete it"),
    "W104": Rule("label that lost its encoding", "write the label again"),
    "W105": Rule("empty label", "write the label or delete it"),
    "W106": Rule("OBO file that was read line by line", "mend the line if terms are missing"),
    "W107": Rule("N-Triples with an error, read as Turtle", "mend the line, or give the file the ending .ttl"),
    "W201": Rule("classes below each other in a circle", "take out one rdfs:subClassOf or skos:broader", _cycle),
    "W202": Rule(
        "one word of several concepts, it counts for each", "make one class of them, or the labels longer", _word_of_two
    ),
    "W203": Rule(
        "several roots and no oc:topic, every class counts", "let oc:topic name the root class", _several_roots
    ),
    "W204": Rule(
        "feature that no word counts for", "give it a label in the language of the pages", _feature_without_word
    ),
    "W205": Rule(
        "oc:layer below a feature, it counts for both", "move it under a root of its own", _layer_below_feature
    ),
    "W206": Rule("weight 0, it is no feature", "write a weight above 0, or take it out", _weight_of_zero),
    "W207": Rule("oc:weight but no oc:topic, all of them count", "let oc:topic name the root class", _no_topic),
    "W208": Rule(
        "deprecated, but with weight or topic; its words are left out", "use what replaces it", _deprecated_feature
    ),
    "W209": Rule("oc:weight outside the topic, it does not count", "move it below oc:topic", _weight_outside_topic),
    "W210": Rule("oc:layer is neither 1 nor 2", "write 1 (one link before a target) or 2", _odd_layer),
}
