"""Decodes Content-Encoding piece by piece, never producing more than requested, so that a decompression bomb is
stopped.

A client's own decoder decodes each received piece as a whole: 16 KB of gzip give 16 MB, and brotli gives much more.
Only this file imports brotli.
"""

import zlib
from typing import Protocol

import brotli  # type: ignore[import-untyped]

ACCEPT = "gzip, deflate, br"
MEMBERS = 1000  # of a gzip body; each one costs time in the length of the rest; chosen, not measured


class CodingError(Exception):
    """The bytes do not match Content-Encoding, or it names a coding that was not requested."""


class Decoder(Protocol):
    """The decoder of one body."""

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode a piece; returns at most `room` bytes (more than 0) and drops the rest."""
        ...


def decoder_for(coding: str) -> Decoder:
    """The decoder for a Content-Encoding header; raises CodingError for an unknown coding or several codings."""
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
    """gzip, of one or more members, and deflate, either with the zlib format (RFC 9110) or raw, as some servers send
    it.
    """

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
            except CodingError:  # bytes after the last member, which are ignored
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
