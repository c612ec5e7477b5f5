"""`check`: every rule of the table met once, and a sound ontology without findings."""

from dataclasses import replace
from typing import Any

import pytest

from ontology.concepts import Concept, Finding, Label, Ontology
from ontology.inspection.checks import RULES, check, summed
from ontology.inspection.concept_tree import DEPTH, build_tree
from ontology.inspection.label_checks import is_tag
from ontology.topic import build_topic


def named(iri: str, *parents: str, **fields: object) -> Concept:
    return Concept(iri, labels=(Label(iri),), parents=parents, **fields)  # type: ignore[arg-type]


def labelled(iri: str, *labels: Label) -> Concept:
    return Concept(iri, labels=labels, parents=("root",))


def ontology(*concepts: Concept, topic: str | None = "root", findings: tuple[Finding, ...] = ()) -> Ontology:
    by_iri = {concept.iri: concept for concept in concepts}
    return Ontology("topic.owl", "turtle", concepts=by_iri, topic=topic, findings=findings)


ROOT = named("root", weight=1.0)
SOUND = ontology(ROOT, named("leaf", "root", weight=0.5), named("sign", layer=1))


def test_a_sound_ontology_has_no_findings() -> None:
    assert check(SOUND) == ()
    assert check(ontology(Concept("root")))[0].message.startswith(RULES["E101"].what)


def codes(*concepts: Concept, **more: Any) -> list[str]:
    return [finding.code for finding in check(ontology(ROOT, *concepts), **more)]


LABELS_AND_CODES = [
    (Label("茶", "zh"), []),
    (Label("茶", "zh-hant-tw"), []),
    (Label("茶", "ja"), []),
    (Label("茶"), []),
    (Label("tea (茶)", "en"), []),
    (Label("TCP/IP", "zh"), []),
    (Label("Tee", "gsw"), []),
    (Label("茶", "en-gb"), ["W212"]),
    (Label("茶", "chinese"), ["W213"]),
    (Label("tea", "jp"), ["W213"]),
    (Label("a"), ["W214"]),
    (Label("A"), ["W214"]),
    (Label("The", "en"), []),  # capitals tell it from the word: an abbreviation is found in its own case
    (Label("the", "en"), ["W214"]),
    (Label("CAN", "en"), []),
    (Label("派", "zh"), ["W214"]),
    (Label("用户", "zh"), []),
    (Label("obsolescence", "en"), []),
]


@pytest.mark.parametrize(("label", "wanted"), LABELS_AND_CODES)
def test_labels_in_their_language_that_stand_not_everywhere(label: Label, wanted: list[str]) -> None:
    assert codes(labelled("leaf", label), common=frozenset("派用")) == wanted


def test_codes_of_languages_are_those_of_iso() -> None:
    assert [tag for tag in ("en", "zh", "de", "pt", "uk", "he", "iw") if not is_tag(tag)] == []
    assert [tag for tag in ("cn", "jp", "us", "english", "zh_cn", "", "e") if is_tag(tag)] == []


@pytest.mark.parametrize(
    ("concepts", "wanted"),
    [
        ([named("leaf", "root", weight=0.5, deprecated=True)], ["W208"]),
        ([replace(labelled("leaf", Label("obsolete_leaf")), deprecated=True)], ["W216"]),
        ([named("signs"), named("sign", "signs", layer=1)], []),  # layers, and what is above them, are not outside
        ([named("vessel", kind="individual")], []),
        ([replace(named("twin"), same=("root",)), named("below", "twin")], []),  # equivalent: inside, and no circle
    ],
)
def test_of_each_concept_one_thing_is_told_or_none(concepts: list[Concept], wanted: list[str]) -> None:
    assert codes(*concepts) == wanted


def test_findings_name_labels_and_iris_where_they_are_needed() -> None:
    same = (replace(named("x1"), labels=(Label("leaf"),)), replace(named("x2"), labels=(Label("Leaf"),)))
    found = check(ontology(ROOT, *same, replace(named("x3"), labels=(Label("lid"),))))
    told = {finding.concepts: finding.place for finding in found if finding.code == "W217"}
    assert told == {("x1",): "leaf <x1>", ("x2",): "Leaf <x2>", ("x3",): "lid"}
    with_iris = check(ontology(ROOT, replace(named("x3"), labels=(Label("lid"),))), iris=True)
    assert [finding.place for finding in with_iris] == ["lid <x3>"]


def test_what_the_reader_found_is_told_with_labels() -> None:
    read = Finding("W105", "empty label: root, leaf", "write it", place="root, leaf", concepts=("root", "leaf"))
    called = (replace(ROOT, labels=(Label("tea"),)), replace(named("leaf", "root"), labels=(Label("blade"),)))
    (finding,) = check(ontology(*called, findings=(read,)))
    assert finding.message == "empty label: tea, blade"


def test_many_of_one_code_are_summed_up() -> None:
    found = check(ontology(ROOT, *(named(f"leaf {i}", deprecated=True) for i in range(7))))
    (whole,) = summed(found, 3)
    assert whole.message.endswith(": leaf 0; leaf 1; leaf 2 and 4 more")
    assert summed(found, 7) == list(found)


def test_a_long_circle_is_not_told_whole() -> None:
    circle = [named(f"c{i}", f"c{(i + 1) % 50}") for i in range(50)]
    (finding,) = check(ontology(ROOT, named("top", "root"), *circle, topic=None))[:1]
    assert finding.code == "W201"
    assert finding.message.endswith("and 46 more")


def test_no_word_says_what_there_is_instead() -> None:
    (finding,) = check(ontology(named("root", deprecated=True), topic=None))
    assert "1 of all deprecated" in finding.message


def test_findings_of_the_reader_come_along_and_are_not_doubled() -> None:
    read = Finding("E101", "no labels", "write some")
    assert [finding for finding in check(ontology(Concept("root"), findings=(read,))) if finding.code == "E101"] == [
        read
    ]


def test_a_tree_unfolds_each_concept_once_and_survives_cycles() -> None:
    cyclic = ontology(
        ROOT, named("a", "root", "b"), named("b", "a"), named("c", "a", "b"), named("x", "y"), named("y", "x")
    )
    trees = build_tree(cyclic, build_topic(cyclic), None)
    assert [tree.concept.iri for tree in trees] == ["root", "x"]
    (a,) = trees[0].narrower
    assert [(branch.concept.iri, branch.again) for branch in a.narrower] == [("b", False), ("c", False)]
    assert [(branch.concept.iri, branch.again) for branch in a.narrower[0].narrower] == [("a", True), ("c", True)]


def test_of_equivalent_classes_one_stands_below_the_other() -> None:
    twins = ontology(ROOT, replace(named("twin"), same=("root",)), named("below", "twin"))
    twins = replace(twins, concepts={**twins.concepts, "root": replace(ROOT, same=("twin",))})
    (root,) = build_tree(twins, build_topic(twins), None)
    (twin,) = root.narrower
    assert (twin.concept.iri, [branch.concept.iri for branch in twin.narrower]) == ("twin", ["below"])


def test_a_tree_deeper_than_a_stack_is_cut_into_several() -> None:
    chain = [named("0"), *(named(str(i), str(i - 1)) for i in range(1, 5000))]
    deep = ontology(*chain, topic=None)
    trees = build_tree(deep, build_topic(deep), None)
    assert len(trees) == 5000 // DEPTH
