"""What an order depends on: a hash of the code that a strategy's row can reach.

Code is taken by its top-level definitions. From a few names to begin with, every definition is followed that another
one names, in its own module or through an import, over all packages of the project; classes are taken whole. Of the
table of strategies only the row in question is taken. Docstrings, comments, layout and where a definition stands do not
count; a file beside a module that a definition names (`page_kinds.tsv`) does, and so do the versions of the libraries
that compute.

So a change of another strategy, of a command or of the store on disk leaves the hash as it is. What is reached is more
than what runs: a hash that stays the same means the same order, one that changes need not mean another.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("ontology", "semantic", "crawler", "graphdb", "cli", "benchmarks")
LIBRARIES = ("numpy", "scipy", "scikit-learn", "rjieba")
TABLE = "STRATEGIES"

Name = tuple[str, str]  # module, definition; "" stands for statements that define nothing


@dataclass
class Module:
    """Top-level definitions (name -> its statements), and where imported names come from (name -> module, name)."""

    path: Path
    defined: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imported: dict[str, Name] = field(default_factory=dict)


def code_of(roots: Iterable[Name], row: str) -> str:
    """The hash of all that `roots` can reach where the table of strategies has this row alone."""
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in LIBRARIES).encode())
    for one in sorted(_about(name, row if name[1] == TABLE else "")[0] for name in reached(roots, row)):
        digest.update(one)
    return digest.hexdigest()[:12]


def reached(roots: Iterable[Name], row: str) -> set[Name]:
    """All definitions that these can name, and those that they name in turn."""
    found: set[Name] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting.append((name[0], ""))
        waiting.extend(_about(name, row if name[1] == TABLE else "")[1])
    return found


@cache
def _about(name: Name, row: str) -> tuple[bytes, tuple[Name, ...]]:
    """The digest of a definition, and what it names."""
    digest = hashlib.sha256()
    named: list[Name] = []
    for node in _nodes(name, row):
        digest.update(ast.dump(_without_imports(node)).encode())
        for file in _files(node, _module(name[0]).path.parent):
            digest.update(file.read_bytes())
        named.extend(_named(node, name[0]))
    return digest.digest(), tuple(named)


def _nodes(name: Name, row: str) -> list[ast.AST]:
    """The statements of a definition; of the table of strategies one row."""
    nodes: list[ast.AST] = list(_module(name[0]).defined.get(name[1], ()))
    if name[1] != TABLE:
        return nodes
    (table,) = [node for node in ast.walk(nodes[0]) if isinstance(node, ast.Dict) and row in map(_text, node.keys)]
    return [value for key, value in zip(table.keys, table.values, strict=True) if _text(key) == row]


def _named(node: ast.AST, module: str) -> Iterator[Name]:
    """Definitions of the project that a piece of code names; all of a module that it names as a whole."""
    here = _module(module)
    for name in dict.fromkeys(part.id for part in ast.walk(node) if isinstance(part, ast.Name)):
        if name in here.defined:
            yield module, name
        elif name in here.imported:
            yield from _whole(here.imported[name])


def _whole(name: Name) -> Iterator[Name]:
    module = ".".join(name)
    if _path(module) is None:
        yield name
    else:
        yield from ((module, part) for part in _module(module).defined)


@cache
def _module(name: str) -> Module:
    path = _path(name)
    assert path is not None, name
    tree = _without_docstrings(ast.parse(path.read_text(encoding="utf-8")))
    module = Module(path)
    for node in ast.walk(tree):  # imports stand in functions, too
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in PACKAGES:
            module.imported |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
    for statement in tree.body:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            for defined in _defines(statement):
                module.defined.setdefault(defined, []).append(statement)
    return module


def _defines(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", statement)]
    names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    return names if isinstance(statement, ast.Assign | ast.AnnAssign) else [""]


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and _text(body[0].value) is not None:
            del body[0]
    return tree


def _without_imports(node: ast.AST) -> ast.AST:
    """The code without the imports inside functions. Their targets are followed; the module's name does not count."""
    for part in ast.walk(node):
        body = getattr(part, "body", None)
        if isinstance(body, list):
            part.body = [one for one in body if not isinstance(one, ast.Import | ast.ImportFrom)]  # type: ignore[attr-defined]
    return node


def _text(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _files(node: ast.AST, folder: Path) -> list[Path]:
    """Files beside the module that a definition names."""
    names = {text for part in ast.walk(node) if (text := _text(part)) and "." in text and "/" not in text}
    return [folder / name for name in sorted(names) if len(name) < 100 and (folder / name).is_file()]


def _path(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split("."))
    found = path.with_suffix(".py") if path.suffix == "" and path.with_suffix(".py").is_file() else None
    return found or (path / "__init__.py" if (path / "__init__.py").is_file() else None)
