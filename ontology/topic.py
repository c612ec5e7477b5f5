"""The topic: which concepts are features, their weights (the vector R of paper O), and the predecessor layers."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from ontology.concepts import Concept, Ontology
from ontology.errors import OntologyError
from ontology.messages import message
from ontology.syntaxes.annotation_properties import local_name

NEAR = 0.8  # similarity of `difflib`, 1 for equal names; chosen, not measured


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic. `weights`: IRI of a feature -> w_ir. `layers`: IRI of a concept -> 1 or 2 links before a target.

    `implied`: the topic's root, if the expert weighted other concepts and not the root. Its words are evidence too, so
    it is in `weights`; but it is not one of the features given by the expert (the set K of paper O).
    """

    iri: str | None
    label: str
    weights: Mapping[str, float]
    layers: Mapping[str, int]
    implied: str | None = None

    @property
    def given(self) -> dict[str, float]:
        """The features given by the expert: K of paper O, with their weights w_ir."""
        return {feature: weight for feature, weight in self.weights.items() if feature != self.implied}


def build_topic(ontology: Ontology) -> Topic:
    """The features at or below `oc:topic` with their weights.

    A concept with `oc:layer`, and the concepts below it, mark a predecessor layer and are never features.

    Without `oc:topic`, all weighted concepts are features. Without any weight, every class (in a thesaurus: every SKOS
    concept) is a feature of weight 1. Raises OntologyError if `oc:topic` does not name a concept.
    """
    layers = _layers(ontology)
    root = _root(ontology)
    within = below(ontology, [root.iri]) if root else ontology.concepts.keys()
    usable = [ontology.concepts[iri] for iri in within if iri not in layers and not ontology.concepts[iri].deprecated]
    weights = {concept.iri: concept.weight for concept in usable if concept.weight is not None and concept.weight > 0}
    if all(concept.weight is None for concept in usable):
        weights = dict.fromkeys(_by_default(usable), 1.0)
    implied = root.iri if root and root.weight is None and root.iri not in (layers | weights) else None
    if implied:
        weights[implied] = 1.0
    label = root.label if root else Path(ontology.path).stem
    return Topic(root.iri if root else None, label, weights, layers, implied)


def below(ontology: Ontology, roots: Iterable[str]) -> list[str]:
    """The roots and all concepts below them, nearest first, each once; cycles are allowed."""
    children = narrower(ontology)
    found = dict.fromkeys(roots)
    waiting = deque(found)
    while waiting:
        for child in children.get(waiting.popleft(), ()):
            if child not in found:
                found[child] = None
                waiting.append(child)
    return list(found)


def narrower(ontology: Ontology) -> dict[str, list[str]]:
    """IRI of a concept -> its direct hyponyms, in the order of the file."""
    children: dict[str, list[str]] = {}
    for concept in ontology.concepts.values():
        for parent in dict.fromkeys(concept.above):
            if parent in ontology.concepts and parent != concept.iri:
                children.setdefault(parent, []).append(concept.iri)
    return children


def _root(ontology: Ontology) -> Concept | None:
    if ontology.topic is None:
        return None
    if ontology.topic not in ontology.concepts:
        raise OntologyError(
            message(
                "{path}: oc:topic names {topic}, which is not a class, individual or SKOS concept",
                path=ontology.path,
                topic=ontology.topic,
            ),
            message("did you mean <{iri}>? Write it whole", iri=near)
            if (near := meant_topic(ontology))
            else "name a class of the file in oc:topic, or remove it; then every class counts",
        )
    return ontology.concepts[ontology.topic]


def meant_topic(ontology: Ontology) -> str:
    """The IRI of the concept that `oc:topic` may mean: it has this name, or its IRI ends nearly so. "" for none."""
    if ontology.topic is None or ontology.topic in ontology.concepts:
        return ""
    wanted = local_name(ontology.topic)
    endings = {local_name(iri).lower(): iri for iri in ontology.concepts}
    names = {label.text: concept.iri for concept in ontology.concepts.values() for label in concept.labels}
    near = get_close_matches(wanted.lower(), endings, n=1, cutoff=NEAR)
    return names.get(wanted) or (endings[near[0]] if near else "")


def _by_default(usable: list[Concept]) -> list[str]:
    """The default features: individuals are hyponyms, not features, unless there is nothing else."""
    chosen = [concept.iri for concept in usable if concept.kind != "individual"]
    return chosen or [concept.iri for concept in usable]


def _layers(ontology: Ontology) -> dict[str, int]:
    """Concepts with `oc:layer` and those below them, each with the layer of the nearest."""
    children = narrower(ontology)
    layers = {concept.iri: concept.layer for concept in ontology.concepts.values() if concept.layer is not None}
    waiting = deque(layers)
    while waiting:
        iri = waiting.popleft()
        for child in children.get(iri, ()):
            if child not in layers:
                layers[child] = layers[iri]
                waiting.append(child)
    return layers
