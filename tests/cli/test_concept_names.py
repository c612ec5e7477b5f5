from dataclasses import replace

import pytest

from cli.inputs.concept_names import chosen_language, concept_records, in_language
from cli.render.language import LOCALE
from ontology.concepts import Concept, Label, Ontology
from ontology.errors import SettingsError
from ontology.lexicon.lexicon import Lexicon, Sense, Word
from ontology.topic import Topic
from semantic.records import ConceptRecord

TEA = Concept("x#Tea", labels=(Label("tea", "en"), Label("茶", "zh")))
GREEN = Concept("x#Green", labels=(Label("绿茶", "zh"),), parents=("x#Tea",))
LEAF = Concept("x#Leaf", labels=(Label("leaf", "en", "synonym"),), parents=("x#Tea",))
SILENT = Concept("x#Silent", parents=("x#Tea",))


def test_concepts_keep_their_hyponyms_and_show_the_main_language():
    ontology = Ontology("t.owl", "rdf", concepts={c.iri: c for c in (TEA, GREEN, LEAF, SILENT)})
    words = tuple(Word(c.labels[0].text, None, (Sense(c.iri),)) for c in (TEA, GREEN, LEAF))
    records = concept_records(ontology, Lexicon(words, {}), Topic(None, "tea", {"x#Tea": 2.0}, {"x#Leaf": 1}))
    assert records == [
        ConceptRecord(
            iri="x#Tea",
            label="茶",
            weight=2.0,
            narrower=("x#Green", "x#Leaf"),
            names=("tea", "茶"),
            label_zh="茶",
            label_en="tea",
        ),
        ConceptRecord(iri="x#Green", label="绿茶", names=("绿茶",), label_zh="绿茶"),
        ConceptRecord(iri="x#Leaf", label="leaf", layer=1, names=("leaf",)),
    ]


ONTOLOGY = Ontology("t.owl", "rdf", concepts={c.iri: c for c in (TEA, GREEN)})


@pytest.mark.parametrize(
    ("asked", "locale", "chosen"),
    [
        (None, {}, None),
        (None, {"LANG": "C.UTF-8"}, None),
        (None, {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, None),  # the ontology has no German
        ("en-GB", {"LANG": "zh_CN.UTF-8"}, "en"),
    ],
)
def test_the_language_asked_for_comes_before_the_locale(monkeypatch, asked, locale, chosen):
    for name in LOCALE:
        monkeypatch.delenv(name, raising=False)
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    assert chosen_language(asked, ONTOLOGY) == chosen


def test_a_language_without_names_is_a_mistake():
    with pytest.raises(SettingsError, match="no name in this language"):
        chosen_language("de", ONTOLOGY)


def test_a_language_with_texts_is_none():
    only_german = replace(TEA, labels=tuple(replace(label, language="de") for label in TEA.labels))
    assert chosen_language("zh", Ontology("t.owl", "rdf", concepts={TEA.iri: only_german})) is None


def test_else_captions_are_in_the_language_of_most_pages():
    tea, green = (
        ConceptRecord(iri="t", label="tea", label_zh="茶", label_en="tea"),
        ConceptRecord(iri="g", label="绿茶", label_zh="绿茶"),
    )
    chinese = [replace(tea, label="茶"), green]
    assert in_language([tea, green], {"zh-cn": 2, "en": 3, "zh": 2}) == chinese
    assert in_language(chinese, {"en": 1}) == [tea, green]  # what has no English name keeps its own
    assert in_language([tea, green], {}) == [tea, green]
