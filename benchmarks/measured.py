"""Every run that was measured, a line each in `benchmarks/measured.tsv`, committed so that no machine does it again.

A line holds what was run (task, strategy, variant, seed, pages asked for), what its order depends on (`code`: the hash
of the code, the task's files and what the variant changes; `row`: that of the code alone), the commit, and the results.
Lines are added as runs end; `tidy` leaves the last one of each run.
"""

import ast
import csv
import hashlib
import os
from dataclasses import astuple, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import get_type_hints

ROOT = Path(__file__).resolve().parents[1]
MEASURED = Path(__file__).with_name("measured.tsv")
CODE = (
    *("ontology/lexicon", "ontology/loading", "ontology/syntaxes", "semantic", "cli/lab", "graphdb/record"),
    *(f"crawler/{name}" for name in ("dedup", "engine", "frontier", "politeness", "simulation", "traps")),
)
LIBRARIES = ("numpy", "scipy", "scikit-learn", "rjieba")
Run = tuple[str, str, str, int, int]  # task, strategy, variant, seed, budget


@dataclass(frozen=True)
class Measured:
    """One line. `of_oracle`: share of the oracle's area; `cpu_ms`: a page; `order`: a hash of the addresses fetched.

    `copies`: pages that came again under another address; `by_copy`: targets found by a copy; `seconds`: virtual ones.
    """

    task: str
    strategy: str
    variant: str
    seed: int
    budget: int
    code: str
    row: str
    commit: str
    pages: int
    of_oracle: float
    cpu_ms: float
    order: str
    copies: int
    by_copy: int = 0
    seconds: float = 0.0

    @property
    def run(self) -> Run:
        """What was run."""
        return self.task, self.strategy, self.variant, self.seed, self.budget


_TYPES = get_type_hints(Measured)
_HEAD = "\t".join(_TYPES) + "\n"


def read_measured(path: Path = MEASURED) -> list[Measured]:
    """All lines in the order in which they were added."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t")
        return [Measured(**{name: _TYPES[name](value) for name, value in row.items()}) for row in rows]


def add(one: Measured, path: Path = MEASURED) -> None:
    """A line more, on the disk when this returns."""
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as stream:
        stream.write(_HEAD * new + _line(one))
        stream.flush()
        os.fsync(stream.fileno())


def tidy(path: Path = MEASURED) -> None:
    """Leave the last line of every run, sorted."""
    last = {one.run: one for one in read_measured(path)}
    path.write_text(_HEAD + "".join(_line(last[run]) for run in sorted(last)), encoding="utf-8")


def _line(one: Measured) -> str:
    return "\t".join(map(str, astuple(one))) + "\n"


def code_of(root: Path = ROOT) -> str:
    """The hash of all code by which a crawl in the lab may go, with the tables beside it and the versions of the
    libraries that compute. Comments and docstrings do not count.
    """
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in LIBRARIES).encode())
    for path in sorted(path for folder in CODE for path in (root / folder).rglob("*.*")):
        if path.suffix == ".py":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                body = getattr(node, "body", None)
                if isinstance(body, list):
                    node.body = [one for one in body if not _is_text(one)]  # type: ignore[attr-defined]
            digest.update(ast.dump(tree).encode())
        elif path.suffix in (".tsv", ".sql"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
