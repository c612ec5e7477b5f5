"""Checks that an edited file still says everything it said before, and in addition exactly what it should."""

from collections.abc import Sequence
from dataclasses import replace

from ontology.syntaxes.file_statements import Stated
from ontology.syntaxes.statement import CLASS, TYPE, Statement

_SHOWN = 3  # statements named in a message; chosen


def difference(
    before: Stated, after: Stated, added: Sequence[Statement], values: Sequence[tuple[Statement, str]]
) -> str:
    """What is lost, missing or unexpected; "" if nothing is.

    `added`: the statements that should be new. `values`: former statements, each with the value that it should have
    now. Axioms with blank nodes and expressions are compared by their checksums.
    """
    given_up = {old for old, _ in values}
    was, now = set(before.statements), set(after.statements)
    replaced = {replace(old, value=value, datatype="") for old, value in values}
    # In Turtle and JSON the spelling of a number determines its type.
    wanted = {*added, *(each for each in now - was if replace(each, datatype="") in replaced)}
    if before.syntax == "omn":  # in Manchester syntax the frame of a class also declares it
        wanted |= {each for each in now - was if (each.prop, each.value) == (TYPE, CLASS)}
    lost = (before.sums - after.sums).total() - len(given_up)
    problems = [
        _described("lost", was - now - given_up),
        _described("missing", (wanted - now) | (replaced - {replace(each, datatype="") for each in now - was})),
        _described("too much", now - was - wanted),
        f"{lost} axioms lost" if lost > 0 else "",
        _described("still there", given_up & now),
    ]
    return "; ".join(filter(None, problems))


def _described(what: str, statements: set[Statement]) -> str:
    shown = sorted(f"<{each.subject}> <{each.prop}> {each.value}" for each in statements)[:_SHOWN]
    return f"{what} {len(statements)}: {', '.join(shown)}" if statements else ""
