"""How the C library lays out memory, where it is glibc: so that what is freed in a long crawl goes back to the system.

As it comes, glibc lets pieces of up to 32 MB in among the small ones, in a place of its own for each thread, and the
holes between them stay: 40 to 50 MB after 100,000 pages.
"""

import ctypes
import os
from collections.abc import Callable

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # of malloc.h
_LARGE = 2**18  # bytes


def keep_in_one_place() -> None:
    """From now on: large pieces come from the system and go back to it, all else comes from one place."""
    set_option = _of_libc("mallopt")
    if set_option is not None:
        for option, value in ((_M_ARENA_MAX, 1), (_M_MMAP_THRESHOLD, _LARGE), (_M_TRIM_THRESHOLD, _LARGE)):
            set_option(option, value)


def give_back() -> None:
    """Give back what is free now."""
    trim = _of_libc("malloc_trim")
    if trim is not None:
        trim(0)


def _of_libc(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None) if os.name == "posix" else None
