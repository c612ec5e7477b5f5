"""Statements as JSON-LD: new objects at the end of the array of nodes."""

import json
import re
from collections.abc import Sequence
from typing import Any

from ontology.editing.edited_file import Change, EditedFile
from ontology.errors import OntologyError
from ontology.messages import message
from ontology.syntaxes.statement import TYPE, Statement

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]')


def append_jsonld(file: EditedFile, statements: Sequence[Statement]) -> list[Change]:
    """An insertion at the end of the outer array, or of the array under `@graph`.

    Raises OntologyError if the file has neither, because nothing can be added to a single node.
    """
    end, is_empty = _end_of_nodes(file)
    nodes = []
    for subject in dict.fromkeys(each.subject for each in statements):
        node: dict[str, Any] = {"@id": subject}
        for each in (each for each in statements if each.subject == subject):
            name, value = ("@type", each.value) if each.prop == TYPE else (each.prop, _value(each))
            node.setdefault(name, []).append(value)
        nodes.append(json.dumps(node, ensure_ascii=False))
    body = file.text[:end].rstrip()
    comma = "" if is_empty else ","
    return [Change(len(body), len(body), comma + "\n  " + ",\n  ".join(nodes))]


def _value(statement: Statement) -> dict[str, str]:
    if statement.is_iri:
        return {"@id": statement.value}
    value = {"@value": statement.value}
    if statement.datatype:
        value["@type"] = statement.datatype
    elif statement.language:
        value["@language"] = statement.language
    return value


def _end_of_nodes(file: EditedFile) -> tuple[int, bool]:
    """The position of the bracket that ends the array, and whether the array is empty."""
    depth, before, opened = 0, "", None
    tokens = list(_TOKEN.finditer(file.text))
    for index, token in enumerate(tokens):
        sign = token[0]
        if sign == "[" and opened is None and (depth == 0 or (depth == 1 and before == '"@graph"')):
            opened = (depth, index)
        if opened and sign == "]" and depth == opened[0] + 1:
            return token.start(), index == opened[1] + 1
        depth += (sign in "[{") - (sign in "]}")
        before = before if sign == ":" else sign
    what = message("{path}: its JSON-LD has no @graph array, where something could be added", path=file.path.name)
    raise OntologyError(what, "save the file as Turtle or RDF/XML, then do it again")
