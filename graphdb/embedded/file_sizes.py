"""Stores the sizes of an embedded store's files, so that damage is noticed before the engine opens what is left.

The engine reports nothing: a store whose files were cut off or removed opens with fewer pages, or with none. So the
sizes are recorded when the store's server ends. While it is running, and after a crash, only the sizes of files that
never shrink are used (indexes and schemas are rewritten), as they were within the last minute. Files are synced to disk
before their sizes are recorded, so a power cut does not make an intact store look damaged.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from graphdb.embedded.journal import journal_files
from graphdb.store_folder import DATABASE, JOURNAL, SIZES
from ontology.messages import message

GROWING = ("*.bucket", "*.dict")  # files that never shrink
ALL = (*GROWING, "*idx", "schema.json")


def note_sizes(folder: Path, patterns: Iterable[str]) -> None:
    """Record the sizes of the store's files that match these patterns. If files are missing, the former record is
    left.
    """
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
    """The first file that is missing or shorter than recorded, and how many more there are, in one line; '' if none
    is.
    """
    noted = _noted(folder)
    lost = [told for name, size in noted.items() if (told := _lost(_path(folder, name), size))]
    if lost and _noted(folder) != noted:  # meanwhile the server has recorded the sizes anew and removed old files
        return damage(folder)
    more = message(", and {number} more", number=len(lost) - 1) if len(lost) > 1 else ""
    return f"{lost[0]}{more}" if lost else ""


def _noted(folder: Path) -> dict[str, int]:
    try:
        sizes: dict[str, int] = json.loads((folder / SIZES).read_text())
    except (
        FileNotFoundError,
        ValueError,
    ):  # a new store, or one of an earlier version; or the record is cut off itself
        return {}
    return sizes


def _path(folder: Path, name: str) -> Path:
    return folder / name if "/" in name else folder / DATABASE / name


def _lost(path: Path, size: int) -> str:
    try:
        left = path.stat().st_size
    except FileNotFoundError:
        return message("{path} is missing", path=path.name)
    return (
        message("{path} is cut off, {left:,} of {size:,} bytes are left", path=path.name, left=left, size=size)
        if left < size
        else ""
    )
