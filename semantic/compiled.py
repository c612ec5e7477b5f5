"""Which form of the text loops runs: those of `in_c/` compiled (`loops`), or the same in Python (`loops` is None).

Chosen once, when a process starts. Both give the same results to the byte; in C, reading and analysing a page takes
about 0.4 of the time (`python -m benchmarks.page_parts`, with and without `ONTOCRAWL_LOOPS=python`).
The compiled module knows of which source it was made, so that an old one is never run beside newer Python.
"""

import os
from typing import Any

from ontology.messages import message
from semantic.source_hash import C_SOURCES, source_hash

ASKED = "ONTOCRAWL_LOOPS"  # in the environment: `python` leaves the compiled form aside, to compare both


def _chosen() -> tuple[Any, str]:
    """The compiled module or None, and why."""
    if os.environ.get(ASKED) == "python":
        return None, message("in Python, as {name} asks", name=ASKED)
    try:
        from semantic import text_loops
    except ImportError as error:
        return None, message("in Python: not compiled ({error})", error=error)
    if source_hash(C_SOURCES) != text_loops.SOURCE:
        return None, message("in Python: what was compiled is not of this source")
    return text_loops, message("compiled")


loops, FORM = _chosen()


CURE = message(
    "install a C compiler and the headers of Python (Debian: gcc, python3-dev), "
    "then run `make setup` in the checkout, or install ontocrawl again"
)


def form() -> str:
    """Which form runs, for people; with the cure where it is not the compiled one."""
    return FORM if is_as_asked() else message("{form}\n  try: {cure}", form=FORM, cure=CURE)


def is_as_asked() -> bool:
    """Whether the compiled form runs, or the other one because the environment asks for it."""
    return loops is not None or bool(os.environ.get(ASKED))
