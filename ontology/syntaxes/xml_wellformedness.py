"""XML before anything else reads it: is it whole, what is its root, and its entities expanded with care.

The parsers behind us accept a file that was cut between two elements (measured: 605 of 1,345 axioms, no error), and
expand entities without a limit. Old Protégé files need entities, one level deep and short, so they are expanded here.
"""

import re
from dataclasses import dataclass, field
from xml.parsers import expat

LONGEST_ENTITY = 4096
"""Characters an entity may grow to. Those of Protégé are namespaces, under 200 characters."""

_PREDEFINED = frozenset({"lt", "gt", "amp", "quot", "apos"})
_REFERENCE = re.compile(r"<!\[CDATA\[.*?\]\]>|&([^\s#&;]+);", re.DOTALL)


class NotWellFormed(Exception):
    """The text is no well-formed XML, or asks for too much; `line` counts from 1."""

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
    """Read the text once as XML. Raises NotWellFormed with the line."""
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
        # expat says where the name of the DOCTYPE ends and where its last character is
        start, end = data.rindex(b"<!DOCTYPE", 0, bounds[0]), data.index(b">", bounds[1]) + 1
        xml.text = _expanded_text(data, start, end, xml.entities)
    return xml


def _expanded(value: str, entities: dict[str, str]) -> str:
    """Replace the entities named in an entity's value; raises NotWellFormed where it grows beyond all sense."""
    text = _REFERENCE.sub(lambda found: _value_of(found, entities), value) if len(value) <= LONGEST_ENTITY else value
    if len(text) > LONGEST_ENTITY:
        raise NotWellFormed(f"an entity grows to more than {LONGEST_ENTITY} characters (an entity bomb?)")
    return text


def _value_of(found: re.Match[str], entities: dict[str, str]) -> str:
    return found[0] if found[1] is None or found[1] in _PREDEFINED else entities.get(found[1], found[0])


def _expanded_text(data: bytes, start: int, end: int, entities: dict[str, str]) -> str:
    """Drop the DOCTYPE (its line ends stay, so that lines keep their numbers) and expand in what follows."""
    values = {name: value.replace('"', "&quot;") for name, value in entities.items()}
    body = _REFERENCE.sub(lambda found: _value_of(found, values), data[end:].decode())
    return data[:start].decode() + "\n" * data[start:end].count(b"\n") + body
