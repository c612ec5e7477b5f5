"""Statements as RDF/XML before the end of the root element, with the file's prefixes, entities and style."""

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape

from ontology.editing.edited_file import Change, EditedFile
from ontology.editing.names import USUAL
from ontology.editing.xml_places import XmlFile, before_end
from ontology.errors import OntologyError
from ontology.messages import message
from ontology.syntaxes.annotation_properties import RDF
from ontology.syntaxes.statement import TYPE, Statement

_NCNAME_AT_END = re.compile(r"[^\W\d][\w.-]*\Z")


def append_rdfxml(file: EditedFile, statements: Sequence[Statement]) -> list[Change]:
    """An insertion before `</rdf:RDF>`."""
    xml = XmlFile(file)
    is_commented = f"{xml.indent}<!-- http" in file.text
    blocks = []
    for subject in dict.fromkeys(each.subject for each in statements):
        said = [each for each in statements if each.subject == subject]
        comment = f"{xml.indent}<!-- {subject} -->\n\n" if is_commented and "--" not in subject else ""
        blocks.append(f"\n{comment}{_element(subject, said, xml)}\n")
    return [before_end(file, "".join(blocks) + "\n")]


def _element(subject: str, said: list[Statement], xml: XmlFile) -> str:
    """One subject; its first type is the name of the element, if it has one."""
    more: dict[str, str] = {}  # prefixes that only this element needs
    kind = next((each for each in said if each.prop == TYPE and each.is_iri), None)
    name = _name(kind.value if kind else RDF + "Description", xml, more)
    lines = [_property(each, xml, more) for each in said if each is not kind]
    about = f'{_attribute("about", xml, more)}="{xml.reference(subject)}"'
    spaces = "".join(f' xmlns:{prefix}="{escape(space)}"' for prefix, space in more.items())
    if not lines:
        return f"{xml.indent}<{name}{spaces} {about}/>"
    inside = "\n".join(f"{xml.indent * 2}{line}" for line in lines)
    return f"{xml.indent}<{name}{spaces} {about}>\n{inside}\n{xml.indent}</{name}>"


def _property(statement: Statement, xml: XmlFile, more: dict[str, str]) -> str:
    name = _name(statement.prop, xml, more)
    if statement.is_iri:
        return f'<{name} {_attribute("resource", xml, more)}="{xml.reference(statement.value)}"/>'
    mark = f' xml:lang="{statement.language}"' if statement.language else ""
    if statement.datatype:
        mark = f' {_attribute("datatype", xml, more)}="{xml.reference(statement.datatype)}"'
    return f"<{name}{mark}>{escape(statement.value)}</{name}>"


def _name(iri: str, xml: XmlFile, more: dict[str, str]) -> str:
    """The IRI as the name of an element; a missing prefix is added to `more`."""
    local = _NCNAME_AT_END.search(iri)
    if local is None:
        what = message("{xml}: <{iri}> ends in no name, so RDF/XML cannot have it as a property", xml=xml.name, iri=iri)
        raise OntologyError(what, "save the file as Turtle, or use another property")
    space = iri[: local.start()]
    known = [prefix for prefix, each in {**xml.prefixes, **more}.items() if each == space]
    if known:
        prefix = min(known, key=lambda each: (not each, each))
    else:
        usual = USUAL.get(space, "ns")
        prefix = next(name for name in (usual, *(f"ns{i}" for i in range(1, 99))) if name not in xml.prefixes | more)
        more[prefix] = space
    return f"{prefix}:{local[0]}" if prefix else local[0]


def _attribute(local: str, xml: XmlFile, more: dict[str, str]) -> str:
    """An attribute of RDF; the default namespace does not apply to attributes."""
    known = [prefix for prefix, space in xml.prefixes.items() if space == RDF and prefix]
    if not known:
        more.setdefault("rdf", RDF)
    return f"{known[0] if known else 'rdf'}:{local}"
