"""The command `ontocrawl`: its options, and the one place that turns errors into messages and exit codes.

Each command's work is in a module of its own, which is imported when the command runs, so that `--help` is quick.
"""

import errno
import gc
import inspect
import os
import signal
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import MISSING, fields
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from cli.exchange.exchange_commands import exchange_app
from cli.exits import ExitCode, exit_lines
from cli.ontologies import editing_commands  # noqa: F401 - its commands register themselves
from cli.ontologies.ontology_commands import ontology_app
from cli.render.language import LANGUAGES, error_lines, language, primary, speak, tr
from cli.render.terminal import say
from cli.settings import (
    COUNT,
    DEFAULT_SEGMENTER,
    DEPTH_HELP,
    EXAMPLES_HELP,
    EXCLUDE_HELP,
    INCLUDE_HELP,
    PATIENCE,
    PATIENCE_HELP,
    SEEDS_HELP,
    SEGMENTER_HELP,
    STAY_ON_DOMAIN_HELP,
    STAY_ON_HOST_HELP,
    Option,
    Settings,
    make_settings,
)
from cli.stores.store_commands import store_app
from ontology.errors import CrawlBroken, OntocrawlError, SettingsError
from ontology.file_failures import refusal

FULL = (errno.ENOSPC, errno.EDQUOT)
HELP = """A focused crawler for Chinese and English, steered by a domain ontology.

The topic is an ontology as Protégé saves it. Pages are judged by its words, and the best links are followed first.
Pages, links, concepts and reasons are kept in one SQLite file, and in a graph that answers Cypher."""

EPILOG = f"""\b
Begin with:
  ontocrawl demo
Your own topic:
  ontocrawl ontology check topic.owl
  ontocrawl crawl --ontology topic.owl --seeds seeds.txt --max-pages 500
  ontocrawl query "MATCH (p:Page) WHERE p.on_topic AND p.kind = 'article'
    RETURN p.url, p.relevance ORDER BY p.relevance DESC LIMIT 10"

\b
Exit codes:
{exit_lines()}"""

CRAWL_EPILOG = """\b
Examples:
  ontocrawl crawl --ontology topic.owl --seeds seeds.txt --max-pages 500
  ontocrawl crawl --ontology topic.owl --seeds https://example.org/ --max-pages 2000 --graph bolt://127.0.0.1:7687
  ontocrawl crawl --settings topic.toml --max-pages 5000 --max-minutes 60

A page is what a crawl spends, so it spends it on the best links and waits for them where that costs little time. While
it runs it tells how long the pages left will take; --max-minutes bounds that, --patience 0 takes whatever is ready.

The same command again goes on where the crawl stopped. --max-pages counts all pages of the crawl. Ctrl-C saves and
ends; a second Ctrl-C ends at once.

With --recrawl all stored pages are first judged with the current ontology. Then those on topic are requested again,
and so are the seeds, feeds and sitemaps. A server does not send unchanged pages again. After that the crawl goes on to
--max-pages."""

TRY_EPILOG = """\b
Examples:
  ontocrawl try https://example.org/ --ontology topic.owl
  ontocrawl try https://example.org/page.html --store ./ontocrawl-store

robots.txt and the other options of a crawl apply: a crawl with these options would start with this page in this way."""
NOT_TRIED = frozenset(  # settings of which one page has no use
    {
        "seeds",
        "max_pages",
        "max_minutes",
        "until_covered",
        "max_depth",
        "store",
        "warc",
        "patience",
        "connections",
        "per_host",
        "workers",
        "allow_trap",
        "recrawl",
        "watch",
    }
)

LANG = "--lang"
UNTOLD = int(ExitCode.INTERRUPTED)  # Typer's code for KeyboardInterrupt; a command that tells of it gives ours
HELP_NAMES = ("--help", "-h")

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": list(HELP_NAMES)},  # of all commands below it, too
)
app.add_typer(ontology_app, name="ontology")
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


