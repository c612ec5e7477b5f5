"""The commands `ontocrawl crawl`, `try` and `demo`. The options of the first two are the fields of `Settings`."""

import inspect
from collections.abc import Callable, Collection
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from cli.render.language import LANGUAGES, primary, speak
from cli.settings import Option, Settings, make_settings

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

crawl_app = typer.Typer()


def _strategies(incomplete: str) -> list[str]:
    """Completions for --strategy in the shell."""
    from semantic.strategies.strategy_table import STRATEGIES

    return [name for name in STRATEGIES if name.startswith(incomplete)]


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


crawl_app.command(epilog=CRAWL_EPILOG)(_options_of_settings(crawl))


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


crawl_app.command("try", epilog=TRY_EPILOG)(_options_of_settings(try_page, NOT_TRIED))


@crawl_app.command()
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
