"""The labels and relation types in this program's statements, and in any other query."""

import re
from collections.abc import Iterator
from functools import cache

from graphdb.cypher.statements import FOLDER

_LITERAL = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_LABELS = re.compile(r"\(\s*\w*\s*:([\w:|&`\s]+)")  # (p:Page:Other)
_RELATIONS = re.compile(r"\[\s*\w*\s*:([\w:|`\s]+)")  # [l:LINKS_TO|MENTIONS*1..3]
_GIVEN = re.compile(r"\bSET\s+\w+:(\w+)")  # SET p:Other
_NAME = re.compile(r"[^\W\d]\w*")


def labels_in(cypher: str) -> set[str]:
    """Labels of nodes in a statement's patterns."""
    return set(_names(_LABELS, cypher))


def relations_in(cypher: str) -> set[str]:
    """Types of relations in a statement's patterns."""
    return set(_names(_RELATIONS, cypher))


@cache
def known_labels() -> frozenset[str]:
    """Labels that a crawl's graph may have."""
    given = {name for cypher in _ours() for name in _GIVEN.findall(cypher)}
    return frozenset(given | {name for cypher in _ours() for name in labels_in(cypher)})


@cache
def known_relations() -> frozenset[str]:
    """Types of relations that a crawl's graph may have."""
    return frozenset(name for cypher in _ours() for name in relations_in(cypher))


def _names(pattern: re.Pattern[str], cypher: str) -> Iterator[str]:
    for match in pattern.finditer(_LITERAL.sub(" ", cypher)):
        yield from _NAME.findall(match[1])


def _ours() -> Iterator[str]:
    for file in FOLDER.glob("*.cypher"):
        yield file.read_text("utf-8")
