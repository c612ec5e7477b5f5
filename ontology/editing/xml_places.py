"""Prefixes and base of an XML file's root element, its way of writing IRIs, and the end of its root element."""

import contextlib
import re
from xml.parsers import expat
from xml.sax.saxutils import escape

from ontology.editing.edited_file import Change, EditedFile
from ontology.errors import OntologyError
from ontology.messages import message

_XML_BASE = "http://www.w3.org/XML/1998/namespace base"
_INDENT = re.compile(r"^([ \t]+)<[A-Za-z]", re.MULTILINE)


class _Found(Exception):
    """Raised when the root element has been read, to stop parsing."""


class XmlFile:
    """An XML file. `prefixes`: of the root element, prefix -> namespace ("" is the default). `indent`: white space of
    one level.
    """

    def __init__(self, file: EditedFile) -> None:
        self.name = file.path.name
        self.prefixes: dict[str, str] = {}
        self.base = ""
        found = _INDENT.search(file.text)
        self.indent = found[1] if found else "    "
        self._read_root(file)
        entities = file.source.xml.entities if file.source.xml else {}
        used = {name for name in entities if f'"&{name};' in file.text}
        self._entities = sorted((entities[name], name) for name in used if entities[name])
        self._is_relative = bool(self.base) and any(
            f'{attribute}="#' in file.text for attribute in ("about", "resource", "IRI")
        )

    def _read_root(self, file: EditedFile) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")

        def start_prefix(prefix: str | None, uri: str | None) -> None:
            self.prefixes[prefix or ""] = uri or ""

        def start_element(_: str, attributes: dict[str, str]) -> None:
            self.base = attributes.get(_XML_BASE, "").rstrip("#")
            raise _Found

        parser.StartNamespaceDeclHandler = start_prefix
        parser.StartElementHandler = start_element
        with contextlib.suppress(_Found):
            parser.Parse(file.source.text.encode("utf-8", "replace"), True)

    def reference(self, iri: str) -> str:
        """The IRI as an attribute's value: relative or with an entity if the file writes such ones, otherwise whole."""
        if self._is_relative and iri.startswith(self.base + "#"):
            return escape(iri[len(self.base) :], {'"': "&quot;"})
        for value, name in reversed(self._entities):
            if iri.startswith(value):
                return f"&{name};" + escape(iri[len(value) :], {'"': "&quot;"})
        return escape(iri, {'"': "&quot;"})


def before_end(file: EditedFile, text: str) -> Change:
    """An insertion of the text on lines of its own before the end tag of the root element."""
    place = _end_tag(file)
    line = max(file.text.rfind("\n", 0, place), file.text.rfind("\r", 0, place)) + 1
    if file.text[line:place].strip():
        return Change(place, place, "\n" + text)
    return Change(line, line, text)


def _end_tag(file: EditedFile) -> int:
    end = len(file.text)
    while True:
        body = file.text[:end].rstrip()
        if body.endswith("-->"):
            end = body.rindex("<!--")
        elif body.endswith("?>"):
            end = body.rindex("<?")
        elif (place := body.rfind("<")) >= 0 and body.startswith("</", place):
            return place
        else:
            what = message("{path}: there is nothing inside its root element", path=file.path.name)
            raise OntologyError(what, "save the file again from Protégé")
