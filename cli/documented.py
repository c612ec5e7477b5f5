"""The pages of the documentation that are made from the code: `python -m cli.documented` (make docs) writes them.

docs/commands.md says what `--help` says, commands.zh-CN.md the same in Chinese, and exit-codes.md what `cli.exits`
says; a test finds a page that is old.
"""

import gettext
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from cli.exits import MEANINGS
from cli.render.help_texts import translate_all

DOCS = Path(__file__).resolve().parents[1] / "docs"
MADE = "<!-- Made from the code by `make docs`; change it there. -->"
CRAWL = "ontocrawl crawl"
Row = tuple[str, str]  # an option's names, what it does


def pages() -> dict[str, str]:
    """File name -> text."""
    return {
        "commands.md": commands_page(),
        "commands.zh-CN.md": chinese_commands_page(),
        "exit-codes.md": exit_codes_page(),
    }


def commands_page() -> str:
    """Every command with its options and examples."""
    from cli.main import app

    return _page(typer.main.get_command(app), "Commands", "Common options", "As in")


def chinese_commands_page() -> str:
    """The same in Chinese, as `--help` says it there."""
    from cli.main import app

    root = typer.main.get_command(app)
    formatter, before = root.context_class.formatter_class, os.environ.get("LANGUAGE")
    os.environ["LANGUAGE"] = "zh_CN"
    try:
        translate_all(root)
        return _page(root, "命令", "通用选项", "同")
    finally:
        root.context_class.formatter_class = formatter
        gettext.textdomain("messages")  # gettext's own, as before
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before


def _page(root: object, title: str, shared_title: str, as_in: str) -> str:
    """One section a command. An option of several commands is described once: with `crawl`, else in its own section."""
    commands = dict([("ontocrawl", root), *_below(root, "ontocrawl")])
    rows = {words: _rows(command, words) for words, command in commands.items()}
    counts = Counter(row for each in rows.values() for row in each)
    shared = [row for row, count in counts.items() if count > 1 and row[0][0] == "-" and row not in rows[CRAWL]]
    parts = [f"{MADE}\n# {title}"]
    for words, command in commands.items():
        crawl = [] if words == CRAWL else rows[CRAWL]
        elsewhere = {
            CRAWL: [row for row in rows[words] if row in crawl],
            shared_title: [row for row in rows[words] if row in shared],
        }
        own = [row for row in rows[words] if row not in crawl and row not in shared]
        parts += _command(command, words, [_listed(own), *(_named(as_in, *each) for each in elsewhere.items())])
        if command is root:
            parts += [f"## {shared_title}", _listed(shared)]
    return "\n\n".join(filter(None, parts)) + "\n"


def exit_codes_page() -> str:
    """Every exit code with its meaning and the next step."""
    rows = [f"| {code:d} | {_cell(meaning.said)} | {_cell(meaning.next_step)} |" for code, meaning in MEANINGS.items()]
    head = "| code | meaning | what to do |\n|---|---|---|"
    return "\n\n".join([f"{MADE}\n# Exit codes", "\n".join([head, *rows])]) + "\n"


def _below(group: object, words: str) -> Iterator[tuple[str, object]]:
    for name, command in getattr(group, "commands", {}).items():
        yield f"{words} {name}", command
        yield from _below(command, f"{words} {name}")


def _rows(command: object, words: str) -> list[Row]:
    context = typer.Context(command, info_name=words)  # type: ignore[arg-type]
    records = [parameter.get_help_record(context) for parameter in getattr(command, "params")]  # noqa: B009 - of a class that typer keeps to itself
    return [(name, _plain(told)) for name, told in filter(None, records)]


def _listed(rows: Sequence[Row]) -> str:
    return "\n".join(f"- `{name}` {told}" for name, told in rows)


def _named(as_in: str, where: str, rows: Sequence[Row]) -> str:
    """The options that are described in another section, with a link there."""
    names = ", ".join(f"`{re.findall('--[a-z-]+', name)[-1]}`" for name, _ in rows)
    return f"{as_in} [{where}](#{where.lower().replace(' ', '-')}): {names}" if rows else ""


def _command(command: object, words: str, options: Sequence[str]) -> Iterator[str]:
    """Heading, what it does, its words and options, its examples."""
    yield f"## {words}"
    yield _prose(str(getattr(command, "help", "") or ""))
    context = typer.Context(command, info_name=words)  # type: ignore[arg-type]
    usage = " ".join(getattr(command, "collect_usage_pieces")(context))  # noqa: B009
    if usage != "[OPTIONS]":
        yield f"```\n{words} {usage}\n```"
    yield from options
    epilog = str(getattr(command, "epilog", "") or "")
    parts = [part for part in epilog.split("\n\n") if part.strip("\b\n ")]
    yield from map(_examples, parts[:-1] if context.info_name == "ontocrawl" else parts)  # its last are the exit codes


def _examples(part: str) -> str:
    """A paragraph of what follows the options: as it is laid out where it has a layout."""
    if part.strip().startswith("\b") or "\n  " in part:
        title, _, block = part.replace("\b", "").strip("\n").partition("\n")
        return f"{title}\n```\n{block}\n```"
    return _prose(part)


def _prose(text: str) -> str:
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text.replace("\b", "")).strip()


def _plain(text: str) -> str:
    """A text in one line, without Markdown; a default in words loses its brackets."""
    line = re.sub(r"\[(.*)[(（](.*)[)）]\]", r"[\1\2]", re.sub(r"\s+", " ", text))
    return line.replace("<", "&lt;").replace("*", r"\*")


def _cell(text: str) -> str:
    return _plain(text).replace("|", r"\|")


def main() -> None:
    """Write the pages, and say which have changed."""
    for name, text in pages().items():
        file = DOCS / name
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
            sys.stdout.write(f"{file.name} is written\n")


if __name__ == "__main__":
    main()
