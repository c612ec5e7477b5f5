"""The labels, relation types and properties in this program's statements, and in any other query."""

import re
from collections.abc import Iterator
from functools import cache

from graphdb.cypher.statements import FOLDER
from graphdb.record.noted_changes import DATA, REASONS
from graphdb.record.sql_statements import SCHEMA

LITERAL = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_LABELS = re.compile(r"\(\s*\w*\s*:([\w:|&`\s]+)")  # (p:Page:Other)
_RELATIONS = re.compile(r"\[\s*\w*\s*:([\w:|`\s]+)")  # [l:LINKS_TO|MENTIONS*1..3]
_GIVEN = re.compile(r"\bSET\s+\w+:(\w+)")  # SET p:Other
_VARIABLES = re.compile(r"[(\[]\s*(\w+)\s*:|-\s*>?\s*\(\s*(\w+)\s*[){]|\(\s*(\w+)\s*\)\s*<?\s*-")  # (p:Page)-[l:X]->(q)
_READ = re.compile(r"\b(\w+)\.(\w+)")  # p.url
_IN_BRACES = re.compile(r"[(\[]\s*\w*\s*:\w+\s*\{([^{}]*)\}")  # (p:Page {url: $url})
_KEY = re.compile(r"(\w+)\s*:")
_COLUMN = re.compile(r'^  "?([a-z_]+)"? [A-Z]', re.MULTILINE)  # in the schema
_NAME = re.compile(r"[^\W\d]\w*")


def labels_in(cypher: str) -> set[str]:
    """Labels of nodes in a statement's patterns."""
    return set(_names(_LABELS, cypher))


def relations_in(cypher: str) -> set[str]:
    """Types of relations in a statement's patterns."""
    return set(_names(_RELATIONS, cypher))


def properties_in(cypher: str) -> set[str]:
    """Properties that a statement reads of the nodes and relations of its patterns."""
    text, variables = LITERAL.sub(" ", cypher), variables_in(cypher)
    read = {name for variable, name in _READ.findall(text) if variable in variables}
    return read | {name for keys in _IN_BRACES.findall(text) for name in _KEY.findall(keys)}


def variables_in(cypher: str) -> set[str]:
    """The names of nodes and relations in the patterns of a statement."""
    return {name for found in _VARIABLES.findall(LITERAL.sub(" ", cypher)) for name in found if name}


@cache
def known_labels() -> frozenset[str]:
    """Labels that a crawl's graph may have."""
    given = {name for cypher in _ours() for name in _GIVEN.findall(cypher)}
    return frozenset(given | {name for cypher in _ours() for name in labels_in(cypher)})


@cache
def known_relations() -> frozenset[str]:
    """Types of relations that a crawl's graph may have."""
    return frozenset(name for cypher in _ours() for name in relations_in(cypher))


@cache
def known_properties() -> frozenset[str]:
    """Properties that nodes and relations of a graph may have: columns of its record, and some of its own."""
    own = {"filled", "shares", *(name + DATA for name in REASONS)}
    return frozenset(_COLUMN.findall(SCHEMA.read_text("utf-8"))) | own


def _names(pattern: re.Pattern[str], cypher: str) -> Iterator[str]:
    for match in pattern.finditer(LITERAL.sub(" ", cypher)):
        yield from _NAME.findall(match[1])


def _ours() -> Iterator[str]:
    for file in FOLDER.glob("*.cypher"):
        yield file.read_text("utf-8")
