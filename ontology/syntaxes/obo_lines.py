"""Reads OBO line by line, for files that the strict parser refuses because of a single invalid character.

Format: OBO Flat File Format 1.4, https://owlcollab.github.io/oboformat/doc/obo-syntax.html
"""

import re
from collections.abc import Iterator

from ontology.syntaxes.annotation_properties import OBO, OBO_IN_OWL, OWL, RDF, RDFS, XSD
from ontology.syntaxes.file_facts import Expression, Facts
from ontology.syntaxes.statement import CLASS, INDIVIDUAL, SUBCLASS, TYPE, Statement, link

_TAG = re.compile(r"([\w-]+):\s*(.*)")
_SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(EXACT|RELATED|NARROW|BROAD)?')
_PROPERTY_VALUE = re.compile(r'(\S+)\s+"((?:[^"\\]|\\.)*)"\s*(\S+)?')
_TRAILING = re.compile(r"\s+(!|\{).*$")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "W": " ", "t": "\t"}
_STANZAS = {"[Term]": "Class", "[Instance]": "NamedIndividual", "[Typedef]": "ObjectProperty"}


def read_obo(text: str) -> Facts:
    """Read terms, names, synonyms, is_a, relations and obsolescence; other lines are ignored."""
    facts, stanza, iri = Facts(), "", ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            stanza, iri = line, ""
            continue
        tag = _TAG.match(line)
        if tag is None:
            continue
        name, value = tag[1], tag[2]
        facts.statements += 1
        facts.used[name] += 1
        if not stanza:
            _header(facts, name, value)
        elif name == "id":
            iri = _iri(value)
            facts.add_type(iri, OWL + _STANZAS.get(stanza, ""))
        elif iri and stanza != "[Typedef]":
            _clause(facts, iri, name, value)
    return facts


def statements_of_obo(text: str) -> list[Statement]:
    """Names, synonyms, parents and property values, as the corresponding triples of OWL."""
    found, stanza, iri = [], "", ""
    for line in map(str.strip, text.splitlines()):
        tag = _TAG.match(line)
        if line.startswith("["):
            stanza, iri = line, ""
        elif tag and tag[1] == "id":
            iri = _iri(tag[2])
            found.append(link(iri, TYPE, INDIVIDUAL if stanza == "[Instance]" else CLASS))
        elif tag:
            found += _statement(iri, tag[1], tag[2])
    return found


def _statement(iri: str, name: str, value: str) -> Iterator[Statement]:
    synonym, noted = _SYNONYM.match(value), _PROPERTY_VALUE.match(value)
    if name == "name":
        yield Statement(iri, RDFS + "label", _plain(value))
    elif name == "synonym" and synonym:
        yield Statement(iri, f"{OBO_IN_OWL}has{(synonym[2] or 'RELATED').capitalize()}Synonym", _unescaped(synonym[1]))
    elif name == "is_a":
        yield link(iri, SUBCLASS, _iri(value.split(maxsplit=1)[0]))
    elif name == "instance_of":
        yield link(iri, TYPE, _iri(value))
    elif name == "property_value" and noted:
        datatype = (noted[3] or "").replace("xsd:", XSD)
        plain = "" if datatype == XSD + "string" else datatype
        # Statements of the header are about the ontology. It may have no IRI, so the property is used as the subject.
        yield Statement(iri or noted[1], noted[1], _unescaped(noted[2]), datatype=plain)


def _header(facts: Facts, name: str, value: str) -> None:
    if name == "ontology":
        facts.iri = f"{OBO}{value}.owl"
    elif name == "import":
        facts.imports.append(value if ":" in value else f"{OBO}{value}.owl")


def _clause(facts: Facts, iri: str, name: str, value: str) -> None:
    if name == "name":
        facts.annotate(iri, RDFS + "label", _plain(value))
    elif name == "synonym":
        _synonym(facts, iri, value)
    elif name == "is_obsolete":
        facts.annotate(iri, OWL + "deprecated", _plain(value))
    elif name in ("is_a", "intersection_of", "relationship"):
        _relation(facts, iri, _TRAILING.sub("", value).split())
    elif name == "instance_of":
        facts.add_link(iri, RDF + "type", _iri(value))


def _synonym(facts: Facts, iri: str, value: str) -> None:
    found = _SYNONYM.match(value)
    if found:
        scope = (found[2] or "RELATED").capitalize()
        facts.annotate(iri, f"{OBO_IN_OWL}has{scope}Synonym", _unescaped(found[1]))


def _relation(facts: Facts, iri: str, words: list[str]) -> None:
    """`X:1` is a parent, `part_of X:1` a relation."""
    if not words:
        return
    other = Expression("named", _iri(words[-1]))
    facts.add_superclass(iri, other if len(words) == 1 else Expression("filler", _iri(words[0]), (other,)))


def _iri(identifier: str) -> str:
    identifier = _TRAILING.sub("", identifier).strip()
    return identifier if "://" in identifier else OBO + identifier.replace(":", "_", 1)


def _plain(value: str) -> str:
    return _unescaped(_TRAILING.sub("", value).strip())


def _unescaped(value: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), value)
