"""The hash by which a compiled part knows its source. It imports nothing of ontocrawl, so that a build can run it."""

import hashlib
from pathlib import Path


def source_hash(source: Path, *versions: str) -> str:
    """Of a source, and of the versions of what it is compiled for."""
    return hashlib.sha256(source.read_bytes() + "".join(versions).encode()).hexdigest()
