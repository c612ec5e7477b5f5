"""Finds all texts for people: the extractors that pyproject.toml names to Babel. `make texts` runs them.

A text is what the code gives to `tr`, `later` or `message`, what it gives to an error as a whole, the help of every
command and option, what Neo4j Browser is given to read, and the sentences of reasons.
"""

import ast
import re
from collections.abc import Iterator
from typing import BinaryIO

import typer

from cli.exits import MEANINGS
from cli.render.help_texts import help_texts
from cli.stores.neo4j_browser import texts_in
from ontology import errors
from semantic.reasons import TEMPLATES

# functions and classes, and which of their arguments are texts
TEXTS_OF = {
    "tr": (0,),
    "later": (0,),
    "message": (0,),
    "Rule": (0, 1),
    "refusal": (2,),
    **{name: (0, 1) for name in vars(errors) if isinstance(getattr(errors, name), type)},
}
# Names of states and kinds in figures: `tr` is given them by a value.
STATES = """
queued; unchanged; changed; link; all imported; max-pages; queue-empty; enough; unreachable; interrupted; synonym;
related; narrower; misleading; related name; misspelling; parent; excluded; layer; layer 1; layer 2; topic;
relatedness; results; results at the last fit; pages in the centre; words of the centre; words of the base vector;
highest Q in G_w; vertices of G_w, on any way to a result; vertices of G_w, on the ways taken to results
"""
Found = Iterator[tuple[int, None, str, list[str]]]  # line, function, text, comments


def texts_of_code(file: BinaryIO, *_: object, **__: object) -> Found:
    """The texts of one Python file."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            for place in TEXTS_OF.get(name, ()):
                yield from _found(*(_constants(node.args[place]) if place < len(node.args) else ()))


def texts_of_browser(file: BinaryIO, *_: object, **__: object) -> Found:
    """The texts of a file for Neo4j Browser."""
    return _found(*texts_in(file.read().decode("utf-8")))


def texts_of_help(*_: object, **__: object) -> Found:
    """The help of all commands, the meanings of exit codes, the sentences of reasons, and names of states."""
    from cli.main import app

    said = (meaning.said for meaning in MEANINGS.values())
    return _found(
        *help_texts(typer.main.get_command(app)), *said, *TEMPLATES.values(), *re.split(r";\s", STATES.strip())
    )


def _constants(node: ast.expr) -> Iterator[str]:
    """A text, or each of those among which the code chooses."""
    if isinstance(node, ast.IfExp | ast.BoolOp):
        for part in node.values if isinstance(node, ast.BoolOp) else (node.body, node.orelse):
            yield from _constants(part)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def _found(*texts: str) -> Found:
    for text in texts:
        if re.search(r"[A-Za-z:;,]", re.sub(r"\{[^}]*\}", "", text)):  # others are values alone
            yield 0, None, text, []
