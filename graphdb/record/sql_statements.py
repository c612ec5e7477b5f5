"""SQL in files: `<file>.sql` contains statements, each after a line `-- name: …` and before a semicolon at a line's
end.
"""

import functools
import re
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent
SCHEMA = FOLDER / "schema.sql"
_STATEMENT = re.compile(r"^-- name: (\w+)\n(.*?);$", re.MULTILINE | re.DOTALL)


@functools.cache
def sql(file: str) -> Mapping[str, str]:
    """All statements of one file by name, in the file's order."""
    return dict(_STATEMENT.findall((FOLDER / f"{file}.sql").read_text("utf-8")))
