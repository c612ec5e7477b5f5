"""Undo Content-Encoding piece by piece, never making more than asked for: a bomb is stopped before it opens.

A client's own decoder opens each received piece whole: 16 KB of gzip give 16 MB, of brotli much more. Only this file
imports brotli.
"""

import zlib
from typing import Protocol

import brotli  # type: ignore[import-untyped]

ACCEPT = "gzip, deflate, br"
MEMBERS = 1000  # of a gzip body: what comes behind costs its length for each


class CodingError(Exception):
    """The bytes are not what Content-Encoding says, or it names what we did not ask for."""


class Decoder(Protocol):
    """One body's decoder."""

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode a piece; returns at most `room` bytes (more than 0), dropping what would come beyond."""
        ...


def decoder_for(coding: str) -> Decoder:
    """The decoder for a Content-Encoding header; raises CodingError for one that is unknown or stacked."""
    match coding.strip().lower():
        case "" | "identity":
            return _Plain()
        case "gzip" | "x-gzip":
            return _Zlib(zlib.MAX_WBITS | 16)
        case "deflate":
            return _Zlib(zlib.MAX_WBITS)
        case "br":
            return _Brotli()
        case other:
            raise CodingError(f"content-encoding {other}")


class _Plain:
    def feed(self, data: bytes, room: int) -> bytes:
        return data[:room]


class _Zlib:
    """gzip, of one member or more, and deflate as RFC 9110 has it (zlib) or as some servers send it (raw)."""

    def __init__(self, bits: int) -> None:
        self._members = MEMBERS if bits > zlib.MAX_WBITS else 0  # that may follow
        self._may_be_raw = bits == zlib.MAX_WBITS
        self._stream = zlib.decompressobj(bits)

    def feed(self, data: bytes, room: int) -> bytes:
        out = self._open(data, room)
        while self._members and self._stream.eof and self._stream.unused_data and len(out) < room:
            rest, self._stream = self._stream.unused_data, zlib.decompressobj(zlib.MAX_WBITS | 16)
            self._members -= 1
            try:
                out += self._open(rest, room - len(out))
            except CodingError:  # no member: what is behind the last one counts for nothing
                self._members = 0
        return out

    def _open(self, data: bytes, room: int) -> bytes:
        try:
            out = self._stream.decompress(data, room)
        except zlib.error as error:
            if not self._may_be_raw:
                raise CodingError(str(error)) from error
            self._may_be_raw, self._stream = False, zlib.decompressobj(-zlib.MAX_WBITS)
            return self._open(data, room)
        self._may_be_raw = False
        return out


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def feed(self, data: bytes, room: int) -> bytes:
        try:
            out: bytes = self._stream.process(data, output_buffer_limit=room)
        except brotli.error as error:
            raise CodingError(str(error)) from error
        return out[:room]
