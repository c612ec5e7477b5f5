"""`--help` and mistakes in what was typed, in the user's language.

The commands are declared in English (`cli.commands`, `cli.settings`). Where another language is spoken, the texts of
the whole tree of commands are exchanged before it runs. Typer's own words ("Options", "required") come from gettext,
which is shown our translations. English help is not touched: it is what Typer makes of it.
"""

import gettext
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import typer

from cli.render.language import DOMAIN, FOLDER, command_word, later, listed, tr
from cli.render.terminal import width
from ontology.messages import COMMAND

# a dash or a wide hyphen before a word, as text programs make it of two hyphens
_DASHED = re.compile(r"[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+(?=[a-z])")
RAW = "\b"  # begins a paragraph whose lines stay as they are (Click)
FULL_STOP = "。"
# Typer's own texts: those in the first group it asks gettext for, the others are exchanged here
ASKED_FOR = (
    later("Options"),
    later("Arguments"),
    later("Commands"),
    later("required"),
    later("default: {default}"),
    later("Missing command."),
    later("No such command {name!r}."),
    later("Aborted!"),
)
SURPLUS = "Got unexpected extra argument"  # as Typer's text begins
USAGE = later("Usage: ")
OPTIONS = (
    later("Show this message and exit."),
    later("Install completion for the current shell."),
    later("Show completion for the current shell, to copy it or customize the installation."),
)
MISTAKES = (
    later("No such command {name}. Did you mean {near}?"),
    later("No such command {name}."),
    later("No such option: {option} (Possible options: {options})"),
    later("No such option: {option}"),
    later("Invalid value for {where}: {why}"),
    later("Option {option} requires an argument."),
    later("Got unexpected extra argument(s) ({words})"),
    later("Value {value} is not a valid {kind}."),
)
# what Typer says of a wrong value, and what is told instead
WRONG_VALUES = {
    r"(?P<typed>.+) is not a valid int(?: range)?\.": later("{typed} is no whole number"),
    r"(?P<typed>.+) is not a valid float(?: range)?\.": later("{typed} is no number"),
}
OUTSIDE = re.compile(r"(?P<typed>\S+) is not in the range .+")
TOO_SMALL, TOO_LARGE = (
    later("{typed} is too small; the least is {least}"),
    later("{typed} is too large; the most is {most}"),
)
WRONG_WORD = later("{value} is not one of {choices}.")


def paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a help text: each as one line to translate, and what follows as it is (examples under a title)."""
    for part in re.split(r"\n[ ]*\n", text):
        lines = part.strip("\n").splitlines()
        if lines and lines[0].strip() == RAW:
            yield lines[1], "\n".join(lines[2:])
        elif lines:
            yield " ".join(line.strip() for line in lines), ""


def _told(text: str) -> str:
    """The same text in the user's language, in its paragraphs."""
    parts = []
    for line, rest in paragraphs(text):
        parts.append(f"{RAW}\n{tr(line)}\n{_rest(rest)}" if rest else tr(line))
    return "\n\n".join(parts)


def _rest(lines: str) -> str:
    """What stands under a title: examples stay, further titles and the exit codes' meanings are told."""
    return "\n".join(_code_line(line) if line.startswith(" ") else tr(line) for line in lines.splitlines())


def _code_line(line: str) -> str:
    code = re.fullmatch(r"( +\d+ +)(.+)", line)
    return f"{code[1]}{tr(code[2])}" if code else line


def translate_help(command: Any, words: Sequence[str]) -> None:
    """Exchange the texts of a command, and of those below it that `words` name. They are few of all."""
    gettext.bindtextdomain(DOMAIN, str(FOLDER))
    gettext.textdomain(DOMAIN)
    command.context_class.formatter_class = _wide_formatter(command.context_class.formatter_class)
    root = command
    _translate(command, root)
    for word in words:
        below = getattr(command, "commands", {}).get(word)
        if below is not None:
            command = below
            _translate(command, root)


def translate_all(command: Any) -> None:
    """Exchange the texts of a command and of all below it."""
    translate_help(command, ())
    for below in getattr(command, "commands", {}).values():
        _translate(below, command)
        for each in getattr(below, "commands", {}).values():
            _translate(each, command)


def _translate(command: Any, root: Any) -> None:
    """Exchange the texts of one command, and the lines that it has of those below it."""
    context = typer.Context(command, help_option_names=root.context_settings["help_option_names"])
    for each in (command, *getattr(command, "commands", {}).values()):
        if each.help:
            each.help = _told(each.help)
            each.short_help = each.help.partition("\n")[0].partition(FULL_STOP)[0]
    if command.epilog:
        command.epilog = _told(command.epilog)
    for parameter in (*command.params, command.get_help_option(context)):
        if getattr(parameter, "help", None):
            parameter.help = _told(parameter.help)
        if _words_of_default(parameter):
            parameter.show_default = tr(_words_of_default(parameter))


def _words_of_default(parameter: Any) -> str:
    """A default that is told in words; '' where it is a value."""
    default = getattr(parameter, "show_default", None)
    return default if isinstance(default, str) and " " in default else ""


def help_texts(command: Any) -> Iterator[str]:
    """All texts that are exchanged, in English."""
    for text in filter(None, (command.help, command.epilog)):
        for line, rest in paragraphs(text):
            yield from (line, *(each for each in rest.splitlines() if not each.startswith(" ")))
    for parameter in command.params:
        if getattr(parameter, "help", None) and parameter.help not in OPTIONS:
            yield from (line for line, _ in paragraphs(parameter.help))
        if _words_of_default(parameter):
            yield _words_of_default(parameter)
    for below in getattr(command, "commands", {}).values():
        yield from help_texts(below)


