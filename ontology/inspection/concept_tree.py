"""The concepts as a tree for display: the topic first, each concept expanded once, with its weight and words."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from ontology.concepts import Concept, Ontology
from ontology.lexicon.lexicon import Lexicon
from ontology.topic import Topic, narrower

DEPTH = 100  # levels; deeper concepts begin a new tree; chosen, not measured


@dataclass(frozen=True, slots=True)
class ConceptBranch:
    """One concept. `weight`: of a feature. `again`: it is expanded elsewhere, so `narrower` is empty here."""

    concept: Concept
    weight: float | None
    layer: int | None
    words: tuple[str, ...]
    again: bool = False
    narrower: list["ConceptBranch"] = field(default_factory=list)


def build_tree(ontology: Ontology, topic: Topic, lexicon: Lexicon | None) -> list[ConceptBranch]:
    """The roots with all concepts below them. Cycles and several parents are allowed."""
    words = _words_by_concept(lexicon)
    children = narrower(ontology)
    unfolded: set[str] = set()
    trees: list[ConceptBranch] = []

    def branch(iri: str, again: bool = False) -> ConceptBranch:
        named = tuple(words.get(iri, ()))
        return ConceptBranch(ontology.concepts[iri], topic.weights.get(iri), topic.layers.get(iri), named, again)

    for root in _roots(ontology, topic):
        waiting = deque([(root, 0, trees)] if root not in unfolded else [])
        while waiting:
            iri, depth, among = waiting.popleft()
            if iri in unfolded:
                among.append(branch(iri, again=True))
                continue
            unfolded.add(iri)
            here = branch(iri)
            (among if depth < DEPTH else trees).append(here)
            same = unfolded.intersection(ontology.concepts[iri].same)  # one equivalent is shown below the other
            below = (child for child in children.get(iri, ()) if child not in same)
            waiting.extend((child, depth % DEPTH + 1, here.narrower) for child in below)
    return trees


def _roots(ontology: Ontology, topic: Topic) -> Iterable[str]:
    """The topic, then concepts without a parent, then the rest: those that are only in a cycle."""
    yield from [topic.iri] if topic.iri else []
    for concept in ontology.concepts.values():
        if not any(parent in ontology.concepts for parent in concept.parents if parent != concept.iri):
            yield concept.iri
    yield from ontology.concepts


def _words_by_concept(lexicon: Lexicon | None) -> dict[str, list[str]]:
    words: dict[str, list[str]] = {}
    for word in lexicon.words if lexicon else ():
        for sense in word.senses:
            words.setdefault(sense.concept, []).append(word.text)
    return words
