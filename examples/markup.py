"""The few marks of the texts in web/*.toml, and the HTML that they stand for.

A blank line ends a paragraph, `## ` begins a heading, `- ` an item, `**strong**`, `[text](address)`.
"""

import re
from html import escape

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
STRONG = re.compile(r"\*\*([^*]+)\*\*")


def html_of(text: str) -> str:
    """The blocks of a text as HTML, one a line."""
    return "\n".join(_block(block) for block in text.strip().split("\n\n"))


def plain(text: str) -> str:
    """A text without its marks, on one line."""
    return " ".join(STRONG.sub(r"\1", LINK.sub(r"\1", text)).split())


def _block(block: str) -> str:
    if block.startswith("## "):
        return f"<h2>{_inline(block[3:])}</h2>"
    if block.startswith("- "):
        return "<ul>" + "".join(f"<li>{_inline(line[2:])}</li>" for line in block.splitlines()) + "</ul>"
    return f"<p>{_inline(block)}</p>"


def _inline(text: str) -> str:
    text = STRONG.sub(r"<strong>\1</strong>", escape(text, quote=False))
    return LINK.sub(r'<a href="\2">\1</a>', text)
