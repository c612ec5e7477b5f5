"""How the benchmark of proposals takes labels out, and what it makes of proposals."""

from benchmarks.proposals import forms_of, grown, poor, reduced
from ontology.concepts import Concept, Label, Ontology
from ontology.proposals.proposal import Evidence, Kind, Proposal

NOTHING = Evidence(1, 0, (), (), 0, 1.0)


def ontology(features: int = 5) -> Ontology:
    concepts = {"root": Concept("root", labels=(Label("things"),))}
    for number in range(features):
        labels = (Label(f"thing {number}"), Label(f"item {number}", kind="synonym"))
        concepts[f"f{number}"] = Concept(f"f{number}", labels=labels, parents=("root",), weight=0.1 * (number + 1))
    return Ontology("here.owl", "Turtle", "here", concepts, "root", len(concepts))


def names(of: Ontology) -> list[str]:
    return [label.text for concept in of.concepts.values() for label in concept.labels]


def test_a_quarter_of_the_labels_goes_the_same_each_time() -> None:
    whole = ontology()
    left, gone = reduced(whole, 1)
    assert len(gone) == round(len(names(whole)) / 4)
    assert sorted([*names(left), *(label.text for label in gone)]) == sorted(names(whole))
    assert reduced(whole, 1)[1] == gone != reduced(whole, 2)[1]


def test_forms_are_compared_folded() -> None:
    assert forms_of(Label("Data-Bases", "en")) & forms_of(Label("data base", "en"))


def test_a_poor_ontology_has_the_heaviest_features() -> None:
    assert names(poor(ontology())) == ["things", "thing 4", "thing 3", "thing 2"]


def test_a_poor_ontology_grows_by_what_is_proposed() -> None:
    kinds = {Kind.SYNONYM: "other name", Kind.NARROWER: "kind of it", Kind.RELATED: "beside it", Kind.MISLEADING: "no"}
    found = [Proposal(kind, term, "en", "f4", NOTHING) for kind, term in kinds.items()]
    now = grown(poor(ontology()), found)
    assert "other name" in [label.text for label in now.concepts["f4"].labels]
    parents = {concept.label: concept.parents for concept in now.concepts.values()}
    assert (parents["kind of it"], parents["beside it"]) == (("f4",), ("root",))
    assert "no" not in names(now)
