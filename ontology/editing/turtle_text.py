"""Statements as Turtle, with the prefixes of the file, and as N-Triples."""

import re
from collections.abc import Sequence

from ontology.editing.edited_file import Change, EditedFile
from ontology.editing.names import USUAL, angled, quoted, split
from ontology.syntaxes.annotation_properties import XSD
from ontology.syntaxes.statement import TYPE, Statement

_PREFIX = re.compile(r"^[ \t]*@?prefix[ \t]+([\w.-]*):\s*<([^>\s]*)>", re.IGNORECASE | re.MULTILINE)
_BARE = {XSD + "decimal": re.compile(r"[+-]?\d*\.\d+"), XSD + "integer": re.compile(r"[+-]?\d+")}


def append_turtle(file: EditedFile, statements: Sequence[Statement]) -> list[Change]:
    """An insertion at the end of a Turtle file."""
    prefixes = dict(_PREFIX.findall(file.text))
    lines = []
    for space in dict.fromkeys(split(iri)[0] for each in statements for iri in (each.prop, each.datatype) if iri):
        name = USUAL.get(space)
        if name and space not in prefixes.values() and name not in prefixes and name not in ("rdf", "xsd"):
            prefixes[name] = space
            lines.append(f"@prefix {name}: <{space}> .")
    blocks = ["\n".join(lines)] if lines else []
    for subject in dict.fromkeys(each.subject for each in statements):
        said = [_said(each, prefixes) for each in statements if each.subject == subject]
        blocks.append(f"{angled(subject, prefixes)} " + " ;\n    ".join(said) + " .")
    start = "" if file.text.endswith(("\n", "\r")) else "\n"
    end = len(file.text)
    return [Change(end, end, start + "".join(f"\n{block}\n" for block in blocks))]


def append_ntriples(file: EditedFile, statements: Sequence[Statement]) -> list[Change]:
    """An insertion at the end of an N-Triples file."""
    start = "" if file.text.endswith(("\n", "\r")) else "\n"
    lines = [f"<{each.subject}> <{each.prop}> {_value(each, {})} .\n" for each in statements]
    end = len(file.text)
    return [Change(end, end, start + "".join(lines))]


def _said(statement: Statement, prefixes: dict[str, str]) -> str:
    bare = _BARE.get(statement.datatype)
    is_bare = bare is not None and bare.fullmatch(statement.value)
    value = statement.value if is_bare else _value(statement, prefixes)
    return f"{'a' if statement.prop == TYPE else angled(statement.prop, prefixes)} {value}"


def _value(statement: Statement, prefixes: dict[str, str]) -> str:
    if statement.is_iri:
        return angled(statement.value, prefixes)
    tail = f"@{statement.language}" if statement.language else ""
    tail = f"^^{angled(statement.datatype, prefixes)}" if statement.datatype else tail
    return quoted(statement.value) + tail