def _strategies(incomplete: str) -> list[str]:
    """Completions for --strategy in the shell."""
    from semantic.strategies.strategy_table import STRATEGIES

    return [name for name in STRATEGIES if name.startswith(incomplete)]


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


def crawl(
    settings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A TOML file with these options. Options typed here override it."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the figures at the end as one JSON object.")] = False,
    **typed: Any,
) -> None:
    """Crawl the web for the topic of an ontology."""
    from cli.crawling.crawl import run
    from cli.crawling.live_files import SettingsFile

    made = make_settings(typed, settings)
    if made.lang and primary(made.lang) in LANGUAGES:  # it may stand in the file
        speak(made.lang)
    file = SettingsFile(settings, lambda: make_settings(typed, settings), made) if settings else None
    raise typer.Exit(run(made, as_json=json, file=file))


def _options_of_settings(command: Callable[..., None], but: Collection[str] = ()) -> Callable[..., None]:
    """Add an option to a command for each setting that has an `Option`, replacing its `**typed`.

    `but`: settings that it does not take.
    """
    made = []
    for name, hint in get_type_hints(Settings, include_extras=True).items():
        kind, *about = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        if about and name not in but:
            made.append(_parameter(name, kind, about[0]))
    given = [p for p in inspect.signature(command).parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    typed = inspect.Parameter.POSITIONAL_OR_KEYWORD
    first = [parameter for parameter in given if parameter.kind is typed and parameter.name == "url"]
    options = [*made, *(parameter for parameter in given if parameter not in first)]
    whole = [*first, *(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in options)]
    command.__signature__ = inspect.Signature(whole)  # type: ignore[attr-defined]
    return command


def _parameter(name: str, kind: Any, about: Option) -> inspect.Parameter:
    """The parameter for a setting. It is None if nothing is typed; then the settings file or the default applies."""
    default = next(f.default for f in fields(Settings) if f.name == name)
    words = f"{default:g}" if isinstance(default, float) else str(default)
    says_nothing = default is False or default in (MISSING, None, ())
    option = typer.Option(
        *([f"--{name.replace('_', '-')}"] if kind is bool else []),
        metavar=about.value,
        help=about.help,
        show_default=about.default or (False if says_nothing else words),
        autocompletion=_strategies if name == "strategy" else None,
    )
    typed = list[str] | None if kind == tuple[str, ...] else kind | None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[typed, option])


app.command(epilog=CRAWL_EPILOG)(_options_of_settings(crawl))


def try_page(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of one page.")],
    settings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A settings file of crawl (TOML). Options typed here override it."),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Judge with what this crawl has learned, and with its settings."),
    ] = None,
    links: Annotated[int, typer.Option(metavar="N", help="Number of links to show.", min=0)] = 20,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    **typed: Any,
) -> None:
    """Fetch one page and judge it, before any crawl. Shows reasons, and its links in order. Nothing is written."""
    from cli.explaining.trying import run

    raise typer.Exit(run(url, typed, settings, store, most=links, as_json=json))


app.command("try", epilog=TRY_EPILOG)(_options_of_settings(try_page, NOT_TRIED))


@app.command()
def demo(
    delay: Annotated[float, typer.Option(metavar="S", help="Seconds between two requests to one host.")] = 0.02,
    serve: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            help="Serve the small web only, for crawls of your own (docs/tutorial.md).",
            min=0,
            max=65_535,
        ),
    ] = None,
) -> None:
    """Crawl the bundled small web. It is served on this machine only. This takes less than a minute."""
    from cli.crawling import demo as web

    raise typer.Exit(web.demo(delay) if serve is None else web.serve(serve))


