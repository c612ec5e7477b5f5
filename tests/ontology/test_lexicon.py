"""`build_lexicon`: words, their senses, and the forms in which they stand in texts."""

import pytest

from ontology.concepts import Concept, Label, Ontology
from ontology.errors import OntologyError
from ontology.lexicon.inflection import plurals, singulars
from ontology.lexicon.lexicon import Lexicon, Sense, build_lexicon
from ontology.lexicon.surface_forms import is_cased, surface_forms
from ontology.syntaxes.annotation_properties import TO_BE_PLACED
from ontology.topic import build_topic


def labelled(*labels: Label, iri: str = "x", parents: tuple[str, ...] = (), **fields: object) -> Concept:
    return Concept(iri, labels=labels, parents=parents, **fields)  # type: ignore[arg-type]


def lexicon_of(*concepts: Concept, generations: int | None = None, topic: str | None = None) -> Lexicon:
    ontology = Ontology("topic.owl", "turtle", concepts={c.iri: c for c in concepts}, topic=topic)
    return build_lexicon(ontology, build_topic(ontology), generations)


AIRCRAFT = (
    labelled(Label("aircraft", "en"), iri="aircraft", weight=1.0),
    labelled(Label("fighter", "en"), Label("战斗机", "zh"), iri="fighter", parents=("aircraft",), weight=0.8),
    labelled(Label("stealth fighter", "en"), iri="stealth", parents=("fighter",)),
    labelled(Label("F-22"), iri="f22", parents=("stealth",), kind="individual"),
)


def senses(lexicon: Lexicon) -> dict[str, tuple[Sense, ...]]:
    return {word.text: word.senses for word in lexicon.words}


def test_a_word_counts_for_every_feature_above_nearest_first() -> None:
    found = senses(lexicon_of(*AIRCRAFT, topic="aircraft"))
    assert found["战斗机"] == (Sense("fighter", 0, (("fighter", 0), ("aircraft", 1))),)
    assert found["F-22"] == (Sense("f22", 2, (("fighter", 2), ("aircraft", 3))),)


def test_generations_end_the_reach_of_a_feature() -> None:
    found = senses(lexicon_of(*AIRCRAFT, topic="aircraft", generations=1))
    assert found["stealth fighter"] == (Sense("stealth", 1, (("fighter", 1),)),)
    assert "F-22" not in found


def test_a_word_of_no_feature_is_a_word_as_well() -> None:
    other = labelled(Label("ship"), iri="ship")
    assert senses(lexicon_of(*AIRCRAFT, other, topic="aircraft"))["ship"] == (Sense("ship"),)


def test_a_word_of_an_equivalent_class_counts_for_the_other() -> None:
    twins = (
        labelled(Label("laptop"), iri="laptop", weight=1.0, same=("notebook",)),
        labelled(Label("notebook"), iri="notebook", same=("laptop",)),
        labelled(Label("ultrabook"), iri="ultrabook", parents=("notebook",)),
    )
    found = senses(lexicon_of(*twins, topic="laptop"))
    assert found["notebook"] == (Sense("notebook", 1, (("laptop", 1),)),)
    assert found["ultrabook"] == (Sense("ultrabook", 2, (("laptop", 2),)),)


def test_a_word_of_two_concepts_has_two_senses() -> None:
    lexicon = lexicon_of(labelled(Label("數據庫"), iri="a"), labelled(Label("数据库"), iri="b"))
    (word,) = lexicon.words
    assert [sense.concept for sense in word.senses] == ["a", "b"]


def test_labels_of_a_concept_folding_to_one_are_one_word() -> None:
    concept = labelled(Label("Fighter-Jet", "de"), Label("fighter jet", "en"), Label("F-22"), Label("F22"))
    lexicon = lexicon_of(concept)
    assert [word.text for word in lexicon.words] == ["fighter jet", "F-22", "F22"]
    assert lexicon.forms["fighter jets"] == (0,)
    assert lexicon.forms["F22"] == (2,)


def test_an_excluded_phrase_is_a_word_that_names_nothing() -> None:
    phrases = (Label("fighter pilot", "en"), Label("F-22"))
    lexicon = lexicon_of(*AIRCRAFT, labelled(Label("cup"), iri="cup", excludes=phrases), topic="aircraft")
    assert senses(lexicon)["fighter pilot"] == ()
    assert "fighter pilots" in lexicon.forms
    assert [sense.concept for sense in senses(lexicon)["F-22"]] == ["f22"]


