"""`ontocrawl review`: asks about the ten pages whose marks teach most, then shows what the marks changed."""

import contextlib
import sys
from collections.abc import Iterable, Mapping
from functools import partial

import typer

from cli.crawling.changed_settings import threshold_of
from cli.exits import ExitCode
from cli.marking.marking import ROUND, asks_the_crawl, check_marks, judge_anew, next_to_review, tell_judged
from cli.recorded.recorded_verdicts import Verdict, stored_settings, verdicts
from cli.recorded.verdict_changes import named
from cli.render.language import later, tr
from cli.render.terminal import say, show
from cli.store_option import store_words
from graphdb.stores import open_store
from ontology.errors import SettingsError
from semantic.records import Mark

KEYS: Mapping[str, Mark] = {"g": "good", "b": "bad", "h": "hub"}
HELP = later(
    "g: good, b: bad, h: hub (no result, but its links lead to results), s: skip, q: end and judge by what was marked"
)


def run(where: str) -> int:
    """Ask about ten pages, mark them, and judge all pages by that. Raises SettingsError without a terminal."""
    if not sys.stdin.isatty():
        raise SettingsError("review asks at a terminal", "mark pages by their addresses: {command} mark URL... good")
    say(tr("reading the record ..."))
    with contextlib.closing(open_store(where, create=False)) as store:
        check_marks(store)
        settings = stored_settings(store)
        found = verdicts(store)
        left = sum(not page.marked for page in found.values())
        if not left:
            say(tr("every page is marked already"))
            return 0
        marks: dict[str, Mark] = {}
        threshold = threshold_of(settings.strategy, settings.threshold, settings.parameters)
        ask(next_to_review(found, threshold, marks), min(ROUND, left), marks)
        if not marks:
            say(tr("nothing was marked"))
            return ExitCode.DONE
        store.mark(marks)
        if not asks_the_crawl(store):
            judge_anew(store, where, partial(tell_judged, where))
        show(tr("\nThe next ten: {command} review{store}", store=store_words(where)))
    return 0


def ask(pages: Iterable[Verdict], count: int, marks: dict[str, Mark]) -> None:
    """Ask about `count` pages, and put each mark given into `marks`, by address, before the next page is taken."""
    say(tr(HELP))
    for number, page in enumerate(pages, 1):
        say(
            tr(
                "\n{number} of {pages}  {relevance:.2f}  {page}\n  {url}",
                number=number,
                pages=count,
                relevance=page.relevance,
                page=named(page),
                url=page.url,
            )
        )
        key = _key()
        if key == "q":
            break
        if key in KEYS:
            marks[page.url] = KEYS[key]
            say(f"  {tr(KEYS[key])}")


def _key() -> str:
    """The next valid key. Ctrl-C and Ctrl-D end the round."""
    while True:
        try:
            key = typer.getchar().lower()
        except (KeyboardInterrupt, EOFError):
            return "q"
        if key in {*KEYS, "s", "q"}:
            return key
