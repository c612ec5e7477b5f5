"""Relations other than is-a: read in every syntax, and what they make words count for."""

from pathlib import Path

import pytest

from ontology.inspection.differences import differences
from ontology.lexicon.lexicon import build_lexicon
from ontology.loading.imports_closure import load, load_with_errors
from ontology.topic import build_topic
from semantic.terms.term_matching import build_word_table

PREFIXES = """@prefix : <http://t.example/t#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix oc: <https://w3id.org/ontocrawl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://t.example/t> a owl:Ontology ; oc:topic :Tea .
oc:relatedness a owl:AnnotationProperty .
:Tea a owl:Class ; rdfs:label "tea" ; oc:weight 0.8 .
:Green a owl:Class ; rdfs:label "green" ; oc:weight 0.6 ; rdfs:subClassOf :Tea .
:Pot a owl:Class ; rdfs:label "pot" .
:Lid a owl:Class ; rdfs:label "lid" .
:IronPot a owl:Class ; rdfs:label "iron pot" ; rdfs:subClassOf :Pot .
"""
RESTRICTION = "rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :servedIn ; owl:someValuesFrom :Pot ]"
SERVED = f":servedIn a owl:ObjectProperty ; oc:relatedness 0.5 . :Tea {RESTRICTION} .\n"
PARTS = ":partOf a owl:ObjectProperty ; oc:relatedness 0.2 . :Lid :partOf :Pot .\n"
FUNCTIONAL = """Prefix(:=<http://t.example/t#>) Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>) Prefix(oc:=<https://w3id.org/ontocrawl#>)
Ontology(<http://t.example/t>
Annotation(oc:topic :Tea)
Declaration(Class(:Tea)) Declaration(Class(:Pot)) Declaration(ObjectProperty(:servedIn))
AnnotationAssertion(rdfs:label :Tea "tea") AnnotationAssertion(rdfs:label :Pot "pot")
AnnotationAssertion(oc:weight :Tea "0.8") AnnotationAssertion(oc:relatedness :servedIn "0.5")
SubClassOf(:Tea ObjectSomeValuesFrom(:servedIn :Pot)))
"""


def weights(tmp_path: Path, text: str, name: str = "t.ttl") -> dict[str, tuple[str, float]]:
    """Word -> the feature for which it counts, and how much."""
    path = tmp_path / name
    path.write_text(text, "utf-8")
    ontology = load(path, False, 1024)
    topic = build_topic(ontology)
    lexicon = build_lexicon(ontology, topic)
    table = build_word_table(lexicon, topic)
    pairs = zip(table.feature, table.weight, strict=True)
    return {
        word.text: (feature.rpartition("#")[2], round(weight, 3))
        for word, (feature, weight) in zip(lexicon.words, pairs, strict=True)
    }


def test_without_a_relatedness_only_is_a_counts(tmp_path: Path) -> None:
    found = weights(tmp_path, PREFIXES + SERVED.replace(" ; oc:relatedness 0.5", ""))
    assert found["pot"] == ("", 0.0) and found["green"] == ("Green", 0.6)


@pytest.mark.parametrize(("text", "name"), [(PREFIXES + SERVED, "t.ttl"), (FUNCTIONAL, "t.ofn")])
def test_what_is_related_counts_at_its_fraction(text: str, name: str, tmp_path: Path) -> None:
    found = weights(tmp_path, text, name)
    assert found["tea"] == ("Tea", 0.8) and found["pot"] == ("Tea", 0.4)


def test_distance_and_what_is_below_count(tmp_path: Path) -> None:
    found = weights(tmp_path, PREFIXES + SERVED + PARTS)
    assert found["lid"] == ("Tea", 0.08)  # over two relations: 0.8 x 0.5 x 0.2
    assert found["iron pot"] == ("Tea", 0.4)


def test_a_feature_and_its_descendants_keep_their_count(tmp_path: Path) -> None:
    found = weights(tmp_path, PREFIXES + "skos:related oc:relatedness 0.9 . :Tea skos:related :Green .\n")
    assert found["green"] == ("Green", 0.6) and found["tea"] == ("Tea", 0.8)


@pytest.mark.parametrize("value", ["1.5", '"much"', "-0.1", "0.5 , 0.6"])
def test_a_relatedness_that_is_none_is_refused(value: str, tmp_path: Path) -> None:
    path = tmp_path / "t.ttl"
    path.write_text(PREFIXES + f":servedIn a owl:ObjectProperty ; oc:relatedness {value} .", "utf-8")
    (finding,) = load_with_errors(path, False, 1024).findings
    assert (finding.code, "servedIn" in finding.message) == ("E103", True)


def test_another_relatedness_is_a_difference(tmp_path: Path) -> None:
    for name, text in (("old.ttl", SERVED), ("new.ttl", SERVED.replace("0.5", "0.3"))):
        (tmp_path / name).write_text(PREFIXES + text, "utf-8")
    old, new = (load(tmp_path / name, False, 1024) for name in ("old.ttl", "new.ttl"))
    (found,) = differences(old, new)
    assert found.what == "relatedness" and str(found.after).startswith("0.3 at <http://t.example/t#servedIn>")
