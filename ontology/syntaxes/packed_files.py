"""Unpacks an ontology file that is packed as a whole: gzip, bzip2, xz, or a zip file with one file in it."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

from ontology.errors import OntologyError
from ontology.messages import message

LARGEST = 100_000_000  # bytes of the unpacked file; more could not be read within the limits of time and memory
_OPEN: dict[bytes, Callable[[IO[bytes]], Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
_ZIP = b"PK\x03\x04"
_ENDINGS = (".gz", ".bz2", ".xz", ".zip")
_CURE = message("unpack it, and name the file in it")


def unpacked(name: str, data: bytes) -> tuple[str, bytes]:
    """Name and bytes of the file itself. Raises OntologyError where it is damaged, too large, or one of several."""
    opened = next((opened for mark, opened in _OPEN.items() if data.startswith(mark)), None)
    if opened is None and not data.startswith(_ZIP):
        return name, data
    try:
        if opened is None:
            return _of_zip(name, data)
        plain = opened(io.BytesIO(data)).read(LARGEST + 1)
    except (zlib.error, OSError, EOFError, lzma.LZMAError, BadZipFile, RuntimeError, NotImplementedError) as error:
        raise OntologyError(message("{path}: {why}", path=name, why=error), _CURE) from None
    _check(name, len(plain))
    ending = next((ending for ending in _ENDINGS if name.lower().endswith(ending)), "")
    return name[: len(name) - len(ending)], plain


def _of_zip(name: str, data: bytes) -> tuple[str, bytes]:
    with ZipFile(io.BytesIO(data)) as zipped:
        inside = [each for each in zipped.infolist() if not each.is_dir() and not each.filename.startswith("__MACOSX/")]
        if len(inside) != 1:
            what = message("{path}: a zip file with {number:,} files in it", path=name, number=len(inside))
            raise OntologyError(what, _CURE)
        with zipped.open(inside[0]) as file:
            plain = file.read(LARGEST + 1)
    _check(name, len(plain))
    return inside[0].filename.rpartition("/")[2], plain


def _check(name: str, size: int) -> None:
    if size > LARGEST:
        what = message("{path}: unpacked it has more than {size:.0f} MB", path=name, size=LARGEST / 1e6)
        raise OntologyError(what, "in Protégé: Refactor > Copy/move axioms (or Save as) with only the part needed")
