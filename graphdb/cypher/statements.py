"""Cypher statements in files: `<file>.cypher` contains statements, each after a line `// name: …` and before a
semicolon.
"""

import functools
import re
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent
_STATEMENT = re.compile(r"^// name: (\w+)\n(.*?);$", re.MULTILINE | re.DOTALL)


@functools.cache
def statements(file: str) -> Mapping[str, str]:
    """All statements of one file by name, in the file's order."""
    return dict(_STATEMENT.findall((FOLDER / f"{file}.cypher").read_text("utf-8")))
