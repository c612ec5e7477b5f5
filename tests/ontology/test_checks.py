"""`check`: every rule of the table met once, and a sound ontology without findings."""

from dataclasses import replace

import pytest

from ontology.checks import RULES, check
from ontology.concepts import Concept, Finding, Label, Ontology
from ontology.topic import build_topic
from ontology.tree import DEPTH, build_tree


def named(iri: str, *parents: str, **fields: object) -> Concept:
    return Concept(iri, labels=(Label(iri),), parents=parents, **fields)  # type: ignore[arg-type]


def ontology(*concepts: Concept, topic: str | None = "root", findings: tuple[Finding, ...] = ()) -> Ontology:
    by_iri = {concept.iri: concept for concept in concepts}
    return Ontology("topic.owl", "turtle", concepts=by_iri, topic=topic, findings=findings)


ROOT = named("root", weight=1.0)
SOUND = ontology(ROOT, named("leaf", "root", weight=0.5), named("sign", layer=1))
BROKEN = {
    "E101": ontology(Concept("root")),
    "E102": replace(SOUND, topic="nowhere"),
    "E103": ontology(ROOT, named("leaf", "root", weight=-1.0)),
    "E104": ontology(Concept("root"), named("other")),
    "W201": ontology(ROOT, named("a", "b"), named("b", "a")),
    "W202": ontology(ROOT, replace(named("leaf", "root"), labels=(Label("Root"),))),
    "W203": ontology(named("a"), named("b"), topic=None),
    "W204": ontology(ROOT, Concept("leaf", parents=("root",), weight=0.5)),
    "W205": ontology(ROOT, named("sign", "root", layer=1)),
    "W206": ontology(ROOT, named("leaf", "root", weight=0.0)),
    "W207": ontology(ROOT, topic=None),
    "W208": ontology(ROOT, named("leaf", "root", weight=0.5, deprecated=True)),
    "W209": ontology(ROOT, named("other", weight=0.5)),
    "W210": ontology(ROOT, named("sign", layer=3)),
}


def test_a_sound_ontology_has_no_findings() -> None:
    assert check(SOUND) == ()


@pytest.mark.parametrize("code", BROKEN)
def test_each_rule_finds_its_culprit(code: str) -> None:
    found = {finding.code: finding for finding in check(BROKEN[code])}
    assert code in found
    assert found[code].message.startswith(RULES[code].what)
    assert found[code].cure


def test_no_word_says_what_there_is_instead() -> None:
    (finding,) = check(ontology(named("root", deprecated=True), topic=None))
    assert "1 of all deprecated" in finding.message


def test_every_rule_that_looks_for_itself_is_tested() -> None:
    assert set(BROKEN) == {code for code, rule in RULES.items() if rule.places}


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


def test_a_tree_deeper_than_a_stack_is_cut_into_several() -> None:
    chain = [named("0"), *(named(str(i), str(i - 1)) for i in range(1, 5000))]
    deep = ontology(*chain, topic=None)
    trees = build_tree(deep, build_topic(deep), None)
    assert len(trees) == 5000 // DEPTH
