"""The archive of which an office file consists, and the XML of its parts, both within limits.

Nothing is written to disk, so names inside an archive can name nothing outside. Archive and XML can be bombs: what is
unpacked, the elements and their depth are limited, and XML that declares entities is not read further.
"""

import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from operator import itemgetter
from typing import NoReturn
from xml.parsers import expat

from semantic.parsing.document_types import Losses
from semantic.reasons import PageError, because

TEXT = 200_000  # characters after which reading stops, as of a PDF file
UNPACKED = 20_000_000  # bytes of all parts together; chosen, not measured
ELEMENTS = 1_000_000  # of all parts together: takes two seconds
DEPTH = 1000  # of elements in each other; chosen, not measured
PIECE = 65_536  # bytes unpacked at once
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, NotImplementedError)

Attributes = Mapping[str, str]


class StoppedError(Exception):
    """A limit was reached, or the XML declares entities."""


@dataclass(slots=True)
class File:
    """An archive while it is read, and what was read of it."""

    url: str
    members: dict[str, zipfile.ZipInfo]
    archive: zipfile.ZipFile
    html: list[str] = field(default_factory=list)
    left_out: Losses = field(default_factory=Losses)
    length: int = 0
    heading: str = ""
    first: str = ""
    title: str = ""
    language: str = ""
    room: int = UNPACKED
    elements: int = ELEMENTS

    def declare(self, language: str) -> None:
        """Take what a part says of its language, if none was declared before."""
        if language not in ("none", "zxx", "x-none"):
            self.language = self.language or language.strip()

    def pieces(self, name: str) -> Iterator[bytes]:
        """A part as it is unpacked; its beginning where the rest is broken."""
        member = self.members.get(key_of(name))
        if member is None:
            self.left_out.add(because("parts that are missing"))
            return
        if member.flag_bits & 1:
            raise PageError(because("document with password", url=self.url))
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # no document has others
            self.left_out.add(because("parts that are broken"))
            return
        try:
            with self.archive.open(member) as opened:
                while piece := opened.read(PIECE):
                    self.room -= len(piece)
                    if self.room < 0:
                        self.left_out.add(because("later megabytes", number=UNPACKED // 1_000_000))
                        return
                    yield piece
        except (*BROKEN, RuntimeError):
            self.left_out.add(because("parts that are broken"))

    def block(self, tag: str, pieces: Iterable[tuple[str, str]]) -> None:
        """Take a block of text: pieces of text, each with the address to which it leads, or ''."""
        made = ""
        for href, together in groupby(pieces, itemgetter(1)):
            text = escape("".join(text for text, _ in together)).replace("\n", "<br>")
            made += f'<a href="{escape(href)}">{text}</a>' if href else text
        plain = " ".join(re.sub("<[^<>]*>", "", made).split())
        if not made.strip():
            return
        self.html.append(f"<{tag}>{made}</{tag}>\n")
        self.length += len(plain)
        self.first = self.first or plain
        self.heading = self.heading or (plain if tag != "p" else "")
        if self.length >= TEXT:
            raise StoppedError(because("later characters", number=TEXT))


def key_of(name: str) -> str:
    """A part's name as it is compared: some programs write backslashes, or another case."""
    return name.replace("\\", "/").lstrip("/").lower()


def parse(
    file: File,
    name: str,
    start: Callable[[str, Attributes], object],
    end: Callable[[str], object] = len,  # does nothing
    characters: Callable[[str], object] = len,
) -> None:
    """Tell the elements of a part, by their names without prefix. What is broken or too much is left out.

    Attributes have names without prefix, too, but `id` of a relationship is called `rel`.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def begun(name: str, given: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        file.elements -= 1
        if depth > DEPTH or file.elements < 0:
            raise StoppedError(because("parts that are nested too deep, or have too many elements"))
        start(name.rpartition(" ")[2], {_local(key): value for key, value in given.items()} if given else given)

    def ended(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(name.rpartition(" ")[2])

    def refuse(*_: object) -> NoReturn:
        raise StoppedError(because("entities"))

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = begun, ended, refuse
    parser.CharacterDataHandler = characters
    try:
        for piece in file.pieces(name):
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, ValueError):  # the last two: an encoding that expat cannot read
        file.left_out.add(because("parts that are broken"))
    except StoppedError as error:
        file.left_out.add(error.args[0])
        if file.length >= TEXT or file.elements < 0:
            raise


def _local(name: str) -> str:
    return "rel" if name.endswith("/relationships id") else name.rpartition(" ")[2]
