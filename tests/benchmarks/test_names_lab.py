"""What `benchmarks.names_lab` takes out of an ontology, and what it looks for."""

from benchmarks.names_lab import without
from ontology.concepts import Concept, Label, Ontology


def test_labels_of_one_language_go_and_translations_come() -> None:
    both = (Label("firewall", "en"), Label("防火墙", "zh"))
    iri = "urn:x#Firewall"
    ontology = Ontology("here.owl", "RDF/XML", "here", {iri: Concept(iri, "class", both, ())}, None, 1)
    left, gone = without(ontology, "zh", "linuxcn/containers")
    assert left.concepts[iri].labels == both[:1] and gone == {iri: [both[1]]}
    left, gone = without(ontology, "en", "archwiki/security")  # whose Chinese names are in a file
    assert {label.text for label in left.concepts[iri].labels} == {"防火墙"} and gone == {iri: [both[0]]}
