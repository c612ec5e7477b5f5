"""A hook of MkDocs: lists and tables as Git hosts show them, which Python-Markdown reads by stricter rules."""

import re
from typing import Any

BEGINS = re.compile(r" *(?:[-*]|\d+\.) |\|")  # an item of a list, or a row of a table
TEXT = re.compile(r"(?! |[-*] |\d+\. |\||#|```|$)")  # a line of a paragraph at the margin
CODE = re.compile(r"`[^`]*`")  # in a table Git hosts want `\|` there, and Python-Markdown `|`


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put an empty line before a list or table, and four blanks before what belongs to an item."""
    lines: list[str] = []
    fenced = False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        if fenced:
            lines.append(line)
            continue
        if lines and BEGINS.match(line) and TEXT.match(lines[-1]):
            lines.append("")
        shown = CODE.sub(lambda code: code[0].replace("\\|", "|"), line) if line.startswith("|") else line
        lines.append(re.sub(r"^ {2,3}(?=\S)", "    ", shown))
    return "\n".join(lines)
