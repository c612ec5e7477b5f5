"""Arrays as bytes for what a strategy remembers (little-endian, to the last bit), and arrays that grow with a crawl."""

import math
import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable
from mmap import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray


def pack(numbers: "array[Any]") -> str:
    """An array as text."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return _text(numbers.tobytes())


def unpack(kind: str, text: str) -> "array[Any]":
    """What was packed; `kind` is the array's type code."""
    numbers = array(kind, _bytes(text))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def pack_lines(lines: Iterable[str]) -> str:
    """Texts without line ends, such as addresses."""
    return _text("\n".join(lines).encode())


def unpack_lines(text: str) -> list[str]:
    """What was packed."""
    return _bytes(text).decode().split("\n")


def pack_array(numbers: NDArray[Any]) -> list[Any]:
    """Type, shape and numbers of an array; these not copied: `strategy_memory` compresses them with all else."""
    little = np.ascontiguousarray(numbers, numbers.dtype.newbyteorder("<"))
    return [little.dtype.str, list(little.shape), little.ravel().view(np.uint8).data]


def unpack_array(held: list[Any]) -> NDArray[Any]:
    """What was packed."""
    kind, shape, raw = held
    return np.frombuffer(raw, np.dtype(kind)).reshape(shape).astype(np.dtype(kind).newbyteorder("="))


def _text(raw: bytes) -> str:
    return b64encode(zlib.compress(raw, 1)).decode()


def _bytes(text: str) -> bytes:
    return zlib.decompress(b64decode(text))


def with_room(array: NDArray[Any]) -> NDArray[Any]:
    """The array with as much room again, at least 1024 rows.

    It stands in pages of its own: those not used yet take no memory, and those of the old array go back to the system.
    """
    shape = (len(array) + max(1024, len(array)), *array.shape[1:])
    pages = mmap(-1, math.prod(shape) * array.itemsize)
    grown = np.frombuffer(pages, array.dtype).reshape(shape)
    grown[: len(array)] = array
    return grown


def once(numbers: NDArray[np.int32]) -> NDArray[np.int32]:
    """Each number once in a row, 0 elsewhere."""
    found = np.sort(numbers, axis=1)
    found[:, 1:][found[:, 1:] == found[:, :-1]] = 0
    return found