def _wide_formatter(formatter: Any) -> Any:
    """Typer's formatter, for texts whose characters may take two columns and have no spaces between words."""

    class Formatter(formatter):  # type: ignore[misc]  # its class is kept to itself by Typer
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, tr(prefix or USAGE))

        def write_text(self, text: str) -> None:
            indent = " " * self.current_indent
            parts = []
            for line, rest in paragraphs(text):
                if rest:
                    parts.append("\n".join(f"{indent}{each}" for each in (line, *rest.splitlines())))
                else:
                    parts.append("\n".join(indent + each for each in fill(line, self.width - len(indent))))
            self.write("\n\n".join(parts) + "\n")

        def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
            rows = list(rows)
            first = min(max(width(name) for name, _ in rows), col_max) + col_spacing
            indent = " " * self.current_indent
            for name, text in rows:
                lines = fill(text, max(self.width - first - 2, 10)) or [""]
                begun = f"{indent}{name}" + ("\n" + indent if width(name) > first - col_spacing else "")
                gap = first if begun.endswith("\n" + indent) else first - width(name)
                self.write(f"{begun}{' ' * gap}{lines[0]}".rstrip() + "\n")
                for line in lines[1:]:
                    self.write(f"{indent}{' ' * first}{line}\n")

    return Formatter


# what a line may be broken before: a Han character, or a word with what cannot be separated from it
_PIECES = re.compile(
    r"[（《“‘「【(\[]*[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef][，。、；：！？）》”’」】…]*"
    r"|[^\s\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]+[，。、；：！？）》”’」】…]*|\s+"
)


def fill(text: str, columns: int) -> list[str]:
    """A paragraph in lines of so many columns, broken between words and between Han characters."""
    lines, line = [], ""
    for piece in _PIECES.findall(text):
        if line and width(line + piece.rstrip()) > columns and piece.strip():
            lines.append(line.rstrip())
            line = ""
        if line or piece.strip():
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def mistake_lines(error: Any) -> Iterator[str]:
    """A mistake in what was typed: how the command is used, what was wrong, and an example where something lacks."""
    context = getattr(error, "ctx", None)
    if context is not None:
        yield _typed_here(context.get_usage())
        yield tr("Try '{command}' for help.", command=_typed_here(f"{context.command_path} --help"))
        yield ""
    if context is not None and hasattr(error, "param_type"):  # which only a missing parameter has
        lacking = [each for each in context.command.params if each.required and each.name not in context.params]
        yield tr("error: {error}", error=tr("missing: {names}", names=listed(map(_typed, lacking))))
        yield from _example_lines(context.command)
    else:
        what = error.format_message()
        yield tr("error: {error}", error=_wrong_value(error) or _in_form(what, MISTAKES))
        if _DASHED.search(what):
            yield tr("  try: {cure}", cure=tr("two hyphens before an option, as in --store, and no dash"))
        elif what.startswith(SURPLUS) and context is not None:
            yield from _example_lines(context.command)


def _typed(parameter: Any) -> str:
    """An option or argument as it is typed: `--out DIR`."""
    value = parameter.metavar or parameter.name.upper()
    return f"{parameter.opts[0]} {value}" if parameter.param_type_name == "option" else value


def _example_lines(command: Any) -> Iterator[str]:
    """The first example of a command, as it is typed here."""
    example = _first_example(command)
    if example:
        yield tr("  try: {cure}", cure=_typed_here(example))


def _typed_here(text: str) -> str:
    """A text that names the command once, with it as it is typed here. Completion needs its plain name in Typer."""
    return text.replace(COMMAND, command_word(), 1)


def _first_example(command: Any) -> str:
    """The first example of a command's help, on one line and without the remark behind it."""
    found = re.search(r"^  (ontocrawl .*(?:\n   +.*)*)", command.epilog or "", re.MULTILINE)
    lines = found[1].replace("\\\n", "\n").splitlines() if found else []
    return " ".join(re.split(" {3,}", line.strip())[0] for line in lines)


def _wrong_value(error: Any) -> str:
    """What is wrong with a value that was typed; "" for another mistake."""
    parameter = getattr(error, "param", None)
    if parameter is None:
        return ""
    return tr("Invalid value for {where}: {why}", where=parameter.opts[0], why=_why(error.message, parameter.type))


def _why(what: str, kind: Any) -> str:
    """In plain words what Typer says of a value. `kind`: what it was to be."""
    for form, told in WRONG_VALUES.items():
        if found := re.fullmatch(form, what):
            return tr(told, **found.groupdict())
    if found := OUTSIDE.fullmatch(what):
        typed = repr(found["typed"])
        if kind.min is not None and float(found["typed"]) < kind.min:
            return tr(TOO_SMALL, typed=typed, least=kind.min)
        return tr(TOO_LARGE, typed=typed, most=kind.max)
    return _in_form(what, (WRONG_WORD,))


def _in_form(text: str, forms: Iterable[str]) -> str:
    """What Typer says in one of these forms, in the user's language; as it is where it has none of them."""
    for form in forms:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(form))
        if found := re.fullmatch(pattern, text, re.DOTALL):
            values = found.groupdict().items()
            return tr(form, **{name: _in_form(value, forms) for name, value in values})
    return text
