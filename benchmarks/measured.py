"""Every run that was measured, a line each in `benchmarks/measured.tsv`, committed so that no machine does it again.

A line holds what was run (task, strategy, variant, seed, pages asked for), what its order depends on (`code`: the hash
of `benchmarks.code_hash`, the task's files and what the variant changes; `row`: that of the code alone), the commit,
and what came out. A run is found again by what it depends on. Lines are added as runs end; `tidy` leaves the last one
of each run.
"""

import csv
import os
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

MEASURED = Path(__file__).with_name("measured.tsv")
Run = tuple[str, str, str, int, int]  # task, strategy, variant, seed, budget
Wanted = TypeVar("Wanted")


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


COLUMNS = [field.name for field in fields(Measured)]
_HEAD = "\t".join(COLUMNS)


def read_measured(path: Path = MEASURED) -> list[Measured]:
    """All lines in the order in which they were added."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return [_measured(row) for row in csv.DictReader(stream, delimiter="\t")]


def find(wanted: Mapping[Wanted, tuple[Run, str]], *, stale: bool = False) -> dict[Wanted, Measured]:
    """What was measured of these runs with this code each; `stale`: or else the last of other code."""
    lines: dict[Run, list[Measured]] = {}
    for one in read_measured():
        lines.setdefault(one.run, []).append(one)
    found = {}
    for key, (run, code) in wanted.items():
        of_run = lines.get(run, [])
        of_code = [one for one in of_run if one.code == code] or (of_run if stale else [])
        if of_code:
            found[key] = of_code[-1]
    return found


def _measured(row: dict[str, str]) -> Measured:
    kinds: dict[str, Callable[[str], object]] = {"seed": int, "budget": int, "pages": int, "of_oracle": float}
    kinds |= {"cpu_ms": float, "copies": int, "by_copy": int, "seconds": float}
    values: dict[str, Any] = {name: kinds.get(name, str)(value) for name, value in row.items()}
    return Measured(**values)


def add(one: Measured, path: Path = MEASURED) -> None:
    """A line more, on the disk when this returns."""
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as stream:
        stream.write(f"{_HEAD}\n" * new + _line(one))
        stream.flush()
        os.fsync(stream.fileno())


def tidy(path: Path = MEASURED) -> None:
    """Leave the last line of every run, sorted."""
    last = {one.run: one for one in read_measured(path)}
    path.write_text(f"{_HEAD}\n" + "".join(_line(last[run]) for run in sorted(last)), encoding="utf-8")


def _line(one: Measured) -> str:
    return "\t".join(map(str, astuple(one))) + "\n"
