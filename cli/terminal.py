"""Text for people: what a page or a server wrote never reaches the terminal with its control characters."""

import re
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

# C0 (but tab and line feed), DEL and C1 controls, and what turns the direction of writing around or ends a line.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """`text` without control characters (tab and line feed stay) and without lone surrogates."""
    return CONTROLS.sub("", text).encode("utf-8", "replace").decode("utf-8")


def one_line(text: str, width: int = 0) -> str:
    """`text` cleaned, blanks folded, cut to `width` characters with an ellipsis (0: not cut)."""
    folded = " ".join(clean(text).split())
    return folded[: width - 1] + "…" if width and len(folded) > width else folded


def say(text: str = "") -> None:
    """One message to standard error: what is not the answer itself."""
    print(clean(text), file=sys.stderr)


def show(text: str = "") -> None:
    """A part of the answer to standard output."""
    print(clean(text))


def width(text: str) -> int:
    """Columns that `text` takes on a terminal (Han characters take two)."""
    from rich.cells import cell_len

    return cell_len(text)


def live(rows: Callable[[], Iterable[tuple[str, str]]]) -> AbstractContextManager[object]:
    """Show `rows` on standard error, anew four times a second, and take them away at the end."""
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
