"""Checks XML before any parser reads it: whether it is complete, its root element, and its entities, safely expanded.

The parsers accept a file that was cut between two elements (measured: 605 of 1,345 axioms were read, without an error),
and expand entities without a limit. Old Protégé files need short entities, one level deep, so they are expanded here.
"""

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from ontology.messages import message

LONGEST_ENTITY = 4096
"""Characters of an expanded entity. Protégé's are namespaces of less than 200 characters; chosen, not measured."""

_PREDEFINED = frozenset({"lt", "gt", "amp", "quot", "apos"})
_REFERENCE = re.compile(r"<!\[CDATA\[.*?\]\]>|&([^\s#&;]+);", re.DOTALL)


class NotWellFormed(Exception):
    """The text is not well-formed XML, or exceeds a limit; `line` counts from 1."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(slots=True)
class Xml:
    """A well-formed document. `root`: namespace and local name. `text`: without DOCTYPE, entities expanded."""

    text: str
    root: tuple[str, str] = ("", "")
    attributes: dict[str, str] = field(default_factory=dict)
    entities: dict[str, str] = field(default_factory=dict)


def check_xml(text: str) -> Xml:
    """Check the text. Raises NotWellFormed with the line."""
    xml, bounds = Xml(text), [0, 0]
    parser = expat.ParserCreate(namespace_separator=" ")

    def start_element(name: str, attributes: dict[str, str]) -> None:
        uri, _, local = name.rpartition(" ")
        xml.root, xml.attributes = (uri, local), attributes
        parser.StartElementHandler = None

    def entity(name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if value is not None and not is_parameter and name not in xml.entities:
            xml.entities[name] = _expanded(value, xml.entities)

    parser.StartElementHandler = start_element
    parser.EntityDeclHandler = entity
    parser.StartDoctypeDeclHandler = lambda *_: bounds.__setitem__(0, parser.CurrentByteIndex)
    parser.EndDoctypeDeclHandler = lambda: bounds.__setitem__(1, parser.CurrentByteIndex)
    data = text.encode()
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise NotWellFormed(expat.errors.messages[error.code], error.lineno) from None
    except NotWellFormed as error:
        raise NotWellFormed(str(error), parser.CurrentLineNumber) from None
    if bounds[1]:
        # expat reports the end of the DOCTYPE's name and the position of its last character
        start, end = data.rindex(b"<!DOCTYPE", 0, bounds[0]), data.index(b">", bounds[1]) + 1
        xml.text = _expanded_text(data, start, end, xml.entities)
    return xml


def _expanded(value: str, entities: dict[str, str]) -> str:
    """Replace the entities in an entity's value; raises NotWellFormed if it exceeds the limit."""
    text = _REFERENCE.sub(lambda found: _value_of(found, entities), value) if len(value) <= LONGEST_ENTITY else value
    if len(text) > LONGEST_ENTITY:
        raise NotWellFormed(
            message(
                "an entity grows to more than {longest_entity} characters (an entity bomb?)",
                longest_entity=LONGEST_ENTITY,
            )
        )
    return text


def _value_of(found: re.Match[str], entities: dict[str, str]) -> str:
    return found[0] if found[1] is None or found[1] in _PREDEFINED else entities.get(found[1], found[0])


def _expanded_text(data: bytes, start: int, end: int, entities: dict[str, str]) -> str:
    """Remove the DOCTYPE (keeping its line ends, so that line numbers stay) and expand the entities after it."""
    values = {name: value.replace('"', "&quot;") for name, value in entities.items()}
    body = _REFERENCE.sub(lambda found: _value_of(found, values), data[end:].decode())
    return data[:start].decode() + "\n" * data[start:end].count(b"\n") + body
