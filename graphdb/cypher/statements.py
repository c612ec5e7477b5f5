"""The Cypher statements in the files of this folder, each after a line `// name: …`."""

import functools
from collections.abc import Mapping
from pathlib import Path

from graphdb.named_statements import named_statements

FOLDER = Path(__file__).parent


@functools.cache
def statements(file: str) -> Mapping[str, str]:
    """All statements of `<file>.cypher` by name, in the file's order."""
    return named_statements(FOLDER / f"{file}.cypher", "//")
