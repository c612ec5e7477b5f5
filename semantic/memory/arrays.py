"""Packs arrays, rows of numbers and addresses into a strategy's memory (exact, little-endian), and grows arrays."""

import math
import mmap
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

# Shared pages, which Python maps by default, take memory when they are read, too. Windows has no such flags.
_PRIVATE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}


def distinct(numbers: NDArray[Any]) -> NDArray[Any]:
    """The numbers, each once, ascending, as by `np.unique`, which makes a hash table since version 2.3. Measured
    for 100,000 numbers, most of them different: 2 instead of 20 ms; for a million, 18 ms instead of 1.2 s.
    """
    ordered = np.sort(numbers)
    is_new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return ordered[is_new]


def zeros(shape: tuple[int, ...], kind: DTypeLike) -> NDArray[Any]:
    """An array of zeros in anonymous memory pages of its own. A page not yet written takes no memory, and all are
    returned to the system when the array is given up.
    """
    kind = np.dtype(kind)
    return np.frombuffer(mmap.mmap(-1, math.prod(shape) * kind.itemsize, **_PRIVATE), kind).reshape(shape)


def with_room(array: NDArray[Any]) -> NDArray[Any]:
    """A copy of the array with twice as many rows, or 1024 more if that is more, as `zeros` makes it: parts that are
    all 0 take no memory.
    """
    grown = zeros((len(array) + max(1024, len(array)), *array.shape[1:]), array.dtype)
    new, old = (np.ascontiguousarray(part).reshape(-1).view(np.uint8) for part in (grown, array))
    for start in range(0, len(old), mmap.PAGESIZE):
        page = old[start : start + mmap.PAGESIZE]
        if page.any():
            new[start : start + len(page)] = page
    return grown
