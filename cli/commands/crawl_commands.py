"""The commands `ontocrawl crawl`, `try` and `demo`. The options of the first two are the fields of `Settings`."""

import inspect
from collections.abc import Callable, Collection
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from cli.render.language import LANGUAGES, primary, speak
from cli.settings import FILE_HELP, Option, Settings, make_settings

CRAWL_EPILOG = """\b
Examples:
  ontocrawl crawl --ontology topic.owl --seeds seeds.txt --max-pages 500
  ontocrawl crawl --settings topic.toml --max-pages 5000 --max-minutes 60

The same command continues a crawl. Ctrl-C saves and ends; a second Ctrl-C ends at once.

With --recrawl all pages are first judged by the current ontology. Then those on topic, seeds, feeds and sitemaps are
requested again; servers send only what has changed. Then the crawl continues to --max-pages."""

TRY_EPILOG = """\b
Examples:
  ontocrawl try https://example.org/ --ontology topic.owl
  ontocrawl try https://example.org/page.html --store ./ontocrawl-store

A crawl with the same options would begin with this page in the same way."""
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

crawl_app = typer.Typer()


def _strategies(incomplete: str) -> list[str]:
    """Completions for --strategy in the shell."""
    from semantic.strategies.strategy_table import STRATEGIES

    return [name for name in STRATEGIES if name.startswith(incomplete)]


def crawl(
    settings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=FILE_HELP),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the figures at the end as JSON.")] = False,
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


crawl_app.command(epilog=CRAWL_EPILOG)(_options_of_settings(crawl))


def try_page(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of one page.")],
    settings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=FILE_HELP),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Judge with the settings of this crawl, and with what it has learned."),
    ] = None,
    links: Annotated[int, typer.Option(metavar="N", help="Number of links to show.", min=0)] = 20,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
    **typed: Any,
) -> None:
    """Fetch one page, judge it, and show the reasons and its links in order. Nothing is written."""
    from cli.explaining.trying import run

    raise typer.Exit(run(url, typed, settings, store, most=links, as_json=json))


crawl_app.command("try", epilog=TRY_EPILOG)(_options_of_settings(try_page, NOT_TRIED))


@crawl_app.command()
def demo(
    delay: Annotated[float, typer.Option(metavar="S", help="Seconds between two requests to one host.")] = 0.02,
    serve: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            help="Only serve the small web, for the tutorial.",
            min=0,
            max=65_535,
        ),
    ] = None,
) -> None:
    """Crawl a small web that comes with the program, served on this machine, in less than a minute."""
    from cli.crawling import demo as web

    raise typer.Exit(web.demo(delay) if serve is None else web.serve(serve))
