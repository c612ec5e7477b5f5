"""The rows of a Cypher answer as a table, as JSON or as CSV."""

import csv
import io
import json
import re
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import isfinite

from cli.render.language import tr
from cli.render.terminal import CONTROLS, LEAST, clean, cut, line_width, one_line, width

Row = Mapping[str, object]
# Signs that begin a formula: also in full width, as a Chinese keyboard types them, in small forms, and the minus sign.
_SIGNS = "=+@＝＋－＠﹦﹢﹣﹫\u2212-"
# Characters without ink, but for tabs and line ends: White_Space and Default_Ignorable_Code_Point of Unicode
# (DerivedCoreProperties.txt), control characters, the empty Braille pattern. Who reads the cell may drop them.
_BLANK = (
    "\x00-\x08\x0b\x0c\x0e- \x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    "\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_FORMULA = re.compile(f"[{_BLANK}]*+[\t\r\n{_SIGNS}]")
# Where a spreadsheet that splits at semicolons or tabs (depending on its language) would begin a cell with a formula.
# Each run of separators and blanks is looked at once.
_INSIDE = re.compile(f'(?<![{_BLANK}\t\r\n;"])([{_BLANK}"]*+[;\t\r\n][{_BLANK}\t\r\n;"]*+)(?=[{_SIGNS}])')


class Format(StrEnum):
    """How `ontocrawl query` writes its rows."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


def render(columns: Sequence[str], rows: Sequence[Row], form: Format) -> str:
    """All rows as text without a final line feed."""
    if form is Format.CSV:
        return as_csv(columns, rows)
    return as_json(rows) if form is Format.JSON else as_table(rows)


def as_json(rows: Sequence[Row]) -> str:
    """An array of objects. Control characters are written as JSON escapes, so that nothing is lost."""
    text = json.dumps([_finite(dict(row)) for row in rows], ensure_ascii=False, indent=1, default=str)
    return CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def as_csv(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """RFC 4180 with a line of names, every cell in quotes.

    An apostrophe is put before texts that a spreadsheet would read as a formula.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow([csv_cell(name) for name in columns])
    writer.writerows([csv_cell(value) for value in row.values()] for row in rows)
    return out.getvalue().rstrip("\n")


def as_table(rows: Sequence[Row], indent: int = 0) -> str:
    """Columns under their names, as wide as the terminal, or as they need where the output is none.

    If the terminal is too narrow, long texts are cut first, then addresses, numbers never. `indent`: columns left free.
    """
    if not rows:
        return tr("no rows")
    cells = [
        [one_line(name) for name in rows[0]],
        *([one_line(_text(value)) for value in row.values()] for row in rows),
    ]
    widths = _fitting(rows, cells, (line_width() or sys.maxsize) - indent)
    cells = [[cut(text, widths[i]) for i, text in enumerate(line)] for line in cells]
    lines = [
        "  ".join(text + " " * (widths[i] - width(text)) for i, text in enumerate(line)).rstrip() for line in cells
    ]
    lines.insert(1, "  ".join("─" * columns for columns in widths))
    return "\n".join(lines)


def _fitting(rows: Sequence[Row], cells: Sequence[Sequence[str]], room: int) -> list[int]:
    """The width of each column, so that together they take `room`: the widest text column is narrowed first."""
    widths = [max(width(line[i]) for line in cells) for i in range(len(cells[0]))]
    values = [[row[name] for row in rows] for name in rows[0]]
    texts = [
        i for i, column in enumerate(values) if any(isinstance(value, str | list | tuple | dict) for value in column)
    ]
    addresses = [i for i in texts if all("://" in line[i] for line in cells[1:])]
    for i in texts:
        widths[i] = min(widths[i], max(room, LEAST))
    excess = sum(widths) + 2 * (len(widths) - 1) - room
    for some in ([i for i in texts if i not in addresses], addresses):
        while excess > 0 and some and widths[widest := max(some, key=widths.__getitem__)] > LEAST:
            widths[widest] -= 1
            excess -= 1
    return widths


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _finite(value: object) -> object:
    """The value with null for numbers that JSON does not have."""
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def csv_cell(value: object) -> object:
    """A value as a CSV cell that no spreadsheet reads as a formula."""
    if value is None or isinstance(value, int | float):
        return value
    text = _INSIDE.sub(r"\1'", clean(_text(value)))
    return "'" + text if _FORMULA.match(text) else text
