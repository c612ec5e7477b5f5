"""Replaces a value that a file states; its place in the text is found by trial."""

import re
from collections.abc import Iterator

from ontology.editing.edited_file import Change, EditedFile
from ontology.syntaxes.annotation_properties import local_name
from ontology.syntaxes.statement import Statement

_FAR = 200
"""Characters between a property and its value; most in OWL/XML, where they are two lines; chosen, not measured."""

_TYPE_BEFORE = re.compile(r"(integer)(?=[\"'][^<>]*>\s*\Z)")
_TYPE_AFTER = re.compile(r"[\"']\^\^[^\s)]*?(integer)\b")
"""A number with a decimal point is not an xsd:integer; a datatype in the file that says so is changed as well."""

MOST_TRIED = 20
"""Places that are tried; each costs one reading of the file; chosen, not measured."""


def replacements(file: EditedFile, old: Statement, value: str) -> Iterator[Change]:
    """The possible places of the old value, most likely first: those closest after the subject's name.

    Only reading the changed file shows which of them is right.
    """
    prop, subject = re.escape(local_name(old.prop)), local_name(old.subject)
    between = rf"(?:(?!\b{prop}\b).){{1,{_FAR}}}?"
    pattern = re.compile(rf"\b{prop}\b{between}(?<![\w.+-])({re.escape(old.value)})(?!\.?\w)", re.DOTALL)
    found = [match.start(1) for match in pattern.finditer(file.text)]
    found.sort(key=lambda place: place - file.text.rfind(subject, 0, place))
    for place in found[:MOST_TRIED]:
        end = place + len(old.value)
        before, after = _TYPE_BEFORE.search(file.text, max(0, place - _FAR), place), _TYPE_AFTER.match(file.text, end)
        if before:
            yield Change(before.start(1), end, "decimal" + file.text[before.end(1) : place] + value)
        elif after:
            yield Change(place, after.end(1), value + file.text[end : after.start(1)] + "decimal")
        else:
            yield Change(place, end, value)
