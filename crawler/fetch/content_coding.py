"""Decodes Content-Encoding piece by piece, never producing more than requested, so that a decompression bomb is
stopped.

A client's own decoder decodes each received piece as a whole: 16 KB of gzip give 16 MB, and brotli gives much more.
Only this file imports brotli and zstd.

Servers name codings that are none (`UTF-8`, `none`), or that the body does not have. So a name that is unknown here
stands for no coding, and what cannot be decoded as named is decoded by what its bytes look like (`_by_its_bytes`), as
WHATWG's Fetch and browsers do in part.
"""

import contextlib
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

import brotli  # type: ignore[import-untyped]

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from semantic.parsing.document_types import GZIP_MARK, HEAD, PDF_MARK, ZIP_MARK, is_pdf
from semantic.reasons import because

ACCEPT = "gzip, deflate, br"
MEMBERS = 1000  # of a gzip body; each one costs time in the length of the rest; chosen, not measured
MAX_BYTES = 5_000_000  # of a decompressed body that is a page, and between two codings; chosen, not measured
LAYERS = 4  # codings of one body that are undone; chosen, not measured
GZIP, RAW = zlib.MAX_WBITS | 16, -zlib.MAX_WBITS
_ZSTD_MARK = b"\x28\xb5\x2f\xfd"  # RFC 8878, 3.1.1
_ZSTD_WINDOW = 23  # 8 MB: the memory that a body may ask for (RFC 9659)
_BEFORE = b" \t\r\n\xef\xbb\xbf"
_TEXT_WITHIN = 1024  # bytes that are looked at
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")  # WHATWG, MIME Sniffing, 3, "binary data byte"
# of UTF-16 and documents, which are read though they have such bytes
_MARKS = (b"\xff\xfe", b"\xfe\xff", PDF_MARK, ZIP_MARK)
_PIECE = 4096  # bytes decoded at once of a body whose checksum is wrong; chosen, not measured


class CodingError(Exception):
    """The bytes match neither Content-Encoding nor any coding that is known here."""


