"""`build_topic`: which concepts are features, what they weigh, and which mark predecessor layers."""

import pytest

from ontology.concepts import Concept, Label, Ontology
from ontology.errors import OntologyError
from ontology.inspection.checks import check
from ontology.topic import build_topic


def ontology(*concepts: Concept, topic: str | None = None) -> Ontology:
    return Ontology("topic.owl", "turtle", concepts={concept.iri: concept for concept in concepts}, topic=topic)


def concept(iri: str, *parents: str, **fields: object) -> Concept:
    return Concept(iri, labels=(Label(iri),), parents=parents, **fields)  # type: ignore[arg-type]


def test_features_are_the_weighted_concepts_from_the_topic_down() -> None:
    topic = build_topic(
        ontology(
            concept("aircraft"),
            concept("fighter", "aircraft", weight=0.8),
            concept("F-22", "fighter", kind="individual", weight=0.5),
            concept("jet", "aircraft"),
            concept("ship", weight=0.9),
            topic="aircraft",
        )
    )
    assert topic.iri == topic.label == "aircraft"
    assert topic.weights == {"aircraft": 1.0, "fighter": 0.8, "F-22": 0.5}


@pytest.mark.parametrize(("named", "near"), [("Tea", True), ("茶", True), ("http://y/#tea", True), ("Wine", False)])
def test_a_topic_of_no_whole_iri_learns_which_is_meant(named: str, near: bool) -> None:
    tea = Concept("http://x/#Tea", labels=(Label("茶", "zh"),))
    found = ontology(tea, topic=named)
    with pytest.raises(OntologyError) as caught:
        build_topic(found)
    assert ("<http://x/#Tea>" in caught.value.cure) == near
    assert any("did you mean <http://x/#Tea>" in finding.message for finding in check(found)) == near


@pytest.mark.parametrize(
    ("concepts", "named", "weights"),
    [
        ([concept("a", weight=0.3)], "a", {"a": 0.3}),
        ([concept("a"), concept("b", "a"), concept("c", "b", kind="individual")], None, {"a": 1.0, "b": 1.0}),
        ([concept("a", kind="concept"), concept("b", kind="concept")], None, {"a": 1.0, "b": 1.0}),
        ([concept("a", weight=0.4), concept("b")], None, {"a": 0.4}),
        ([concept("a"), concept("b", "a"), concept("c")], "a", {"a": 1.0, "b": 1.0}),
        ([concept("a", weight=0.0), concept("b", weight=-1.0), concept("d", weight=1.0)], None, {"d": 1.0}),
        ([concept("c", weight=1.0, deprecated=True), concept("d", weight=1.0)], None, {"d": 1.0}),
        ([concept("a", "b"), concept("b", "a")], "a", {"a": 1.0, "b": 1.0}),
    ],
)
def test_weights_are_given_or_those_of_every_class(concepts, named, weights) -> None:  # type: ignore[no-untyped-def]
    topic = build_topic(ontology(*concepts, topic=named))
    assert (topic.iri, topic.label, topic.weights) == (named, named or "topic", weights)


def test_layers_are_inherited_and_never_features() -> None:
    topic = build_topic(
        ontology(
            concept("topic", weight=1.0),
            concept("signs"),
            concept("index", "signs", layer=1, weight=1.0),
            concept("archive", "index"),
            concept("portal", "index", layer=2),
            concept("home", "portal"),
            topic="topic",
        )
    )
    assert topic.layers == {"index": 1, "archive": 1, "portal": 2, "home": 2}
    assert topic.weights == {"topic": 1.0}


def test_a_topic_that_names_nothing_is_a_curable_error() -> None:
    with pytest.raises(OntologyError, match="nowhere") as error:
        build_topic(ontology(concept("a"), topic="nowhere"))
    assert error.value.cure
