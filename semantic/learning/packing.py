"""Long rows of numbers and addresses as JSON text: little-endian, compressed, base64. What goes in comes out."""

import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Any


def pack(numbers: "array[Any]") -> str:
    """An array as text."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return b64encode(zlib.compress(numbers.tobytes(), 1)).decode()


def unpack(kind: str, text: str) -> "array[Any]":
    """What was packed; `kind` is the array's type code."""
    numbers = array(kind, zlib.decompress(b64decode(text)))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def pack_lines(lines: Iterable[str]) -> str:
    """Texts without line ends, such as addresses."""
    return b64encode(zlib.compress("\n".join(lines).encode(), 1)).decode()


def unpack_lines(text: str) -> list[str]:
    """What was packed."""
    return zlib.decompress(b64decode(text)).decode().split("\n")