class Decoder(Protocol):
    """The decoder of one body."""

    @property
    def is_complete(self) -> bool:
        """Whether the coded data has come to its own end."""
        ...

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode a piece; returns at most `room` bytes (more than 0) and drops the rest. Raises CodingError."""
        ...


def beginning(body: bytes, most: int) -> bytes:
    """Of a body that is longer than `most` its beginning; b"" where that is of no use: of a document, and of what
    decodes to almost nothing.
    """
    return b"" if len(body) < most or is_pdf(body, "") or body.startswith(ZIP_MARK) else body[:most]


class Body:
    """A body that is received in pieces, and decoded as they come.

    `field`: its Content-Encoding, also of several codings. `most`: bytes of the decoded body that are wanted.
    """

    def __init__(self, field: str, most: int) -> None:
        names = list(_names(field))
        decoders = [_DECODERS[name]() for name in names if name in _DECODERS]
        self.coded = bytearray()  # what was received; only where a coding is named
        self._decoded = bytearray()
        self._most = most
        self._is_coded = bool(names)
        self._is_unknown = len(decoders) < len(names) - names.count("identity")
        self._decoder: Decoder | None = _Chain(decoders[-LAYERS:][::-1])  # None: the body is not in the named coding

    @property
    def length(self) -> int:
        """Bytes decoded so far."""
        return len(self._decoded)

    @property
    def head(self) -> bytes:
        """The first bytes, by which a document is known."""
        return bytes(self._decoded[:HEAD])

    @property
    def is_complete(self) -> bool:
        """Whether a coded body has come to its own end."""
        return self._decoder is not None and self._decoder.is_complete

    def take(self, piece: bytes) -> None:
        """Take a piece."""
        if self._is_coded:
            self.coded += piece
        room = self._most - len(self._decoded)
        if self._decoder is not None and room > 0:
            try:
                self._decoded += self._decoder.feed(piece, room)
            except CodingError:
                self._decoder = None
                self._decoded.clear()

    def decoded(self, *, is_text: bool = False) -> bytes:
        """The body, as far as it came. Raises CodingError where it is in no coding that is known.

        `is_text`: a body of other bytes is looked at once more, whatever is named.
        """
        is_doubtful = self._is_coded and not self.is_complete
        if self._decoder is None or (is_doubtful and _looks_readable(self.coded)):
            return _by_its_bytes(bytes(self.coded), self._most)
        body = bytes(self._decoded)
        if (is_doubtful or self._is_unknown or is_text) and not _looks_readable(body):
            with contextlib.suppress(CodingError):
                return _by_its_bytes(bytes(self.coded) if is_doubtful else body, self._most)
        return body


def _by_its_bytes(body: bytes, room: int) -> bytes:
    """At most `room` bytes of a body that is not coded as its fields say, decoded by what it looks like. Text is taken
    as it is. Raises CodingError where it looks like nothing that is known.
    """
    for _ in range(LAYERS):
        if _looks_readable(body):
            return body[:room]
        body = next(filter(None, _attempts(body, room)), b"")
    raise CodingError(because("neither coding nor text"))


def _looks_readable(body: bytes | bytearray) -> bool:
    """Whether a body begins as text in any charset does, or as a PDF file."""
    return body.startswith(_MARKS) or (bool(body) and not _BINARY.search(body[:_TEXT_WITHIN]))


def _names(field: str) -> Iterator[str]:
    """The names in a Content-Encoding field, without parameters, quotation marks and the prefix of old names."""
    for part in field.split(","):
        name = part.partition(";")[0].strip(" \t\"'").lower().removeprefix("x-")
        if name:
            yield name


def _attempts(body: bytes, room: int) -> Iterator[bytes]:
    """What each coding makes of a body; b"" where the body is not in it."""
    behind = body.lstrip(_BEFORE)  # what a program printed before it packed its page
    if behind.startswith(GZIP_MARK):
        yield _attempt("gzip", behind, room)
    for name in ("zstd",) if body.startswith(_ZSTD_MARK) else ("deflate", "br"):
        yield _attempt(name, body, room)


def _attempt(name: str, body: bytes, room: int) -> bytes:
    """What a coding makes of a body, up to its end; a wrong checksum and bytes behind it are ignored, as by browsers.

    A library drops what it has decoded of a piece in which it finds an error. So the pieces before are decoded once
    more, then this one byte by byte.
    """
    cut = len(body)
    while True:
        decoder, out, step, at = _DECODERS[name](), bytearray(), _PIECE, 0
        try:
            while at < len(body) and len(out) < room and not decoder.is_complete:
                step = _PIECE if at < cut else 1
                out += decoder.feed(body[at : at + step], room - len(out))
                at += step
        except CodingError as error:
            if step > 1:
                cut = at
                continue
            is_checked = "incorrect" in str(error) and "check" in str(error)  # zlib: all was decoded
            return bytes(out) if is_checked else b""
        return bytes(out) if decoder.is_complete or _looks_readable(out) else b""


class _Chain:
    """Several codings, the outermost first; none: the body as it is."""

    def __init__(self, decoders: list[Decoder]) -> None:
        self._decoders = decoders
        self._between = MAX_BYTES  # bytes that may still come out of all but the last

    @property
    def is_complete(self) -> bool:
        return bool(self._decoders) and all(decoder.is_complete for decoder in self._decoders)

    def feed(self, data: bytes, room: int) -> bytes:
        for decoder in self._decoders[:-1]:
            data = decoder.feed(data, self._between) if data else b""
            self._between -= len(data)
            if self._between <= 0:
                raise CodingError("too much between two codings")
        if self._decoders and data:
            data = self._decoders[-1].feed(data, room)
        return data[:room]


class _Zlib:
    """gzip, of one or more members, and deflate, either with the zlib format (RFC 9110) or raw, as some servers send
    it.
    """

    def __init__(self, bits: int) -> None:
        self._members = MEMBERS if bits > zlib.MAX_WBITS else 0  # that may follow
        self._may_be_raw = bits == zlib.MAX_WBITS
        self._stream = zlib.decompressobj(bits)

    @property
    def is_complete(self) -> bool:
        return self._stream.eof

    def feed(self, data: bytes, room: int) -> bytes:
        if self._stream.eof and not self._members:
            return b""  # bytes after the end, which are ignored; zlib would keep them
        out = self._open(data, room)
        while self._members and self._stream.eof and self._stream.unused_data and len(out) < room:
            rest, complete = self._stream.unused_data, self._stream
            self._stream = zlib.decompressobj(GZIP)
            self._members -= 1
            try:
                out += self._open(rest, room - len(out))
            except CodingError:  # bytes after the last member, which are ignored
                self._members, self._stream = 0, complete
        return out

    def _open(self, data: bytes, room: int) -> bytes:
        try:
            out = self._stream.decompress(data, room)
        except zlib.error as error:
            if not self._may_be_raw:
                raise CodingError(str(error)) from error
            self._may_be_raw, self._stream = False, zlib.decompressobj(RAW)
            return self._open(data, room)
        self._may_be_raw = False
        return out


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    @property
    def is_complete(self) -> bool:
        return bool(self._stream.is_finished())

    def feed(self, data: bytes, room: int) -> bytes:
        if self.is_complete:
            return b""  # bytes after the end, which are ignored
        try:
            out: bytes = self._stream.process(data, output_buffer_limit=room)
        except brotli.error as error:
            raise CodingError(str(error)) from error
        return out[:room]


class _Zstd:
    """zstd (RFC 8878), of one or more frames."""

    def __init__(self) -> None:
        self._stream = _zstd_stream()
        self._frames = MEMBERS  # that may follow

    @property
    def is_complete(self) -> bool:
        return self._stream.eof

    def feed(self, data: bytes, room: int) -> bytes:
        out = bytearray()
        while data and len(out) < room:
            if self._stream.eof:
                if not data.startswith(_ZSTD_MARK) or not self._frames:
                    break  # bytes behind the last frame, which are ignored
                self._stream = _zstd_stream()
                self._frames -= 1
            try:
                out += self._stream.decompress(data, room - len(out))
            except zstd.ZstdError as error:
                raise CodingError(str(error)) from error
            data = self._stream.unused_data if self._stream.eof else b""
        return bytes(out)


def _zstd_stream() -> zstd.ZstdDecompressor:
    return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW})


_DECODERS: dict[str, Callable[[], Decoder]] = {
    "gzip": partial(_Zlib, GZIP),
    "deflate": partial(_Zlib, zlib.MAX_WBITS),
    "br": _Brotli,
    "zstd": _Zstd,
}
