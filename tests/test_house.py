"""What holds for the tests themselves: they read public names only, and their own names are short sentences."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).parent.rglob("*.py"))
OF_NAMED_TUPLES = {"_replace", "_asdict", "_fields", "_make"}  # public, though they begin so
IN_TEXT = re.compile(r"(?:\w\.|\bimport )(_[a-z]\w+)", re.I)  # a name to be replaced, code for another process
MOST_WORDS = 10


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in OF_NAMED_TUPLES


def private_names(source: str) -> Iterator[str]:
    """The private names of others that a module reads; those of `self` are its own."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(ast.Name("self" | "cls")):
                pass
            case ast.Attribute(_, name):
                yield from filter(is_private, [name])
            case ast.ImportFrom(module, names):
                yield from filter(is_private, [*(module or "").split("."), *(one.name for one in names)])
            case ast.Call(_, [_, ast.Constant(str(name)), *_]):  # setattr and the like
                yield from filter(is_private, [name])
            case ast.Constant(str(text)):
                yield from filter(is_private, IN_TEXT.findall(text))


def test_no_test_reads_a_private_name():
    found = {str(file): names for file in FILES if (names := list(private_names(file.read_text("utf-8"))))}
    assert not found, "make it public, or assert what a caller sees"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("one." + "_core.rows", ["_core"]),
        ("super()." + "_core", ["_core"]),
        ("from a import " + "_core, b", ["_core"]),
        ("from a." + "_core import b", ["_core"]),
        ("patch('a." + "_core', 1)", ["_core"]),
        ("setattr(a, '" + "_core', 1)", ["_core"]),
        ("code = 'import a; a." + "_core()'", ["_core"]),
        ("self." + "_core, cls." + "_core, _core, one._replace(a=1), one.__doc__", []),
    ],
)
def test_private_names_are_found_however_they_are_read(source, names):
    assert list(private_names(source)) == names


def test_a_test_s_name_has_ten_words_at_most():
    defined = [(file, node) for file in FILES for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    names = [(file.name, node.name) for file, node in defined if isinstance(node, ast.FunctionDef)]
    tests = [(file, name) for file, name in names if name.startswith("test_")]
    assert len(tests) > 1000
    assert [(file, name) for file, name in tests if name.count("_") > MOST_WORDS] == []
