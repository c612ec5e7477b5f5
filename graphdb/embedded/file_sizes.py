"""The sizes of an embedded store's files, kept beside them: damage is noticed before the engine opens what is left.

The engine says nothing: a store whose files were cut off or removed opens with fewer pages, or with none. So they are
measured at the end of the store's server; as long as it runs, and after its death, only those count that never get
smaller (an index is made anew, a schema saved anew), as they were in the last minute. What was written is on disk
before its size is: no power cut makes a store that can be opened look damaged.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from graphdb.embedded.journal import journal_files
from graphdb.store_folder import DATABASE, JOURNAL, SIZES

GROWING = ("*.bucket", "*.dict")
ALL = (*GROWING, "*idx", "schema.json")


def note_sizes(folder: Path, patterns: Iterable[str]) -> None:
    """Write down how large the store's files of these patterns are. Where some were removed, what is written stays."""
    if damage(folder):
        return
    sizes = {f"{JOURNAL}/{path.name}": 0 for path in journal_files(folder)[-1:]}
    for path in sorted(path for pattern in patterns for path in (folder / DATABASE).glob(pattern)):
        with path.open("rb") as file:
            os.fsync(file.fileno())
            sizes[path.name] = os.fstat(file.fileno()).st_size
    new = folder / f"{SIZES}.new"
    new.write_text(json.dumps(sizes))
    new.replace(folder / SIZES)


def damage(folder: Path) -> str:
    """What is missing of the files whose sizes were written down, in one line; nothing where none is smaller."""
    lost = [told for name, size in _noted(folder).items() if (told := _lost(_path(folder, name), size))]
    more = f", and {len(lost) - 1} more" if len(lost) > 1 else ""
    return f"{lost[0]}{more}" if lost else ""


def _noted(folder: Path) -> dict[str, int]:
    try:
        sizes: dict[str, int] = json.loads((folder / SIZES).read_text())
    except (FileNotFoundError, ValueError):  # never opened, or by a version that did not write them; cut off itself
        return {}
    return sizes


def _path(folder: Path, name: str) -> Path:
    return folder / name if "/" in name else folder / DATABASE / name


def _lost(path: Path, size: int) -> str:
    if not path.exists():
        return f"{path.name} is missing"
    left = path.stat().st_size
    return f"{path.name} is cut off, {left:,} of {size:,} bytes are left" if left < size else ""
