"""Reads the answers in a WARC file (ISO 28500) as people have them: a bad record does not cost those after it.

A record is cut out by its Content-Length. Where no record and no end follows there, the length is wrong or the file is
damaged: then the record ends where the next one begins. What is no record is skipped. Whatever is left out is counted
(`LeftOut`).

Recorders disagree about what they keep of a message. Some keep `Transfer-Encoding: chunked` with a body that is not
chunked any more (pywb, recorders in browsers), so that the body decides (`_dechunked`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

from crawler.archive.unpacking import ArchivePiece, Pieces, unpacked
from crawler.ports import read_headers
from ontology.messages import message
from semantic.urls import normalise

LARGEST = 20_000_000  # bytes of a record that is read, four times the limit of a page's body; chosen, not measured
HEAD = 1_000_000  # bytes of a record's fields; chosen, not measured
# bytes and fields of a message's head that are read, more than any server sends; chosen, not measured
HTTP_HEAD, FIELDS = 1_000_000, 1000
INTERIM = 5  # chosen
SHOWN = 3  # addresses that are named
_BLANKS = re.compile(rb"[\r\n\t \0]*(?:\xef\xbb\xbf)?")  # between records; zeros: files of tapes are padded
_BEGIN = re.compile(rb"WARC/\d+\.\d+[ \t]*\r?\n", re.IGNORECASE)
_ARC = b"filedesc://"
_NEXT = re.compile(rb"\nWARC/\d+\.\d+[ \t]*\r?\n[\w-]+:", re.IGNORECASE)
_END = re.compile(rb"\r?\n\r?\n")
_HEAD_END = re.compile(rb"\r?\n\r?\n|\nWARC/\d+\.\d+[ \t]*\r?\n", re.IGNORECASE)  # or the next one begins: none ends
_ENOUGH = 64  # bytes in which `_BEGIN` matches
_STATUS = re.compile(rb"(?:HTTP/[\d.]+|ICY)[ \t]+(\d{3})\b", re.IGNORECASE)
_STATUS_LINE = re.compile(rb"(?:HTTP/[\d.]|ICY )[^\n]*\n", re.IGNORECASE)
_FIELD = re.compile(rb"[!#$%&'*+.^_`|~\w-]+[ \t]*:")  # RFC 9110, 5.1
_SIZE = re.compile(rb"([0-9a-fA-F]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")  # RFC 9112, 7.1
_LINE_END = re.compile(rb"\r?\n|\Z")
_TRAILERS = re.compile(rb"(?:[\w-]+:[^\n]*\n)*\s*\Z")  # RFC 9112, 7.1.2
_WITHOUT_PAGE = ("dns", "whois")  # schemes of answers that crawlers keep beside pages


@dataclass(frozen=True, slots=True)
class Response:
    """One answer, without transfer coding, with its content coding. `truncated`: the value of WARC-Truncated, or ''.

    `software`: the program that wrote the file, by its warcinfo. `refers_to`: for a revisit record, whose body was not
    stored again, the address of the answer with the same body; else ''.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: str = ""
    software: str = ""
    refers_to: str = ""


@dataclass(slots=True)
class LeftOut:
    """What was not read of a file. `damaged`: places; `too_large`: records; `without_address`: records, a few of whose
    targets are in `targets`; `kinds`: records by their type, all of them.
    """

    damaged: int = 0
    too_large: int = 0
    without_address: int = 0
    targets: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def note_target(self, target: str) -> None:
        """Count a record whose target is no address of a page."""
        self.without_address += 1
        if len(self.targets) < SHOWN:
            self.targets.append(target)


_Fields = Mapping[str, str]


def read_responses(stream: IO[bytes], left_out: LeftOut | None = None) -> Iterator[Response]:
    """Every whole answer of a file, packed or not. Raises what `unpacked` raises."""
    left_out = LeftOut() if left_out is None else left_out
    software = ""
    for fields, block in _Records(unpacked(stream), left_out).all():
        kind = fields.get("warc-type", "").strip().lower()
        left_out.kinds[kind] += 1
        if kind == "warcinfo":
            software = _software(block)
        elif kind in ("response", "resource", "revisit") and not _is_beside_pages(kind, fields):
            target = _target(fields.get("warc-target-uri", ""))
            if normalise(target) is None:
                left_out.note_target(target)
            else:
                yield _response(kind, target, fields, block, software)


