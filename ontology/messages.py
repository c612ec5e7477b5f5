"""Messages as values: English text that remembers its template and what was put in, so that it can be told otherwise.

The packages below `cli` know no language of the user. They make a `Message`, which is a string like any other: stored,
logged and written as JSON it is English. Where `cli` prints it, `told` puts the same values into a translated template.

In every template `{command}` is the command of this program, as it is typed where it is told; no value is given for it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

COMMAND = "ontocrawl"


class Message(str):
    """`template` with `values` put in by `str.format`. A value may be a message, too."""

    template: str
    values: Mapping[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as template and values, for child processes."""
        return _message, (self.template, dict(self.values))


def message(template: str, /, **values: object) -> Message:
    """The template with its values. Values that are no text and no number are kept as their text."""
    return _message(template, {name: _kept(value) for name, value in values.items()})


def _message(template: str, values: Mapping[str, Any]) -> Message:
    made = Message(filled(template, values, lambda: COMMAND))
    made.template, made.values = template, values
    return made


def _kept(value: object) -> object:
    if isinstance(value, Exception):
        return value.args[0] if value.args and isinstance(value.args[0], Message) else str(value)
    return value if isinstance(value, str | int | float) else str(value)


def filled(template: str, values: Mapping[str, Any], command: Callable[[], str]) -> str:
    """The template with its values, and with the command as `command` says that it is typed."""
    named = {"command": command()} if "{command}" in template else {}
    if values:
        return template.format(**{**named, **values})
    return template.replace("{command}", named["command"]) if named else template


def told(text: str, translate: Callable[[str], str], command: Callable[[], str]) -> str:
    """A text in another language: a message by its template, a text without values as it is looked up.

    `translate`: English template -> the same in the other language; what it does not know stays as it is.
    `command`: how to type the command here.
    """
    if not isinstance(text, Message):
        return filled(translate(text), {}, command)
    values = {name: told_value(value, translate, command) for name, value in text.values.items()}
    return filled(translate(text.template), values, command)


def told_value(value: Any, translate: Callable[[str], str], command: Callable[[], str]) -> Any:
    """A value of a message: told if it is a message or an error with one; a text of the user or of a page stays."""
    kept = _kept(value) if isinstance(value, Exception) else value
    return told(kept, translate, command) if isinstance(kept, Message) else kept


COMMA, SEMICOLON = message(", "), message("; ")


def joined(parts: Iterable[str], between: str = COMMA) -> Message:
    """Several texts, some of which may be messages, as one. `between` is translated, too: a list has 、 in Chinese."""
    named = {f"part{number}": part for number, part in enumerate(parts)}
    return message("{between}".join(f"{{{name}}}" for name in named), **named, between=message(between))
