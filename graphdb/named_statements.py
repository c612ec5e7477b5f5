"""Statements of a query language in files: each after a comment line `name: …`, and before a semicolon at a line's
end.
"""

import re
from collections.abc import Mapping
from pathlib import Path

_STATEMENT = r"^{comment} name: (\w+)\n(.*?);$"


def named_statements(file: Path, comment: str) -> Mapping[str, str]:
    """All statements of one file by name, in the file's order. `comment`: the signs that begin a comment line."""
    statement = re.compile(_STATEMENT.format(comment=comment), re.MULTILINE | re.DOTALL)
    return dict(statement.findall(file.read_text("utf-8")))
