"""Garbage in cycles, of which a crawl makes little, and memory that is free and not given back to the system."""

import contextlib
import ctypes
import gc
import os
from collections.abc import Iterator


@contextlib.contextmanager
def rare_collections() -> Iterator[None]:
    """Let Python look for cycles seldom: looking through a long queue costs a fifth of all, and finds nothing.

    What outlives a first look is looked at again only by `collect`.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(200_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def collect() -> None:
    """Look through everything now: for after some hundred pages, when the store's driver has left a megabyte.

    What glibc holds of freed memory, 25 to 70 MB in a crawl with a store, goes back to the system; other C libraries
    are left to themselves.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(0)
