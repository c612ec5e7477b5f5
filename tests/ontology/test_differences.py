"""What two versions of an ontology say differently."""

from dataclasses import replace

from ontology.concepts import Concept, Label, Ontology
from ontology.inspection.differences import Difference, differences

TEA = Concept("tea", labels=(Label("tea", "en"), Label("茶", "zh", "synonym")), weight=1.0)
GREEN = Concept("green", labels=(Label("green tea", "en"),), parents=("tea",))
OLD = Ontology("old.ttl", "turtle", concepts={"tea": TEA, "green": GREEN}, topic="tea")


def changed(*concepts: Concept, topic: str | None = "tea") -> list[Difference]:
    return differences(OLD, replace(OLD, concepts={each.iri: each for each in concepts}, topic=topic))


def test_the_same_has_no_difference() -> None:
    assert changed(GREEN, TEA) == []


def test_a_concept_that_came_or_went_is_one_difference() -> None:
    assert changed(TEA) == [Difference("concept", "green", "green tea", "below tea", None)]
    new = Concept("cup", labels=(Label("cup"), Label("mug", "en", "synonym")))
    assert changed(TEA, GREEN, new) == [Difference("concept", "cup", "cup", None, "a root; mug@en")]


def test_each_change_of_a_concept_is_told_by_itself() -> None:
    other = replace(
        GREEN,
        labels=(Label("green", "en"), Label("绿茶", "zh", "synonym"), Label("gren", None, "hidden")),
        parents=(),
        weight=0.5,
        layer=1,
        deprecated=True,
        excludes=(Label("green belt", "en"),),
    )
    assert {(each.what, each.before, each.after) for each in changed(TEA, other)} == {
        ("name", "green tea@en", None), ("name", None, "green@en"), ("synonym", None, "绿茶@zh"),
        ("misspelling", None, "gren"), ("parent", "tea", None), ("weight", None, "0.5"), ("layer", None, "1"),
        ("deprecated", None, "yes"), ("excluded", None, "green belt@en"),
    }  # fmt: skip


def test_another_root_of_the_topic_is_told() -> None:
    assert changed(TEA, GREEN, topic="green") == [Difference("topic", "", "", "tea", "green tea")]


def test_another_iri_with_the_same_names_is_one_difference() -> None:
    moved = replace(TEA, iri="cha")
    assert changed(moved, replace(GREEN, parents=("cha",)), topic=None) == [
        Difference("topic", "", "", "tea", None),
        Difference("iri", "cha", "tea", "tea", "cha"),
    ]


def test_concepts_are_named_in_the_language_asked_where_possible() -> None:
    found = differences(OLD, replace(OLD, concepts={"tea": replace(TEA, weight=2.0)}), "zh")
    assert found == [
        Difference("concept", "green", "green tea", "below 茶", None),
        Difference("weight", "tea", "茶", "1", "2"),
    ]
    (gone,) = differences(OLD, replace(OLD, concepts={"green": replace(GREEN, parents=("tea",))}, topic="tea"), "zh")[
        :1
    ]
    assert (gone.label, gone.before) == ("茶", "a root; tea@en")
