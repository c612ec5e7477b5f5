"""One statement of a file, as written."""

from dataclasses import dataclass

from ontology.syntaxes.annotation_properties import OWL, RDF, RDFS

TYPE, SUBCLASS = RDF + "type", RDFS + "subClassOf"
CLASS, INDIVIDUAL, ANNOTATION_PROPERTY = OWL + "Class", OWL + "NamedIndividual", OWL + "AnnotationProperty"


@dataclass(frozen=True, slots=True)
class Statement:
    """Something with an IRI, a property, and another IRI (`is_iri`) or a text.

    `language`: the tag as written, "" where there is none. `datatype`: an IRI, "" for plain texts. `is_named`: False
    where the value is a blank node or an expression, which is not told.
    """

    subject: str
    prop: str
    value: str
    language: str = ""
    datatype: str = ""
    is_iri: bool = False
    is_named: bool = True


def link(subject: str, prop: str, value: str) -> Statement:
    """A statement about another IRI."""
    return Statement(subject, prop, value, is_iri=True)
