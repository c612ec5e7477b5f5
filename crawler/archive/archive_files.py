"""Finds the WARC files of an archive: a file, those in a folder, or those in a WACZ file.

A WACZ file (specs.webrecorder.net/wacz/1.1.1) is a zip file with WARC files in `archive/`. Here any zip file with WARC
files will do, also one in another. One that is cut short has no table of its files any more; since the WARC files in it
are usually stored as they are, their records are found all the same.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from zipfile import BadZipFile, ZipFile

from ontology.errors import SettingsError
from ontology.file_failures import refusal
from ontology.messages import joined, message
from semantic.parsing.document_types import ZIP_MARK

_WARC, _WACZ = ".warc", ".wacz"
_LISTED = 1_000_000  # bytes of datapackage.json that are read; chosen
_SHOWN = 5  # files that are named


def archive_files(path: Path) -> list[Path]:
    """The files of an archive, in the order of their names: the file itself, or those in a folder and below it."""
    try:
        if not path.is_dir():
            return [path]
        found = (Path(folder, name) for folder, _, names in os.walk(path, onerror=_raise) for name in names)
        return sorted(file for file in found if _is_archive(file.name))
    except OSError as error:
        raise SettingsError(*refusal(path, error, "give a folder that can be read")) from error


def _raise(error: OSError) -> None:
    raise error


def _is_archive(name: str) -> bool:
    suffixes = Path(name.lower()).suffixes
    return _WARC in suffixes or suffixes[-1:] == [_WACZ]


def warc_streams(file: Path, remarks: list[str]) -> Iterator[tuple[str, IO[bytes]]]:
    """Name and bytes of the file, or of each WARC file in it. `remarks`: receives what there is to tell.

    Raises OSError.
    """
    with file.open("rb") as stream:
        if stream.read(len(ZIP_MARK)) == ZIP_MARK:
            yield from _members(str(file), stream, remarks)
        else:
            stream.seek(0)
            yield str(file), stream


def _members(name: str, stream: IO[bytes], remarks: list[str], depth: int = 0) -> Iterator[tuple[str, IO[bytes]]]:
    try:
        zipped = ZipFile(stream)
    except (BadZipFile, ValueError, NotImplementedError) as error:
        remarks.append(
            message("{file}: a damaged zip file ({error}); the parts found in it are read", file=name, error=error)
        )
        stream.seek(0)
        yield name, stream
        return
    with zipped:
        inside = [each for each in zipped.infolist() if not each.is_dir() and _is_archive(each.filename)]
        if not inside:
            remarks.append(message("{file}: {what}", file=name, what=_without_archive(zipped)))
        for each in inside:
            try:
                member = zipped.open(each)
            except (BadZipFile, RuntimeError, NotImplementedError) as error:  # damaged, encrypted, unknown compression
                remarks.append(message("{file}: {what}", file=f"{name}/{each.filename}", what=error))
                continue
            # the gzip file in it has a sum of its own for each record; one that is wrong costs that record alone
            member._expected_crc = None  # type: ignore[attr-defined]
            with member:
                if each.filename.lower().endswith(_WACZ) and depth == 0:
                    yield from _members(f"{name}/{each.filename}", member, remarks, 1)
                else:
                    yield f"{name}/{each.filename}", member


def _without_archive(zipped: ZipFile) -> str:
    """Why a zip file has no answers: perhaps it only names other files, as a collection does."""
    try:
        with zipped.open("datapackage.json") as file:
            resources = json.loads(file.read(_LISTED))["resources"]
        named = [str(each.get("path") or each.get("name")) for each in resources]
    except (KeyError, ValueError, TypeError, AttributeError, BadZipFile, RuntimeError, NotImplementedError, OSError):
        named = []
    others = [name for name in named if name.lower().partition("?")[0].endswith(_WACZ)]
    if not others:
        return message("a zip file without a WARC file in it")
    named = [*others[:_SHOWN], *(["…"] if len(others) > _SHOWN else [])]
    return message(
        "it only names other WACZ files: {names}; fetch them, and give a folder of them", names=joined(named)
    )
