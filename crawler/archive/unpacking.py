"""Unpacks the files of web archives piece by piece: gzip, xz, bzip2, Zstandard, or a gzip file in one of them.

A gzip file of an archive has one member for each record (ISO 28500, annex D). After a damaged member reading goes on at
the next one that can be found. The other three cannot be entered in the middle: damage ends them.
"""

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Generator, Iterator
from enum import Enum, auto
from itertools import chain
from typing import IO, Any
from zipfile import BadZipFile

from crawler.archive.warc_format import open_zstandard
from semantic.parsing.document_types import ZIP_MARK

DAMAGE = (OSError, EOFError, lzma.LZMAError, zlib.error, BadZipFile)
PIECE = 16384  # bytes read at once
SMALL = 1024  # the same of Zstandard, whose reader gives nothing of a piece with a damage; chosen
MARK = 6  # bytes by which a form is known, the longest
STEP = 262144  # bytes unpacked at once
RECENT = 65536  # bytes before a damage in which the next member is looked for; chosen, not measured
NESTED = 2  # gzip files within each other; chosen
_GZIP = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")  # RFC 1952, 2.3: deflate, no reserved flag
_OPEN: dict[bytes, Callable[[IO[bytes]], IO[bytes]]] = {
    b"\xfd7zXZ\x00": lzma.open,
    b"BZh": bz2.open,
    b"\x28\xb5\x2f\xfd": open_zstandard,
}
# a Zstandard file of an archive may begin with its dictionary, in a frame that is skipped (RFC 8878, 3.1.2)
_OPEN |= {bytes((first, 0x2A, 0x4D, 0x18)): open_zstandard for first in range(0x50, 0x60)}


class ArchivePiece(Enum):
    """What a piece is: a continuation, the beginning of a member of a gzip file, a damage, or the file's end. The last
    two have no bytes.
    """

    CONTINUES = auto()
    MEMBER = auto()
    GAP = auto()
    END = auto()


Pieces = Iterator[tuple[ArchivePiece, bytes]]


def unpacked(stream: IO[bytes]) -> Pieces:
    """The content of a file, in pieces of at most `STEP` bytes and a little.

    Raises one of `DAMAGE` where an xz, bzip2, Zstandard or zip file is damaged or ends too early.
    """
    first = stream.read(MARK)
    stream.seek(0)
    opened = next((opened for mark, opened in _OPEN.items() if first.startswith(mark)), None)
    found = _read(stream if opened is None else opened(stream))
    for _ in range(NESTED):
        kind, data = next(found, (ArchivePiece.END, b""))
        found = chain([(kind, data)], found)
        if _GZIP.match(data):
            found = _gunzipped(data for _, data in found)
    is_cut_zip = first.startswith(ZIP_MARK)  # its table is lost: the gzip files in it are looked for
    return _gunzipped(data for _, data in found) if is_cut_zip else found


def _read(stream: IO[bytes]) -> Pieces:
    read: Any = getattr(stream, "read1", None)  # gives what there is before a damage
    pieces = iter(lambda: stream.read(SMALL) if read is None else read(PIECE), b"")
    try:
        yield from ((ArchivePiece.CONTINUES, data) for data in pieces)
    except DAMAGE:
        yield ArchivePiece.GAP, b""
        raise


def _gunzipped(pieces: Iterator[bytes]) -> Pieces:
    """Unpack the members. What stands between them is given as it is: perhaps records that are not packed."""
    rest = next(pieces, b"")
    while rest:
        member = _GZIP.search(rest)
        if member is None:
            yield ArchivePiece.CONTINUES, rest[:-3]
            more = next(pieces, b"")
            if not more:
                yield ArchivePiece.CONTINUES, rest[-3:]
            rest = rest[-3:] + more if more else b""
        elif member.start():
            yield ArchivePiece.CONTINUES, rest[: member.start()]
            rest = rest[member.start() :]
        else:
            rest = yield from _member(rest, pieces)
            rest = rest or next(pieces, b"")  # a member may end where a piece does


def _member(data: bytes, pieces: Iterator[bytes]) -> Generator[tuple[ArchivePiece, bytes], None, bytes]:
    """Unpack one member; returns what follows it."""
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    recent, out, kind = data, b"", ArchivePiece.MEMBER
    while True:
        try:
            out += inflater.decompress(data, STEP)
        except zlib.error:
            yield ArchivePiece.GAP, b""
            following = _GZIP.search(recent, 1)
            return recent[following.start() :] if following else recent[-3:]
        if len(out) >= PIECE or inflater.eof:
            yield kind, out
            out, kind = b"", ArchivePiece.CONTINUES
        if inflater.eof:
            return inflater.unused_data
        data = inflater.unconsumed_tail
        if not data:
            data = next(pieces, b"")
            recent = recent[-RECENT:] + data
        if not data:
            yield kind, out
            yield ArchivePiece.GAP, b""
            return b""
