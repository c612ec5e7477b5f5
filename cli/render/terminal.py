"""Text for people. Control characters in what a page or a server wrote never reach the terminal."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from cli.render.language import as_told

# C0 controls (except tab and line feed), DEL and C1, characters that change the writing direction or end a line
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

LEAST = 12  # columns that a shortened text keeps
# What a line does not break: a word, or one Han character, with the marks that open before it and close after it
# (as in Unicode Standard Annex 14: no line begins with a comma, none ends with an opening bracket).
_HAN = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
_UNBROKEN = re.compile(rf"\s+|[“‘（《「『【]*(?:[{_HAN}]|[^\s{_HAN}]+)[”’，。、；：！？）》」』】…]*")


def clean(text: str) -> str:
    """`text` without control characters (except tab and line feed) and without lone surrogates."""
    return CONTROLS.sub("", text).encode("utf-8", "replace").decode("utf-8")


def one_line(text: str, columns: int = 0) -> str:
    """`text` cleaned, on one line, cut to `columns` with an ellipsis (0: not cut)."""
    folded = " ".join(clean(text).split())
    return cut(folded, columns) if columns else folded


def cut(text: str, columns: int) -> str:
    """`text` cut to a number of terminal columns, the ellipsis included."""
    if width(text) <= columns:
        return text
    taken, left = 0, columns - 1
    for sign in text:
        left -= width(sign)
        if left < 0:
            break
        taken += 1
    return text[:taken] + "…"


def padded(text: str, columns: int) -> str:
    """`text` with spaces up to a number of terminal columns."""
    return text + " " * (columns - width(text))


def line_width() -> int:
    """Columns of the terminal on standard output; COLUMNS in the environment overrides it. 0 if it is no terminal."""
    return shutil.get_terminal_size((0, 0)).columns if sys.stdout.isatty() or "COLUMNS" in os.environ else 0


def wrapped(head: str, text: str) -> str:
    """`text` after `head`, wrapped to the terminal; further lines are indented to its first word."""
    room = max(line_width() - width(head), 3 * LEAST)
    lines = _lines(text, room) if line_width() else [text]
    return head + ("\n" + " " * width(head)).join(lines)


def _lines(text: str, room: int) -> list[str]:
    """The text in lines of at most `room` columns; a longer word has a line of its own."""
    lines = [""]
    for part in _UNBROKEN.findall(re.sub(r"\s", " ", text)):
        if not part.isspace() and lines[-1] and width(lines[-1] + part) > room:
            lines.append("")
        if lines[-1] or not part.isspace():
            lines[-1] += part
    return [line.rstrip() for line in lines]


def fitted(head: str, text: str, tail: str = "") -> str:
    """One terminal line, in which only `text` is shortened."""
    room = line_width() - width(head + tail)
    return f"{head}{one_line(text, max(room, LEAST) if line_width() else 0)}{tail}"


def say(text: str = "") -> None:
    """Print a message to standard error, in the user's language: something that is not the answer itself."""
    print(clean(as_told(text)), file=sys.stderr)


def show(text: str = "") -> None:
    """Print a part of the answer to standard output."""
    print(clean(text))


def width(text: str) -> int:
    """Columns that `text` takes on a terminal; Han characters take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def live(rows: Callable[[], Iterable[tuple[str, str]]]) -> AbstractContextManager[object]:
    """Show `rows` on standard error, refreshed four times a second, and remove them at the end."""
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    def grid() -> Table:
        table = Table.grid(padding=(0, 2))
        for name, value in rows():
            table.add_row(Text(name), Text(value))
        return table

    return Live(console=Console(stderr=True), get_renderable=grid, refresh_per_second=4, transient=True)
