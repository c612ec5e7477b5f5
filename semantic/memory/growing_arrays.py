"""Room for arrays that grow with the crawl."""

import math
from mmap import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray


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
