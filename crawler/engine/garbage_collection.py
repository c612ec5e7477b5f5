"""Garbage in cycles, of which a crawl makes little."""

import contextlib
import gc
from collections.abc import Iterator

from crawler.engine.glibc_memory import give_back


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
    """Look through everything now, and give back what is free: for after some hundred pages, when the store's driver
    has left a megabyte.
    """
    gc.collect()
    give_back()
