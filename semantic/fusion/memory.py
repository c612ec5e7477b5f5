"""Arrays as text, to the last bit: what the learner knows is kept with the crawl as JSON."""

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray


def packed(array: NDArray[Any]) -> list[Any]:
    """Type, shape, and the numbers' bytes (little-endian, compressed) in base64."""
    little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    text = base64.b64encode(zlib.compress(little.tobytes(), 1)).decode("ascii")
    return [little.dtype.str, list(array.shape), text]


def unpacked(held: list[Any]) -> NDArray[Any]:
    """The array that `packed` was given."""
    kind, shape, text = held
    raw = zlib.decompress(base64.b64decode(text))
    return np.frombuffer(raw, np.dtype(kind)).reshape(shape).astype(np.dtype(kind).newbyteorder("="))
