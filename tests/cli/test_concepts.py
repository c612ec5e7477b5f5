from cli.concepts import concept_records
from ontology.concepts import Concept, Label, Ontology
from ontology.lexicon import Lexicon, Sense, Word
from ontology.topic import Topic
from semantic.records import ConceptRecord

TEA = Concept("x#Tea", labels=(Label("tea", "en"), Label("茶", "zh")))
GREEN = Concept("x#Green", labels=(Label("绿茶", "zh"),), parents=("x#Tea",))
LEAF = Concept("x#Leaf", labels=(Label("leaf", "en", "synonym"),), parents=("x#Tea",))
SILENT = Concept("x#Silent", parents=("x#Tea",))


def test_concepts_with_words_are_kept_with_their_hyponyms_and_shown_in_the_main_language():
    ontology = Ontology("t.owl", "rdf", concepts={c.iri: c for c in (TEA, GREEN, LEAF, SILENT)})
    words = tuple(Word(c.labels[0].text, None, (Sense(c.iri),)) for c in (TEA, GREEN, LEAF))
    records = concept_records(ontology, Lexicon(words, {}), Topic(None, "tea", {"x#Tea": 2.0}, {"x#Leaf": 1}))
    assert records == [
        ConceptRecord("x#Tea", "茶", weight=2.0, narrower=("x#Green", "x#Leaf"), names=("tea", "茶")),
        ConceptRecord("x#Green", "绿茶", names=("绿茶",)),
        ConceptRecord("x#Leaf", "leaf", layer=1, names=("leaf",)),
    ]