@app.command(
    epilog="""\b
Examples:
  ontocrawl simulate --archive web.warc.gz --ontology topic.owl --seeds seeds.txt --max-pages 2000 --out lab
  ontocrawl simulate --archive web.warc.xz --ontology topic.owl --seeds seeds.txt --targets targets.txt \\
    --strategies fused,bfs --max-pages 2000 --seed 1,2,3 --out lab
  ontocrawl simulate --store ./ontocrawl-store --ontology topic.owl --max-pages 2000 --out lab

With --store the web is what that crawl fetched. Pages that it never asked for are not there, for any strategy.
The folder gets results.json, results.csv, report.html and one order-STRATEGY.tsv for each strategy. After Ctrl-C it
has those that were finished."""
)
def simulate(  # noqa: PLR0913 - typer reads the options from the signature
    *,
    max_pages: Annotated[int, typer.Option(metavar="N", help="Pages that each strategy may fetch.")],
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="The folder for the results. Parsed pages are cached beside it."),
    ],
    archive: Annotated[
        Path | None,
        typer.Option(metavar="FILE|DIR", help="The recorded web: a WARC or WACZ file, or a folder of them."),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Instead of --archive: the pages stored by a crawl."),
    ] = None,
    seeds: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE|URL", help=SEEDS_HELP, show_default="those of the store's crawl"),
    ] = None,
    ontology: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The topic, as Protégé saves it. Only the strategy 'customised' needs none."),
    ] = None,
    targets: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file with the addresses of the pages to find.",
            show_default="what the judge calls so",
        ),
    ] = None,
    ignore: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file of addresses that count neither for nor against a strategy."),
    ] = None,
    examples: Annotated[Path | None, typer.Option(metavar="FILE", help=EXAMPLES_HELP)] = None,
    strategies: Annotated[
        str,
        typer.Option(
            metavar="all|A,B", help="Strategies to compare, with parameters as in fused,jlse:cf=50:gamma=0.8."
        ),
    ] = "all",
    settings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A settings file of crawl (TOML) with parameters of the strategy that it names."
        ),
    ] = None,
    seed: Annotated[
        str,
        typer.Option(
            metavar="N,N", help="One run for each number, which breaks ties between links; only 'fused' uses it."
        ),
    ] = "0",
    delay: Annotated[float, typer.Option(metavar="S", help="Virtual seconds between two requests to one host.")] = 1.0,
    connections: Annotated[int, typer.Option(metavar=COUNT, help="Requests open at once, to all hosts together.")] = 16,
    patience: Annotated[float, typer.Option(metavar="P", help=PATIENCE_HELP)] = PATIENCE,
    latency: Annotated[
        float,
        typer.Option(metavar="S", help="Virtual seconds that half of the answers take at most: log-normal times."),
    ] = 0.3,
    segmenter: Annotated[str, typer.Option(metavar="NAME", help=SEGMENTER_HELP)] = DEFAULT_SEGMENTER,
    until_covered: Annotated[
        int | None, typer.Option(metavar="N", help="End a run once every concept has N pages on topic.")
    ] = None,
    max_depth: Annotated[int | None, typer.Option(metavar="N", help=DEPTH_HELP, show_default="no limit")] = None,
    include: Annotated[list[str] | None, typer.Option(metavar="PATTERN", help=INCLUDE_HELP)] = None,
    exclude: Annotated[list[str] | None, typer.Option(metavar="PATTERN", help=EXCLUDE_HELP)] = None,
    stay_on_host: Annotated[bool, typer.Option("--stay-on-host", help=STAY_ON_HOST_HELP)] = False,
    stay_on_domain: Annotated[bool, typer.Option("--stay-on-domain", help=STAY_ON_DOMAIN_HELP)] = False,
) -> None:
    """Compare strategies on a recorded web. They crawl as usual, in virtual time: no network, and no waiting."""
    from cli.lab.simulate import Lab, run

    raise typer.Exit(
        run(
            Lab(
                archive,
                ontology,
                tuple(seeds or ()),
                max_pages,
                out,
                targets,
                ignore,
                strategies,
                seed,
                delay,
                connections,
                patience,
                latency,
                examples,
                store,
                settings,
                segmenter,
                until_covered,
                max_depth,
                tuple(include or ()),
                tuple(exclude or ()),
                stay_on_host,
                stay_on_domain,
            )
        )
    )
