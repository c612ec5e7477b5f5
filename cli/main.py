"""The command `ontocrawl`: joins all commands, and is the one place that turns errors into messages and exit codes.

Commands are declared in `cli.commands`. What a command does is imported when it runs, so that `--help` is quick.
"""

import errno
import gc
import os
import signal
import sys
from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any

import typer

from cli.commands.crawl_commands import crawl_app
from cli.commands.editing_commands import editing_app
from cli.commands.exchange_commands import exchange_app
from cli.commands.lab_commands import lab_app
from cli.commands.ontology_commands import ontology_app
from cli.commands.store_commands import store_app
from cli.exits import ExitCode, exit_lines
from cli.render.language import LANGUAGES, error_lines, language, primary, speak, tr
from cli.render.terminal import say
from ontology.errors import CrawlBroken, NoStore, OntocrawlError, SettingsError
from ontology.file_failures import refusal

FULL = (errno.ENOSPC, errno.EDQUOT)
HELP = """A focused crawler for Chinese and English, steered by a domain ontology.

The topic is an ontology as Protégé saves it. Pages are judged by its words, and the best links are followed first."""

EPILOG = f"""\b
Begin with:
  ontocrawl demo
Your own topic:
  ontocrawl ontology check topic.owl
  ontocrawl crawl --ontology topic.owl --seeds seeds.txt --max-pages 500
  ontocrawl results

\b
Exit codes:
{exit_lines()}"""

LANG = "--lang"
UNTOLD = int(ExitCode.INTERRUPTED)  # Typer's code for KeyboardInterrupt; a command that tells of it gives ours
HELP_NAMES = ("--help", "-h")

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": list(HELP_NAMES)},  # of all commands below it, too
)
app.add_typer(crawl_app)
app.add_typer(lab_app)
app.add_typer(ontology_app, name="ontology")
ontology_app.add_typer(editing_app)
app.add_typer(store_app)
app.add_typer(exchange_app)


def _say_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        from semantic import compiled

        typer.echo(f"ontocrawl {version('ontocrawl')}")
        typer.echo(tr("text loops: {form}", form=compiled.form()))
        raise typer.Exit


@app.callback(help=HELP, epilog=EPILOG)
def options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_say_version,
            is_eager=True,
            help="Show the version and which parts are compiled, and exit.",
        ),
    ] = False,
    lang: Annotated[
        str | None,
        typer.Option(
            metavar="en|zh",
            help="The language of all messages, before a command or after it.",
            show_default="that of the locale, or en",
        ),
    ] = None,
) -> None:
    """Options before a command."""
    speak(lang)


def root() -> Any:
    """The command with all below it."""
    return typer.main.get_command(app)


def main() -> None:
    """Run the command in `sys.argv` and exit with its code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by who started the command, as with `>&-`
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - until the command ends
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # both are TextIOWrapper here
    try:
        code = _interruptible()
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = _end_unread()
    except SystemExit as left:  # Typer makes one of what it catches
        if not isinstance(left.__context__, BrokenPipeError):
            raise
        code = _end_unread()
    except OSError as error:
        if error.errno not in FULL:
            raise
        code = _end_on_full_disk(error)
    gc.freeze()  # otherwise Python looks for cycles among all objects as it ends: measured, 0.3 s after `rejudge`
    sys.exit(code)


def _interruptible() -> int:
    """Run the command and give its exit code. One that Ctrl-C or SIGTERM ends without a word says so in one line."""
    is_ended = False

    def end(*_: object) -> None:
        nonlocal is_ended
        is_ended = True
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    try:
        code = _with_errors_told()
    except BaseException:
        if not is_ended:
            raise
        code = UNTOLD  # a library may have made another error of it
    for number in (signal.SIGINT, signal.SIGTERM):  # nothing is left to be done that could be interrupted
        signal.signal(number, signal.SIG_DFL)
    if code == UNTOLD and not isinstance(code, ExitCode):
        say(tr("ended by Ctrl-C or SIGTERM"))
    return code


def _with_errors_told() -> int:
    """Run the command and give its exit code. Its errors are told."""
    command = root()
    try:
        return _run(command, take_language(sys.argv[1:], command))
    except OntocrawlError as error:
        if isinstance(error, NoStore):
            from cli.crawl_register import crawls_to_give

            error.cure = crawls_to_give() or error.cure
        for line in error_lines(error):
            say(line)
        return ExitCode.BROKEN if isinstance(error, CrawlBroken) else ExitCode.MISTAKE


def _end_unread() -> ExitCode:
    """Nobody reads the output any more, as after `| head`: what is left of it goes nowhere when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    return ExitCode.UNREAD


def _end_on_full_disk(error: OSError) -> ExitCode:
    """What is left of the output goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    where = error.filename or tr("standard output")
    told = SettingsError(*refusal(where, error, "free space on that disk, then run the same command again"))
    for line in error_lines(told):
        say(line)
    return ExitCode.BROKEN


def take_language(words: Sequence[str], command: Any) -> list[str]:
    """Speak the language of `--lang`, wherever it stands; the words without it if the command has no such option.

    A command that has one, for the names of concepts, is given it, and may name a language that has no texts here.
    Where it is typed twice, the last counts.
    """
    kept: list[str] = []
    asked, takes = None, False
    waiting = iter(words)
    for word in waiting:
        if word == "--":
            kept += [word, *waiting]
        elif word == LANG or word.startswith(f"{LANG}="):
            typed = [word] if word != LANG else [word, *islice(waiting, 1)]
            asked = asked if typed == [LANG] else typed[-1].removeprefix(f"{LANG}=")
            kept += typed if takes or typed == [LANG] else []
        else:
            kept.append(word)
            command = getattr(command, "commands", {}).get(word, command)
            takes = takes or (word == command.name and any(each.name == "lang" for each in command.params))
    if asked is not None and (not takes or primary(asked) in LANGUAGES):
        speak(asked)
    return kept


def _run(command: Any, words: list[str]) -> int:
    """Run the command and give its exit code. Help and mistakes in typing are told in the user's language.

    Where that is not English, the texts of the help are exchanged only if they are shown: it takes twenty milliseconds.
    """
    if _shows_help(command, words) and language() != "en":
        from cli.render.help_texts import translate_help

        translate_help(command, words)
    try:
        code = command(words, standalone_mode=False)
    except typer.Abort:
        say(tr("Aborted!"))
        return ExitCode.NOT_GOOD
    except typer.TyperException as error:
        if _shows_help(command, words):
            typer.echo(str(error), err=True)
        else:
            from cli.render.help_texts import mistake_lines, translate_help

            if language() != "en":
                translate_help(command, words)
            for line in mistake_lines(error):
                say(line)
        return ExitCode.MISTAKE
    return code if isinstance(code, int) else ExitCode.DONE


def _shows_help(command: Any, words: Sequence[str]) -> bool:
    """Whether help is asked for, or shown because no command is named."""
    if any(name in words for name in HELP_NAMES):
        return True
    for word in words:
        command = getattr(command, "commands", {}).get(word)
    return bool(getattr(command, "commands", None))
