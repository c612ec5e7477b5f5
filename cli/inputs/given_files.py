"""Files that an option names: what is said where one cannot be read."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from cli.render.language import tr
from cli.render.terminal import say
from ontology.errors import SettingsError
from ontology.file_failures import next_step, why_refused
from ontology.syntaxes.text_decoding import decode

Read = TypeVar("Read")
_HEAD = 1_000_000  # bytes, as of a thesaurus (`ontology.thesauri.source_reading`); chosen, not measured


def read_given(option: str, path: Path, read: Callable[[Path], Read], cure: str) -> Read:
    """What `read` makes of the file. Raises SettingsError with the cure, or with a file of nearly that name."""
    try:
        return read(path)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            tr("{option}: {path} cannot be read: {why}", option=option, path=path, why=why_refused(error)),
            next_step(path, error, cure),
        ) from error


def text_of(path: Path) -> str:
    """A text in UTF-8, UTF-16 or GB18030. Says in one line if it is not in UTF-8.

    Raises OSError, or UnicodeDecodeError for a file in none of these.
    """
    data = path.read_bytes()
    decoded = decode(data)
    if decoded.replaced:
        data.decode(decoded.encoding)  # raises
    _tell_encoding(path, decoded.encoding)
    return decoded.text


def encoding_of(path: Path) -> str:
    """The encoding of a text that is too long to be read at once, by its beginning. Says so if it is not UTF-8."""
    with path.open("rb") as file:
        encoding = decode(b"".join(file.readlines(_HEAD))).encoding
    _tell_encoding(path, encoding)
    return encoding


def _tell_encoding(path: Path, encoding: str) -> None:
    if encoding != "utf-8":
        say(tr("{path} is not in UTF-8; it was read as {encoding}", path=path, encoding=encoding.upper()))


def text_lines(path: Path) -> list[str]:
    """The lines of such a text."""
    return text_of(path).splitlines()


def check_given(option: str, path: Path, cure: str) -> None:
    """Raise SettingsError if there is no such file or folder, or if it may not be read."""
    read_given(option, path, _look, cure)


def check_archive(path: Path) -> None:
    """Raise SettingsError if what --archive names cannot be read."""
    check_given("--archive", path, tr("give --archive a WARC or WACZ file, or a folder of them"))


def _look(path: Path) -> None:
    if path.is_dir():
        next(path.iterdir(), None)
    else:
        path.open("rb").close()
