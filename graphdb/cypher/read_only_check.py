"""Checks that a query only reads, in two ways before it runs: by its plan, and by its words.

The plan is Neo4j's own statement of what a query does: whether it writes, changes the schema or users, or loads a file.
But it does not show everything inside an expression, as in `[x IN list | COLLECT { LOAD CSV … }]`. So the words are
checked too, without comments, quoted text and quoted names. Neo4j resolves unicode escapes before it looks for quotes
(`'\\u0027` is an empty text), the embedded server does not; so the words are checked both ways.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from ontology.messages import message

# Procedures that only read: those in https://neo4j.com/docs/operations-manual/5/procedures/ with the namespace `db` and
# the mode READ, without those that wait, replan queries, or change statistics.
READERS = frozenset(
    name.casefold()
    for name in (
        "db.index.fulltext.listAvailableAnalyzers",
        "db.index.fulltext.queryNodes",
        "db.index.fulltext.queryRelationships",
        "db.index.vector.queryNodes",
        "db.index.vector.queryRelationships",
        "db.info",
        "db.labels",
        "db.ping",
        "db.propertyKeys",
        "db.relationshipTypes",
        "db.schema.nodeTypeProperties",
        "db.schema.relTypeProperties",
        "db.schema.visualization",
    )
)
READING_NAMESPACES = ("algo", "path", "meta")  # of the embedded server; Neo4j has none of these
OPERATORS = {
    "LoadCSV": message("loads a file (LOAD CSV)"),
    "TransactionForeach": message("has transactions of its own (IN TRANSACTIONS)"),
    "TransactionApply": message("has transactions of its own (IN TRANSACTIONS)"),
    "TerminateTransactions": message("ends the transactions of others"),
}
KINDS = {"w": "writes", "rw": "writes", "s": message("is about the schema, the users or the server")}
_TOKEN = re.compile(
    r"""
    //[^\r\n]* | /\*.*?\*/                        # a comment
    | ' (?: [^'\\] | \\. )* ' | " (?: [^"\\] | \\. )* "
    | ` (?P<name> (?: [^`] | `` )* ) `
    | (?P<word> [a-z0-9_]+ )
    | (?P<sign> [!-/:-@\[-^{-~] )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\\\|\\u([0-9A-Fa-f]{4})")
_CLAUSES = {
    "LoadCSV": re.compile(r" load csv ", re.IGNORECASE),
    "TransactionApply": re.compile(r" \} in (?:\S+ ){0,2}(?:concurrent )?transactions? ", re.IGNORECASE),
    "TerminateTransactions": re.compile(r" terminate transactions? ", re.IGNORECASE),
}
_CALL = re.compile(r"(?<! [.:$]) call (?P<procedure>\S+(?: \. \S+)*)(?= )", re.IGNORECASE)
_WRITING = re.compile(  # openCypher 9, chapter 4; INSERT as in GQL
    r"(?<! [.:$]) (?:create|delete|drop|foreach|insert|merge|remove|set) (?!: )", re.IGNORECASE
)


def objection_to_words(cypher: str) -> str:
    """What a query does besides reading, by its words; '' if they show nothing."""
    return _objection_to(cypher) or _objection_to(_ESCAPE.sub(_resolved, cypher))


def objection_to_refused(cypher: str) -> str:
    """Whether a query that the store has refused has a word that writes; '' if none. Only for such queries: in one that
    is answered, the word may be a name.
    """
    return message("writes") if _WRITING.search(f" {' '.join(_words(cypher))} ") else ""


def objection_to_plan(kind: str | None, plan: Mapping[str, Any] | None) -> str:
    """What a query does besides reading, by the query type and plan that Neo4j reports; '' if it only reads."""
    found = [told for operator in _operators(plan) if (told := _objection_to_operator(operator))]
    return found[0] if found else "" if kind == "r" else KINDS.get(kind or "", message("is of no known kind"))


def _objection_to(cypher: str) -> str:
    words = f" {' '.join(_words(cypher))} "
    called = (call["procedure"] for call in _CALL.finditer(words))
    names = (name.replace(" ", "").replace("`", "") for name in called if "." in name or "`" in name)
    clauses = (OPERATORS[name] for name, clause in _CLAUSES.items() if clause.search(words))
    return next((told for told in chain(clauses, map(_objection_to_call, names)) if told), "")


def _objection_to_call(name: str) -> str:
    known = name.casefold() in READERS or name.casefold().partition(".")[0] in READING_NAMESPACES
    return "" if known else message("calls {name}, which is not known to only read", name=name)


def _words(cypher: str) -> Iterator[str]:
    """Words, signs, and quoted names after a backtick; of such a name only the characters that a procedure's name can
    have.
    """
    for token in _TOKEN.finditer(cypher):
        if token["name"] is not None:
            yield "`" + "".join(re.findall(r"[\w.]", token["name"]))
        elif token["word"] or token["sign"]:
            yield token[0]


def _resolved(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else escape[0]


def _operators(plan: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    if plan:
        yield plan
        for child in plan.get("children", ()):
            yield from _operators(child)


def _objection_to_operator(operator: Mapping[str, Any]) -> str:
    name = str(operator.get("operatorType")).partition("@")[0]
    if name == "ProcedureCall":
        return _objection_to_call(str(operator.get("args", {}).get("Details")).partition("(")[0])
    return OPERATORS.get(name, "")
