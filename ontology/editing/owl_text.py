"""Statements as axioms: in functional syntax before the last bracket, in Manchester syntax as frames at the end, in
OWL/XML before the end of the root element.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from xml.sax.saxutils import escape

from ontology.editing.edited_file import Change, EditedFile
from ontology.editing.names import abbreviated, angled
from ontology.editing.xml_places import XmlFile, before_end
from ontology.errors import OntologyError
from ontology.messages import message
from ontology.syntaxes.annotation_properties import OWL, RDFS
from ontology.syntaxes.statement import SUBCLASS, TYPE, Statement

_FUNCTIONAL_PREFIX = re.compile(r"\bPrefix\s*\(\s*([\w.-]*):\s*=\s*<([^>]*)>\s*\)")
_MANCHESTER_PREFIX = re.compile(r"^\s*Prefix:\s*([\w.-]*):\s*<([^>]*)>", re.MULTILINE)
_FRAME = re.compile(r"^\s*(?:Class|Individual|(?:Object|Data|Annotation)Property):\s*(\S+)", re.MULTILINE)
_XML_PREFIX = re.compile(r"<(?:\w+:)?Prefix\b[^>]*>")
_DECLARED = {OWL + name: name for name in ("Class", "NamedIndividual", "AnnotationProperty", "ObjectProperty")}


def append_functional(file: EditedFile, statements: Sequence[Statement]) -> list[Change]:
    """An insertion before the bracket that closes the ontology."""
    prefixes = dict(_FUNCTIONAL_PREFIX.findall(file.text))
    place = _last_bracket(file)
    line = file.text.rfind("\n", 0, place) + 1
    is_alone = not file.text[line:place].strip()
    axioms = "".join(f"{_functional(each, prefixes)}\n" for each in statements)
    start = line if is_alone else place
    return [Change(start, start, ("\n" if not is_alone else "") + axioms)]


def _last_bracket(file: EditedFile) -> int:
    """The position of the last `)`, ignoring comments after it."""
    end = len(file.text)
    while end > 0:
        start = file.text.rfind("\n", 0, end) + 1
        line = file.text[start:end].strip()
        if line and not line.startswith("#"):
            return file.text.rindex(")", 0, end)
        end = start - 1
    raise OntologyError(
        message("{path}: its ontology has no end", path=file.path.name), "save the file again from Protégé"
    )


def _functional(statement: Statement, prefixes: Mapping[str, str]) -> str:
    subject = angled(statement.subject, prefixes)
    if statement.prop == TYPE and statement.value in _DECLARED:
        return f"Declaration({_DECLARED[statement.value]}({subject}))"
    value = _value(statement, prefixes)
    if statement.prop == TYPE:
        return f"ClassAssertion({value} {subject})"
    if statement.prop == SUBCLASS:
        return f"SubClassOf({subject} {value})"
    return f"AnnotationAssertion({angled(statement.prop, prefixes)} {subject} {value})"


def append_manchester(file: EditedFile, statements: Sequence[Statement], kinds: Mapping[str, str]) -> list[Change]:
    """Frames at the end. `kinds`: IRI -> `class`, `individual` or `concept`.

    The OWL API knows an entity only as the file writes it where its frame begins (`Tea`, `:Tea` or a whole IRI; an
    imported one by its whole IRI), and `rdfs:label` only so: a file without the prefix `rdfs` gets it.
    """
    prefixes = dict(_MANCHESTER_PREFIX.findall(file.text))
    changes = []
    says_rdfs = any(each.prop.startswith(RDFS) for each in statements)
    if says_rdfs and RDFS not in prefixes.values() and "rdfs" not in prefixes:
        prefixes["rdfs"] = RDFS
        changes.append(Change(0, 0, f"Prefix: rdfs: <{RDFS}>\n"))
    written = {_whole(name, prefixes): name for name in _FRAME.findall(file.text)}
    new = {each.subject for each in statements}

    def named(iri: str) -> str:
        if iri in new or iri.startswith(RDFS):
            return written.get(iri) or angled(iri, prefixes)
        return written.get(iri) or f"<{iri}>"

    frames = []
    for subject in dict.fromkeys(each.subject for each in statements):
        said = [each for each in statements if each.subject == subject]
        types = {each.value for each in said if each.prop == TYPE}
        frame = "Individual" if kinds.get(subject) == "individual" or OWL + "NamedIndividual" in types else "Class"
        frame = "AnnotationProperty" if OWL + "AnnotationProperty" in types or subject in _properties(said) else frame
        lines = [f"{frame}: {named(subject)}"]
        values = {each: f"<{each.value}>" if each.is_iri else _value(each, prefixes) for each in said}
        for name, belongs in _SECTIONS:
            parts = [
                f"{named(each.prop)} {values[each]}" if name == "Annotations" else named(each.value)
                for each in said
                if belongs(each)
            ]
            lines += [f"    {name}: " + ",\n        ".join(parts)] if parts else []
        frames.append("\n".join(lines))
    end = len(file.text)
    start = "" if file.text.endswith(("\n", "\r")) else "\n"
    return [*changes, Change(end, end, start + "".join(f"\n{frame}\n" for frame in frames))]


def _whole(name: str, prefixes: Mapping[str, str]) -> str:
    """The IRI of a name in Manchester syntax; one without a colon has the empty prefix."""
    if name.startswith("<"):
        return name.strip("<>")
    prefix, _, local = name.rpartition(":")
    return prefixes.get(prefix, prefix) + local


def _properties(said: Sequence[Statement]) -> set[str]:
    return {each.prop for each in said}


_SECTIONS: tuple[tuple[str, Callable[[Statement], bool]], ...] = (
    ("Annotations", lambda each: each.prop not in (TYPE, SUBCLASS)),
    ("SubClassOf", lambda each: each.prop == SUBCLASS),
    ("Types", lambda each: each.prop == TYPE and each.value not in _DECLARED),
)


def _value(statement: Statement, prefixes: Mapping[str, str]) -> str:
    """A value; both syntaxes escape only the quote and the backslash."""
    if statement.is_iri:
        return angled(statement.value, prefixes)
    text = '"' + statement.value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if statement.datatype:
        return f"{text}^^{angled(statement.datatype, prefixes)}"
    return f"{text}@{statement.language}" if statement.language else text


def append_owlxml(file: EditedFile, statements: Sequence[Statement]) -> list[Change]:
    """An insertion before `</Ontology>`."""
    xml = XmlFile(file)
    names = _OwlXml(xml, dict(_declared_prefixes(file.text)))
    return [before_end(file, "".join(names.axiom(each) for each in statements))]


def _declared_prefixes(text: str) -> list[tuple[str, str]]:
    found = []
    for tag in _XML_PREFIX.findall(text):
        name, iri = re.search(r"\bname\s*=\s*[\"']([^\"']*)", tag), re.search(r"\bIRI\s*=\s*[\"']([^\"'&]*)[\"']", tag)
        found += [(name[1], iri[1])] if name and iri else []
    return found


class _OwlXml:
    """Writes axioms as elements with the prefix of the root element."""

    def __init__(self, xml: XmlFile, prefixes: Mapping[str, str]) -> None:
        self._xml, self._prefixes = xml, prefixes
        own = min((prefix for prefix, space in xml.prefixes.items() if space == OWL), default="")
        self._owl = f"{own}:" if own else ""

    def axiom(self, statement: Statement) -> str:
        """One axiom, each of its parts on a line of its own."""
        subject = statement.subject
        if statement.prop == TYPE and statement.value in _DECLARED:
            return self._element("Declaration", self._entity(_DECLARED[statement.value], subject))
        if statement.prop == TYPE:
            parts = self._entity("Class", statement.value), self._entity("NamedIndividual", subject)
            return self._element("ClassAssertion", *parts)
        if statement.prop == SUBCLASS:
            parts = self._entity("Class", subject), self._entity("Class", statement.value)
            return self._element("SubClassOf", *parts)
        prop = self._entity("AnnotationProperty", statement.prop)
        return self._element("AnnotationAssertion", prop, self._iri(subject), self._value(statement))

    def _element(self, name: str, *parts: str) -> str:
        step = self._xml.indent
        inside = "".join(f"{step * 2}{part}\n" for part in parts)
        return f"{step}<{self._owl}{name}>\n{inside}{step}</{self._owl}{name}>\n"

    def _entity(self, name: str, iri: str) -> str:
        short = self._short(iri)
        attribute = f'abbreviatedIRI="{short}"' if short else f'IRI="{self._xml.reference(iri)}"'
        return f"<{self._owl}{name} {attribute}/>"

    def _iri(self, iri: str) -> str:
        short, name = self._short(iri), self._owl
        if short:
            return f"<{name}AbbreviatedIRI>{short}</{name}AbbreviatedIRI>"
        return f"<{name}IRI>{self._xml.reference(iri)}</{name}IRI>"

    def _short(self, iri: str) -> str | None:
        """The IRI abbreviated by a named prefix; None if there is none, or if the file writes it relative to its
        base.
        """
        named = {prefix: space for prefix, space in self._prefixes.items() if prefix}
        return None if self._xml.reference(iri).startswith("#") else abbreviated(iri, named)

    def _value(self, statement: Statement) -> str:
        if statement.is_iri:
            return self._iri(statement.value)
        mark = f' xml:lang="{statement.language}"' if statement.language else ""
        if statement.datatype:
            mark = f' datatypeIRI="{self._xml.reference(statement.datatype)}"'
        return f"<{self._owl}Literal{mark}>{escape(statement.value)}</{self._owl}Literal>"