def _target(value: str) -> str:
    """WARC-Target-URI without the angle brackets that wget wrote."""
    return value.strip().removeprefix("<").removesuffix(">")


def _is_beside_pages(kind: str, fields: _Fields) -> bool:
    """Whether a record is usually there and never a page: a name's resolution, a screenshot under a urn."""
    scheme = _target(fields.get("warc-target-uri", "")).partition(":")[0].lower()
    return scheme in _WITHOUT_PAGE or (kind == "resource" and scheme not in ("http", "https"))


def _software(block: bytes) -> str:
    lines = block.decode("utf-8", "replace").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.lower().startswith("software:")), "")


class _Records:
    """Cuts the pieces of a file into records. Holds at most one record of `LARGEST` bytes."""

    def __init__(self, pieces: Pieces, left_out: LeftOut) -> None:
        self._pieces = pieces
        self._left_out = left_out
        self._data = bytearray()
        self._held: tuple[ArchivePiece, bytes] | None = None  # the piece that begins something new
        self._is_lost = False  # whether what is skipped has been counted

    def all(self) -> Iterator[tuple[_Fields, bytes]]:
        """Fields, their names in lower case, and block of each record."""
        while self._begin():
            if self._data.startswith(_ARC):
                raise OSError(message("an ARC file, the form before WARC; convert it: warcio recompress OLD NEW"))
            fields = self._fields()
            if fields is None:
                self._lose()
                self._skip_to_next()
                continue
            length = fields.get("content-length", "").strip()
            block = self._block(int(length) if length.isdecimal() and len(length) < 20 else None)
            if block is not None:
                self._is_lost = False
                yield fields, block

    def _lose(self) -> None:
        self._left_out.damaged += not self._is_lost
        self._is_lost = True

    def _more(self) -> bool:
        """Add the next piece. False where something new begins: a member with a record, what follows a damage, or the
        file's end.
        """
        if self._held is None:
            piece = next(self._pieces, (ArchivePiece.END, b""))
            if _is_new(*piece):
                self._held = piece
            else:
                self._data += piece[1]
        return self._held is None

    def _begin(self) -> bool:
        """Go to the next byte that is not blank, also behind a damage; False at the end."""
        while True:
            blank = _BLANKS.match(self._data)
            del self._data[: blank.end() if blank else 0]
            if self._data:
                return True
            if not self._more() and not self._cross():
                return False

    def _cross(self) -> bool:
        """Go on with what begins anew; False at the end."""
        kind, data = self._held or (ArchivePiece.CONTINUES, b"")
        if kind is ArchivePiece.END:
            return False
        if kind is ArchivePiece.GAP:
            self._lose()
        self._held = None
        self._data += data
        return True

    def _fields(self) -> dict[str, str] | None:
        """The fields of the record that begins here; None if none begins."""
        while len(self._data) < _ENOUGH and self._more():
            pass
        begun = _BEGIN.match(self._data)
        if begun is None:
            return None
        end = _HEAD_END.search(self._data, begun.end() - 1)
        while end is None and len(self._data) < HEAD and self._more():
            end = _HEAD_END.search(self._data, begun.end() - 1)
        if end is None or b"WARC/" in end[0].upper():
            return None
        lines = _unfolded(bytes(self._data[begun.end() : end.start()]))
        del self._data[: end.end()]
        return {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}

    def _skip_to_next(self) -> None:
        while True:
            found = _NEXT.search(self._data)
            if found is not None:
                del self._data[: found.start() + 1]
                return
            del self._data[:-_ENOUGH]
            if not self._more():
                self._data.clear()
                return

    def _block(self, length: int | None) -> bytes | None:
        """The block of a record; None for one that is too large, or cut."""
        wanted = LARGEST if length is None else min(length, LARGEST)
        while len(self._data) < wanted + _ENOUGH and self._more():
            pass
        if length is not None and length > LARGEST and len(self._data) > LARGEST:
            self._skip(length)
            self._left_out.too_large += 1
            return None
        if length is None or not self._is_whole(length):
            return self._cut_out(length or 0)
        block = bytes(self._data[:length])
        del self._data[:length]
        return block

    def _is_whole(self, length: int) -> bool:
        """Whether a record ends here: its end mark, the next record, or nothing follows."""
        if len(self._data) < length:
            return False
        after = bytes(self._data[length : length + _ENOUGH])
        if not after:
            return _NEXT.search(self._data) is None
        return _END.match(after) is not None or _BEGIN.match(after.lstrip(b"\r\n\t \0")) is not None

    def _skip(self, length: int) -> None:
        while length > len(self._data):
            length -= len(self._data)
            self._data.clear()
            if not self._more():
                return
        del self._data[:length]

    def _cut_out(self, length: int) -> bytes | None:
        """The block of a record whose length is wrong: it ends before the next record."""
        at, found = 0, _NEXT.search(self._data)
        while found is None and len(self._data) < LARGEST and self._more():
            found = _NEXT.search(self._data, at)
            at = max(0, len(self._data) - _ENOUGH)
        if found is None and not self._is_ended():
            self._lose()
            self._skip_to_next()
            return None
        end = len(self._data) if found is None else found.start() + 1
        block = bytes(self._data[:end])
        del self._data[:end]
        ending = next((ending for ending in (b"\r\n\r\n", b"\n\n") if block.endswith(ending)), b"")
        return block.removesuffix(ending)

    def _is_ended(self) -> bool:
        """Whether what has been read is a record to its end, though not as long as it says: its member of a gzip file
        has ended, or it has an end mark that is not merely the end of the message's head.
        """
        kind, _ = self._held or (ArchivePiece.CONTINUES, b"")
        if kind is not ArchivePiece.END:
            return kind is ArchivePiece.MEMBER
        head = _END.search(self._data)
        return self._data.endswith((b"\r\n\r\n", b"\n\n")) and head is not None and head.end() < len(self._data)


