"""A single statement of a file."""

from dataclasses import dataclass

from ontology.syntaxes.annotation_properties import OWL, RDF, RDFS

TYPE, SUBCLASS = RDF + "type", RDFS + "subClassOf"
CLASS, INDIVIDUAL, ANNOTATION_PROPERTY = OWL + "Class", OWL + "NamedIndividual", OWL + "AnnotationProperty"


@dataclass(frozen=True, slots=True)
class Statement:
    """A subject with an IRI, a property, and as value another IRI (`is_iri`) or a text.

    `language`: the tag as written, "" without one. `datatype`: an IRI, "" for plain texts. `is_named`: False if the
    value is a blank node or an expression; then `value` is "".
    """

    subject: str
    prop: str
    value: str
    language: str = ""
    datatype: str = ""
    is_iri: bool = False
    is_named: bool = True


def link(subject: str, prop: str, value: str) -> Statement:
    """A statement whose value is an IRI."""
    return Statement(subject, prop, value, is_iri=True)
