"""Settings of glibc's memory allocator, so that memory freed in a long crawl returns to the system.

By default glibc mixes blocks of up to 32 MB with small ones, in a separate arena for each thread, and the gaps between
them remain: 40 to 50 MB after 100,000 pages (measured).
"""

import ctypes
import os
from collections.abc import Callable

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # from malloc.h
# Bytes from which a block is mapped on its own. After 75,000 pages a crawl took 277 MB in the mean with 2**20, and 295
# with 2**22 (6 and 28 MB of gaps), with 270 and 175 page faults a page and the same CPU. With 2**18 the arrays of every
# step were mapped: 0.5 ms more of each page.
_LARGE = 2**20


def keep_in_one_place() -> None:
    """From now on, map large blocks on their own, and take all others from a single arena. Does nothing without
    glibc.
    """
    set_option = _of_libc("mallopt")
    if set_option is not None:
        for option, value in ((_M_ARENA_MAX, 1), (_M_MMAP_THRESHOLD, _LARGE), (_M_TRIM_THRESHOLD, _LARGE)):
            set_option(option, value)


def give_back() -> None:
    """Return free memory to the system. Does nothing without glibc."""
    trim = _of_libc("malloc_trim")
    if trim is not None:
        trim(0)


def _of_libc(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None) if os.name == "posix" else None
