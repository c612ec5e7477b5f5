"""The language in which this program speaks to its user: that of `--lang`, else of the locale, else English.

Texts stand in the code in English. `tr` gives one in the user's language, with its values put in; `later` marks one
that is translated where it is shown; a message of another package (`ontology.messages`) is told by `as_told`. The
translations are in `cli/locale`: `ontocrawl.po` is edited, `make setup` compiles it to `ontocrawl.mo`, and `make texts`
adds what is new in the code. JSON, logs and stores stay English.
"""

import gettext
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from ontology.errors import OntocrawlError, SettingsError
from ontology.messages import COMMA, COMMAND, SEMICOLON, filled, joined, told, told_value
from semantic.reasons import Reason, sentence

DOMAIN = "ontocrawl"
FOLDER = Path(__file__).resolve().parents[1] / "locale"
TRANSLATED = {"zh": "zh_CN"}  # language -> its folder; English is in the code
LANGUAGES = ("en", *TRANSLATED)
LOCALE = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # as gettext asks them: the first that is set decides
LONGEST = 2_000  # characters of a line that tells of an error; chosen, not measured


def primary(tag: str) -> str:
    """The language of a tag or locale: `zh` of zh-Hant, zh_CN.UTF-8 and zh:en."""
    return tag.partition(":")[0].partition(".")[0].replace("_", "-").partition("-")[0].lower()


def locale_language() -> str:
    """The primary tag of the locale's language; "" or c where there is none."""
    return primary(next(filter(None, map(os.environ.get, LOCALE)), ""))


def language() -> str:
    """The language of all texts: one of LANGUAGES."""
    here = locale_language()
    return here if here in LANGUAGES else "en"


def speak(asked: str | None) -> None:
    """Speak the language that was asked for, here and in programs that are started. Raises SettingsError.

    It is noted in the environment, where gettext looks first. None: nothing was asked for.
    """
    if asked is None:
        return
    if primary(asked) not in LANGUAGES:
        cure = tr("there are: {languages}", languages=listed(LANGUAGES))
        raise SettingsError(tr("--lang {asked}: there are no texts in this language", asked=asked), cure)
    os.environ["LANGUAGE"] = TRANSLATED.get(primary(asked), primary(asked))


def command_word() -> str:
    """How to type this command here, in texts `{command}`: its name if the shell finds it, otherwise its path."""
    called = Path(sys.argv[0])
    if called.name != COMMAND or called.parent == Path() or shutil.which(COMMAND) == str(called):
        return COMMAND
    here = Path.cwd()
    return shlex.quote(str(called.relative_to(here) if called.is_relative_to(here) else called))


def tr(template: str, /, **values: Any) -> str:
    """The text in the user's language, with the values put in by `str.format`, and `{command}` without one."""
    translate = translator(language())
    told_values = {name: told_value(value, translate, command_word) for name, value in values.items()}
    return filled(translate(template), told_values, command_word)


def later(template: str) -> str:
    """The text itself, marked as one that `tr` will be asked for."""
    return template


def as_told(text: str) -> str:
    """A message of another package in the user's language; a text that is known, too; any other as it is."""
    return told(text, translator(language()), command_word)


def listed(parts: Iterable[str], between: str = COMMA) -> str:
    """A list in a sentence, joined as in the user's language; messages among its parts are translated."""
    return as_told(joined(parts, between))


def reason_told(reason: Reason | str) -> str:
    """A reason in the user's language; a sentence of a graph stays as it is."""
    return as_told(sentence(reason))


def error_lines(error: OntocrawlError) -> list[str]:
    """What happened, and the next step. A long line of a file that is quoted in it loses its middle."""
    lines = [tr("error: {error}", error=_shortened(as_told(error.message)))]
    return [*lines, tr("  try: {cure}", cure=_shortened(as_told(error.cure)))] if error.cure else lines


def error_line(error: OntocrawlError) -> str:
    """What happened and the next step in one line, for a page."""
    return listed(filter(None, (error.message, error.cure)), SEMICOLON)


def _shortened(text: str) -> str:
    return f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}" if len(text) > LONGEST else text


@cache
def translator(name: str) -> Callable[[str], str]:
    """English text -> that of a language; what is missing of it is said once."""
    if name not in TRANSLATED:
        return str
    try:
        with (FOLDER / TRANSLATED[name] / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
            known = gettext.GNUTranslations(file)
    except OSError as error:
        # in English and in Chinese: what is missing are the texts themselves
        sys.stderr.write(
            f"the Chinese texts are missing ({error.filename}: {error.strerror}); run `make setup` in the checkout, "
            "or install ontocrawl again\n缺少中文文本；请运行 make setup 或重新安装\n"
        )
        return str
    return lambda text: known.gettext(text) if text else text  # "" is the head of the file
