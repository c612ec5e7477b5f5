"""Functional syntax, Manchester syntax, OWL/XML and OBO through py-horned-owl: text to `Facts`. Only this file imports
it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ontology.errors import OntologyError
from ontology.messages import message
from ontology.syntaxes.annotation_properties import OWL, RDF, RDFS, TOPIC, XSD, intended_mark
from ontology.syntaxes.file_facts import Expression, ExpressionKind, Facts
from ontology.syntaxes.statement import SUBCLASS, TYPE, Statement
from ontology.syntaxes.syntax_detection import OntologyText, not_valid

_DECLARATIONS = {
    "DeclareClass": "Class",
    "DeclareNamedIndividual": "NamedIndividual",
    "DeclareObjectProperty": "ObjectProperty",
    "DeclareDataProperty": "DatatypeProperty",
    "DeclareAnnotationProperty": "AnnotationProperty",
}
_GROUPS: dict[str, ExpressionKind] = {"ObjectIntersectionOf": "all", "ObjectUnionOf": "any", "ObjectOneOf": "one"}
_NAMED = ("Class", "NamedIndividual")


def parse_owl(source: OntologyText) -> Any:
    """Parse the text. Raises OntologyError, with the line if the parser gives one."""
    import pyhornedowl

    try:
        return pyhornedowl.open_ontology_from_string(source.text, serialization=source.syntax)  # type: ignore[arg-type]
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # a panic in its Rust code is not an Exception
        raise _error(source, str(error)) from None


def _error(source: OntologyText, text: str) -> OntologyError:
    place = re.search(r"line_col: (?:Pos|Span)\(\(+(\d+), \d+\)", text)
    byte = re.search(r"BytePosition\((\d+)\)", text)
    line = None
    if place:
        line = int(place[1])
    elif byte:
        line = source.text.encode()[: int(byte[1])].count(b"\n") + 1
    wanted = re.search(r"positives: \[([^\]]*)\]", text)
    said = re.search(r'\("([^"]*)"', text)
    what = (
        message("expected one of {wanted}", wanted=wanted[1])
        if wanted
        else said[1]
        if said
        else " ".join(text.split())[:200]
    )
    return not_valid(source.name, source.text, source.syntax, what, line)


def rdfxml_of(ontology: Any) -> str:
    """The ontology as RDF/XML, for the reasoner."""
    return str(ontology.save_to_string("rdf"))


def facts_of(ontology: Any) -> Facts:
    """Collect what the axioms state. The parser returns them in no order, so they are sorted to make the result
    reproducible.
    """
    facts = Facts()
    components = sorted((each.component for each in ontology.get_components()), key=str)
    for component in components:
        if type(component).__name__ == "SubAnnotationPropertyOf":
            facts.add_subproperty(_iri(component.sub), _iri(component.sup))
    for component in components:
        name = type(component).__name__
        facts.statements += 1
        facts.used[name] += 1
        if name in _DECLARATIONS:
            facts.add_type(_iri(component.first), OWL + _DECLARATIONS[name])
        elif name in _NOTES:
            _NOTES[name](facts, component)
    return facts


def statements_of(ontology: Any) -> list[Statement]:
    """The axioms about things with an IRI, as the corresponding triples of RDF, sorted by IRI."""
    facts = facts_of(ontology)
    found = [each for item in ontology.get_components() for each in _statements(item.component, facts.iri or "")]
    return sorted(found, key=lambda each: (each.subject, each.prop, each.value, each.language))


def sums(ontology: Any) -> Counter[str]:
    """Every axiom with its annotations, as text."""
    return Counter(map(str, ontology.get_components()))


def _statements(component: Any, ontology_iri: str) -> Iterator[Statement]:
    name = type(component).__name__
    if name in _DECLARATIONS:
        yield Statement(_iri(component.first), TYPE, OWL + _DECLARATIONS[name], is_iri=True)
    elif name == "SubClassOf" and type(component.sub).__name__ == "Class":
        yield _to(_iri(component.sub), SUBCLASS, component.sup)
    elif name == "SubAnnotationPropertyOf":
        yield _to(_iri(component.sub), RDFS + "subPropertyOf", component.sup)
    elif name == "ClassAssertion" and _iri(component.i):
        yield _to(_iri(component.i), TYPE, component.ce)
    elif name == "ObjectPropertyAssertion" and _iri(component.source) and _iri(component.ope):
        yield _to(_iri(component.source), _iri(component.ope), component.target)
    elif name == "Import":
        yield Statement(ontology_iri, OWL + "imports", _iri(component.first), is_iri=True)
    elif name in ("AnnotationAssertion", "OntologyAnnotation"):
        is_header = name == "OntologyAnnotation"
        annotation = component.first if is_header else component.ann
        subject = ontology_iri if is_header else _iri(component.subject)
        if subject or is_header:
            yield _noted(subject, _iri(annotation.ap), annotation.av)


def _to(subject: str, prop: str, value: Any) -> Statement:
    """A statement about a class, an individual or a property; of an expression only its existence is recorded."""
    name = type(value).__name__
    is_named = name in (*_NAMED, "IRI", "AnnotationProperty")
    return Statement(subject, prop, _iri(value) if is_named else "", is_iri=True, is_named=is_named)


def _noted(subject: str, prop: str, value: Any) -> Statement:
    if not hasattr(value, "literal"):
        return _to(subject, prop, value)
    datatype = str(getattr(value, "datatype_iri", ""))
    is_plain = datatype in ("", XSD + "string", RDF + "PlainLiteral")
    return Statement(subject, prop, value.literal, getattr(value, "lang", ""), "" if is_plain else datatype)


def _iri(named: Any) -> str:
    """The IRI of an IRI, an entity or an individual; "" if it has none (anonymous individuals, inverse properties)."""
    name = type(named).__name__
    if name == "IRI":
        return str(named)
    return "" if name in ("AnonymousIndividual", "InverseObjectProperty") else str(named.first)


def _identity(facts: Facts, component: Any) -> None:
    facts.iri = str(component.iri) if component.iri else None
    facts.version = str(component.viri) if component.viri else None


def _import(facts: Facts, component: Any) -> None:
    facts.imports.append(_iri(component.first))


def _header(facts: Facts, component: Any) -> None:
    annotation = component.first
    prop, value = _iri(annotation.ap), annotation.av
    text = value.literal if hasattr(value, "literal") else _iri(value)
    if prop == TOPIC:
        facts.topic = text
    elif intended_mark(prop):
        facts.misnamed.append(("", prop, text))


def _annotation(facts: Facts, component: Any) -> None:
    subject, prop, value = _iri(component.subject), _iri(component.ann.ap), component.ann.av
    if not subject:
        return
    if hasattr(value, "literal"):
        facts.annotate(subject, prop, value.literal, getattr(value, "lang", None))
    elif _iri(value):
        facts.add_link(subject, prop, _iri(value))


def _data(facts: Facts, component: Any) -> None:
    subject, value = _iri(component.source), component.target
    if subject:
        facts.annotate(subject, _iri(component.dp), value.literal, getattr(value, "lang", None))


def _subclass(facts: Facts, component: Any) -> None:
    if type(component.sub).__name__ == "Class":
        facts.add_superclass(_iri(component.sub), _expression(component.sup))


def _equivalent(facts: Facts, component: Any) -> None:
    for one in component.first:
        for other in component.first:
            if type(one).__name__ == "Class" and other is not one:
                facts.add_equivalent(_iri(one), _expression(other))


def _disjoint_union(facts: Facts, component: Any) -> None:
    parts = tuple(_expression(part) for part in component.second)
    facts.add_equivalent(_iri(component.first), Expression("any", parts=parts))


def _membership(facts: Facts, component: Any) -> None:
    individual = _iri(component.i)
    for name in _expression(component.ce).names() if individual else ():
        facts.add_link(individual, RDF + "type", name)


def _assertion(facts: Facts, component: Any) -> None:
    source, prop, target = _iri(component.source), _iri(component.ope), _iri(component.target)
    if source and target:
        facts.add_link(source, prop, target)


_NOTES = {
    "OntologyID": _identity,
    "Import": _import,
    "OntologyAnnotation": _header,
    "AnnotationAssertion": _annotation,
    "DataPropertyAssertion": _data,
    "SubClassOf": _subclass,
    "EquivalentClasses": _equivalent,
    "DisjointUnion": _disjoint_union,
    "ClassAssertion": _membership,
    "ObjectPropertyAssertion": _assertion,
}


def _expression(node: Any) -> Expression:
    name = type(node).__name__
    if name in _NAMED:
        return Expression("named", _iri(node))
    if name in _GROUPS:
        return Expression(_GROUPS[name], parts=tuple(_expression(part) for part in node.first))
    filler = getattr(node, "bce", None) or getattr(node, "i", None)
    prop = getattr(node, "ope", None)
    return Expression(
        "filler", _iri(prop) if prop is not None else "", () if filler is None else (_expression(filler),)
    )