def test_deprecated_concepts_have_no_words() -> None:
    lexicon = lexicon_of(labelled(Label("old"), iri="a", deprecated=True), labelled(Label("new"), iri="b"))
    assert [word.text for word in lexicon.words] == ["new"]


def test_only_english_and_untagged_labels_are_inflected() -> None:
    lexicon = lexicon_of(labelled(Label("Netz", "de"), Label("grid", "en-GB"), Label("lens"), Label("MySQL", "zh")))
    assert set(lexicon.forms) == {"Netz", "grid", "grids", "lens", "lenses", "MySQL"}


def test_the_class_to_be_placed_has_no_words() -> None:
    waiting = labelled(Label("to be placed", "en"), iri=TO_BE_PLACED, parents=("tea",))
    lexicon = lexicon_of(labelled(Label("tea", "en"), iri="tea"), waiting)
    assert [word.text for word in lexicon.words] == ["tea"]


def test_layers_go_into_the_senses() -> None:
    lexicon = lexicon_of(*AIRCRAFT, labelled(Label("archive"), iri="archive", layer=2), topic="aircraft")
    assert senses(lexicon)["archive"] == (Sense("archive", layer=2),)


def test_no_word_is_an_error_that_says_what_was_found() -> None:
    ontology = Ontology(
        "codes.owl", "rdfxml", concepts={"a": Concept("a"), "b": labelled(Label("...1"), iri="b")}, classes=2
    )
    with pytest.raises(OntologyError, match="2 classes") as error:
        build_lexicon(ontology)
    assert error.value.cure


@pytest.mark.parametrize(
    ("label", "forms"),
    [
        ("power plant", ["power plant", "power plants"]),
        ("point of interest", ["point of interest", "points of interest"]),
        ("point of sale terminal", ["points of sale terminal", "point of sale terminals"]),
        ("editor-in-chief", ["editors-in-chief"]),
        ("man-in-the-middle attack", ["man-in-the-middle attacks"]),
        ("café", ["cafés"]),
        ("databases", ["databases", "database", "databas"]),
        ("F-22", ["F-22", "F22", "F-22s", "F22s"]),
        ("Android 10", ["Android 10", "Android10"]),
        ("4G手机", ["4G手机", "4 G手机", "4G 手机", "4 G 手机"]),
        ("e-mail", ["e-mail", "email", "e-mails", "emails"]),
        ("mouse (computing)", ["mouse (computing)", "mouse", "mice", "mouses"]),
        ("A4", ["A4", "A4s"]),
        ("C++", ["C++"]),
    ],
)
def test_forms_of_a_label(label: str, forms: list[str]) -> None:
    assert set(forms) <= set(surface_forms(label, "en"))


def test_a_plural_that_means_something_else_has_no_singular() -> None:
    assert "short" not in surface_forms("shorts", "en")
    assert "Blue" not in surface_forms("Blues", None)
    assert "comedy short" in surface_forms("comedy shorts", "en")


def test_a_form_that_would_be_another_word_is_not_made() -> None:
    assert "A 4" not in surface_forms("A4", "en")
    assert surface_forms("news", "en") == ["news"]


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("jet", "jets"), ("lens", "lenses"), ("battery", "batteries"), ("relay", "relays"),
        ("switch", "switches"), ("stomach", "stomachs"), ("analysis", "analyses"), ("antenna", "antennae"),
        ("antenna", "antennas"), ("policeman", "policemen"), ("human", "humans"), ("UAV", "UAVs"),
        ("matrix", "matrices"),
    ],
)  # fmt: skip
def test_plurals_and_back(noun: str, plural: str) -> None:
    assert plural in plurals(noun)
    assert noun in singulars(plural) or noun in ("antenna", "policeman", "UAV")


@pytest.mark.parametrize("noun", ["aircraft", "series", "mice"])
def test_nouns_without_plural(noun: str) -> None:
    assert plurals(noun) == []


@pytest.mark.parametrize("noun", ["physics", "glass", "bus", "analysis", "lens", "Windows", "GPS"])
def test_what_ends_in_s_and_is_no_plural(noun: str) -> None:
    assert singulars(noun) == []


def test_abbreviations_that_could_be_words_keep_their_case() -> None:
    assert all(map(is_cased, ["AC", "IT", "LED", "RAID", "UAV", "Go", "A-10", "C"]))
    assert not any(map(is_cased, ["USB", "JSON", "DSLR", "F-22", "iPhone", "go", "C++", ".NET"]))
    assert is_cased("CAN bus")
    assert not is_cased("CAN BUS")
    lexicon = lexicon_of(labelled(Label("UAV"), Label("drone")))
    assert lexicon.cased == {"UAV", "UAVs"}
