"""The hash by which a compiled part knows its source. It imports nothing of ontocrawl, so that a build can run it."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

C_SOURCES = sorted(Path(__file__).with_name("in_c").glob("*.c"))  # of the compiled module `text_loops`


def source_hash(sources: Iterable[Path]) -> str:
    """Of the files of a part, in their order."""
    return hashlib.sha256(b"".join(map(Path.read_bytes, sources))).hexdigest()
