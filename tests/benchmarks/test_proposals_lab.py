"""How the benchmark of proposals takes labels out, and what it makes of proposals."""

from pathlib import Path

import pytest

from benchmarks.proposals import forms_of, poor, reduced
from ontology.concepts import Concept, Label, Ontology
from ontology.loading.ontology_reader import read_ontology


def ontology(features: int = 5) -> Ontology:
    concepts = {"urn:root": Concept("urn:root", labels=(Label("things"),))}
    for number in range(features):
        labels = (Label(f"thing {number}"), Label(f"item {number}", kind="synonym"))
        concepts[f"urn:f{number}"] = Concept(
            f"urn:f{number}", labels=labels, parents=("urn:root",), weight=0.1 * (number + 1)
        )
    return Ontology("here.owl", "Turtle", "here", concepts, "urn:root", len(concepts))


def names(of: Ontology) -> list[str]:
    return [label.text for concept in of.concepts.values() for label in concept.labels]


def test_a_quarter_of_the_labels_goes_the_same_each_time() -> None:
    whole = ontology()
    left, gone = reduced(whole)
    assert len(gone) == round(len(names(whole)) / 4)
    assert sorted([*names(left), *(label.text for label in gone)]) == sorted(names(whole))
    assert reduced(whole)[1] == gone


def test_forms_are_compared_folded() -> None:
    assert forms_of("Data-Bases", "en") & forms_of("data base", "en")


def test_a_poor_ontology_has_the_heaviest_features(tmp_path: Path) -> None:
    file = tmp_path / "poor.ttl"
    file.write_text(poor(ontology()), "utf-8")
    read = read_ontology(file)
    assert names(read) == ["things", "thing 4", "thing 3", "thing 2"]
    assert [concept.weight for concept in read.concepts.values()] == [None, 0.5, 0.4, pytest.approx(0.3)]
    assert {concept.parents for concept in read.concepts.values()} == {(), (read.topic,)}