def _is_new(kind: ArchivePiece, data: bytes) -> bool:
    return kind in (ArchivePiece.GAP, ArchivePiece.END) or (
        kind is ArchivePiece.MEMBER and _BEGIN.match(data[:_ENOUGH]) is not None
    )


def _unfolded(head: bytes) -> list[str]:
    """The lines of a head; a line that begins with a blank continues the one before it."""
    return re.sub(r"\r?\n[ \t]+", " ", head.decode("utf-8", "replace")).splitlines()


def _response(kind: str, url: str, fields: _Fields, block: bytes, software: str) -> Response:
    truncated = fields.get("warc-truncated", "")
    content_type = fields.get("content-type", "")
    if kind == "revisit":
        refers_to = _target(fields.get("warc-refers-to-target-uri", "")) or url
        return Response(url, 0, {}, b"", truncated, software, refers_to)
    if _STATUS_LINE.match(block) is None and "application/http" not in content_type.lower():
        kept = {"content-type": content_type} if content_type else {}  # the resource itself, without a message
        return Response(url, 200, kept, block, truncated, software)
    status, headers, body = _message(block)
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _dechunked(body)
    return Response(url, status, headers, body, truncated, software)


def _message(block: bytes, before: int = INTERIM) -> tuple[int, dict[str, str], bytes]:
    """Status, header fields and body. What has neither a status line nor fields is a body.

    `before`: the number of messages that may stand before the answer: 100 Continue, or what a proxy said.
    """
    block = block.lstrip(b"\r\n")
    line = _STATUS_LINE.match(block)
    found = _STATUS.match(block)
    status = int(found[1]) if found else 200
    start = line.end() if line else 0
    if line is None and _FIELD.match(block) is None:
        return status, {}, block
    if end := re.compile(rb"\r?\n").match(block, start):  # no field at all
        head, body = b"", block[end.end() :]
    else:
        end = _END.search(block, start)
        head, body = (block[start : end.start()], block[end.end() :]) if end else (block[start:], b"")
    if before and _STATUS_LINE.match(body) and (status < 200 or b"established" in block[:start].lower()):
        return _message(body, before - 1)
    head = head[:HTTP_HEAD]
    lines = (line.partition(b":") for line in re.sub(rb"\r?\n[ \t]+", b" ", head).splitlines()[:FIELDS])
    return status, read_headers((name.strip(), value.strip()) for name, _, value in lines if name.strip()), body


def _dechunked(body: bytes) -> bytes:
    """The body without its chunked coding (RFC 9112, 7.1), as far as it came; the body itself if it has none."""
    chunks: list[bytes] = []
    at = 0
    while at < len(body):
        size = _SIZE.match(body, at)
        if size is None:
            return body
        start, length = size.end(), int(size[1], 16)
        if length == 0:
            return b"".join(chunks) if _TRAILERS.match(body, start) else body
        chunks.append(body[start : start + length])
        end = _LINE_END.match(body, start + length)
        if start + length < len(body) and end is None:
            return body
        at = end.end() if end else len(body)
    return b"".join(chunks)
