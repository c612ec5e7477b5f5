"""Statements as lines of OBO: in the stanza of their term; new terms after the other terms."""

import re
from collections.abc import Iterable, Sequence

from ontology.editing.edited_file import Change, EditedFile
from ontology.errors import OntologyError
from ontology.messages import message
from ontology.syntaxes.annotation_properties import LABELS, OBO, OBO_IN_OWL, RDFS
from ontology.syntaxes.obo_lines import statements_of_obo
from ontology.syntaxes.statement import CLASS, INDIVIDUAL, SUBCLASS, TYPE, Statement

_STANZA = re.compile(r"^\[\w+\][^\n]*$", re.MULTILINE)
_ID = re.compile(r"^id:\s*(\S+)", re.MULTILINE)


def append_obo(file: EditedFile, statements: Sequence[Statement]) -> list[Change]:
    """The insertions. OBO can express terms, instances, names, synonyms, parents, and values that are texts."""
    stanzas = _stanzas(file)
    changes = []
    for subject in dict.fromkeys(each.subject for each in statements):
        said = [each for each in statements if each.subject == subject]
        lines = sorted((line for each in said for line in _lines(file, each)), key=_place)
        if subject in stanzas:
            place = stanzas[subject]
            changes.append(Change(place, place, "".join(f"\n{line}" for line in lines)))
        elif any(each.prop == TYPE for each in said):
            place = _end_of_terms(file)
            head = "[Instance]" if any((each.prop, each.value) == (TYPE, INDIVIDUAL) for each in said) else "[Term]"
            block = "".join(f"{line}\n" for line in (head, f"id: {_identifier(subject)}", *lines))
            changes.append(Change(place, place, f"{block}\n" if place < len(file.text) else f"\n{block}"))
        else:
            place = len(file.text[: _first_stanza(file)].rstrip())
            changes.append(Change(place, place, "".join(f"\n{line}" for line in lines)))
    return changes


def _place(line: str) -> int:
    """The rank of a line in its stanza (OBO 1.4, section 3.3)."""
    return ("name", "synonym", "property_value", "is_a", "instance_of").index(line.partition(":")[0])


def _lines(file: EditedFile, statement: Statement) -> Iterable[str]:
    text = statement.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    scope = statement.prop.removeprefix(OBO_IN_OWL + "has").removesuffix("Synonym").upper()
    if statement.prop == TYPE:
        if statement.value not in (CLASS, INDIVIDUAL):
            yield f"instance_of: {_identifier(statement.value)}"
        return
    if statement.prop == RDFS + "label":
        yield f"name: {text}"
    elif statement.prop == SUBCLASS:
        yield f"is_a: {_identifier(statement.value)}"
    elif LABELS.get(statement.prop) in ("synonym", "related"):
        yield f'synonym: "{text}" {scope if scope in ("EXACT", "RELATED", "BROAD", "NARROW") else "EXACT"} []'
    elif statement.is_iri:
        what = message("{path}: OBO has no line for <{prop}>", path=file.path.name, prop=statement.prop)
        raise OntologyError(what, "save the file as RDF/XML (in Protégé: File > Save as), then do it again")
    else:
        yield f'property_value: {statement.prop} "{text}" {_type(statement)}'


def _type(statement: Statement) -> str:
    return "xsd:" + (statement.datatype.rpartition("#")[2] or "string")


def _identifier(iri: str) -> str:
    return iri.removeprefix(OBO).replace("_", ":", 1) if iri.startswith(OBO) else iri


def _first_stanza(file: EditedFile) -> int:
    found = _STANZA.search(file.text)
    return found.start() if found else len(file.text)


def _stanzas(file: EditedFile) -> dict[str, int]:
    """IRI -> the end of its stanza's last line."""
    starts = [found.start() for found in _STANZA.finditer(file.text)]
    places: dict[str, int] = {}
    for start, end in zip(starts, [*starts[1:], len(file.text)], strict=True):
        body = file.text[start:end].rstrip()
        if _ID.search(body):
            named = next((each.subject for each in statements_of_obo(body) if each.prop == TYPE), "")
            places.setdefault(named, start + len(body))
    return places


def _end_of_terms(file: EditedFile) -> int:
    """The end of the terms, which precede the definitions of relations."""
    found = re.search(r"^\[Typedef\]", file.text, re.MULTILINE)
    return found.start() if found else len(file.text)
