"""The features that concepts count for by relations other than is-a, and at which fraction.

Paper O does not define this. Here a property may have an `oc:relatedness` r. The concepts that it relates count for
each other, in both directions, at r of the weight; over two relations at the product of both, and no further. Concepts
below a related concept count like it. A concept that counts for a feature itself is not changed: when words went over
to a heavier related feature, the order of a crawl was worse (measured on seven tasks).
"""

import heapq
from collections.abc import Mapping, Set

from ontology.concepts import Ontology
from ontology.topic import Topic, narrower

MOST = 2  # relations between a concept and the feature for which it counts; chosen, not measured


def related_features(
    ontology: Ontology, topic: Topic, nearest: Mapping[str, tuple[str, int]]
) -> dict[str, tuple[str, float]]:
    """Concept -> (feature, fraction). `nearest`: the feature at or above each concept, by is-a."""
    neighbours = _neighbours(ontology, topic.layers.keys())
    if not neighbours:
        return {}
    children = narrower(ontology)
    best: dict[str, float] = {}
    found: dict[str, tuple[str, float]] = {}
    begin = ((iri, feature) for iri, (feature, _) in nearest.items() if iri in neighbours)
    waiting = [(-topic.weights[feature], 0, iri, feature, 1.0) for iri, feature in begin]
    heapq.heapify(waiting)
    while waiting:
        _, steps, iri, feature, fraction = heapq.heappop(waiting)
        around = [(other, fraction * r, steps + 1) for other, r in neighbours.get(iri, {}).items() if steps < MOST]
        if steps:
            around += [(child, fraction, steps) for child in children.get(iri, ())]
        for other, part, distance in around:
            value = topic.weights[feature] * part
            if value > best.get(other, 0.0) and other not in nearest and other not in topic.layers:
                best[other], found[other] = value, (feature, part)
                heapq.heappush(waiting, (-value, distance, other, feature, part))
    return found


def _neighbours(ontology: Ontology, left_out: Set[str]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for concept in ontology.concepts.values():
        for prop, other in concept.relations:
            fraction = ontology.relatedness.get(prop, 0.0)
            if fraction > 0 and other in ontology.concepts and not {concept.iri, other} & left_out:
                for one, two in ((concept.iri, other), (other, concept.iri)):
                    beside = found.setdefault(one, {})
                    beside[two] = max(beside.get(two, 0.0), fraction)
    return found
