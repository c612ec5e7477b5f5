"""`ontocrawl crawls`: the crawls that this machine knows, and a line by which one is run again and again."""

import contextlib
import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from enum import StrEnum

from cli.crawl_register import KnownCrawl, free_name, known_crawls, named
from cli.exits import ExitCode
from cli.render.answer_tables import Row, as_table
from cli.render.language import LANGUAGES, as_told, listed, locale_language, tr
from cli.render.terminal import one_line, say, show
from cli.settings import PROXIES
from ontology.errors import SettingsError
from ontology.file_failures import refusal

CREDENTIALS = "NEO4J_CREDENTIALS_FILE"
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


class Every(StrEnum):
    """How often a crawl is run again."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


CRON = {
    Every.HOUR: "{m} * * * *",
    Every.DAY: "{m} {h} * * *",
    Every.WEEK: "{m} {h} * * 1",
    Every.MONTH: "{m} {h} 1 * *",
}
CALENDAR = {
    Every.HOUR: "*-*-* *:{m:02}:00",
    Every.DAY: "*-*-* {h:02}:{m:02}:00",
    Every.WEEK: "Mon *-*-* {h:02}:{m:02}:00",
    Every.MONTH: "*-*-01 {h:02}:{m:02}:00",
}  # systemd.time(7)


def every_of(typed: str) -> Every:
    """What was typed after --every. Raises SettingsError."""
    try:
        return Every(typed)
    except ValueError as error:
        raise SettingsError(
            tr("--every {typed} is no span of time", typed=typed), tr("write one of {every}", every=listed(Every))
        ) from error


def tell(*, as_json: bool) -> int:
    """Print all crawls, the last seen first."""
    crawls = known_crawls()
    if as_json:
        show(json.dumps([asdict(crawl) | {"state": crawl.state} for crawl in crawls], ensure_ascii=False))
    elif crawls:
        show(as_table([_row(crawl) for crawl in crawls]))
    else:
        show(tr("No crawl has run here so far. `{command} crawl --help` shows how to begin one."))
    return ExitCode.DONE


def _row(crawl: KnownCrawl) -> Row:
    return {
        tr("name"): crawl.name,
        tr("pages"): crawl.pages,
        tr("on topic"): crawl.on_topic,
        tr("waiting"): crawl.waiting,
        tr("last run"): crawl.seen.removesuffix("+00:00").replace("T", " "),
        tr("state"): as_told(crawl.state),
        tr("store"): crawl.store,
    }


def rename(name: str, new: str) -> int:
    """Give a crawl another name. Raises SettingsError for one that is taken, or that is none."""
    crawl = named(name)
    if not new.strip() or one_line(new) != new or "/" in new:
        raise SettingsError(tr("{new!r} is no name", new=new), "give a word without /")
    if free_name(new, crawl.store) != new:
        raise SettingsError(
            tr("another crawl is called {new}", new=new), "give another name; {command} crawls shows all"
        )
    with _refusal_told(crawl):
        replace(crawl, name=new).keep()
    say(tr("{crawl} is called {new} now", crawl=crawl.name, new=new))
    return ExitCode.DONE


def forget(name: str) -> int:
    """Take a crawl off the list; its store stays. Raises SettingsError while it runs."""
    crawl = named(name)
    if crawl.is_running:
        raise SettingsError(tr("{crawl} is running", crawl=crawl.name), "end it with Ctrl-C first")
    with _refusal_told(crawl):
        crawl.forget()
    say(
        tr("{crawl} is forgotten", crawl=crawl.name)
        + ("" if crawl.has_vanished else tr("; its store stays: {store}", store=crawl.store))
    )
    return ExitCode.DONE


def forget_vanished() -> int:
    """Take all crawls off the list whose store no longer exists."""
    vanished = [crawl for crawl in known_crawls() if crawl.has_vanished and not crawl.is_running]
    for crawl in vanished:
        with _refusal_told(crawl):
            crawl.forget()
        say(tr("{crawl} is forgotten: there is no store at {store}", crawl=crawl.name, store=crawl.store))
    if not vanished:
        say(tr("no crawl has vanished"))
    return ExitCode.DONE


@contextlib.contextmanager
def _refusal_told(crawl: KnownCrawl) -> Iterator[None]:
    """Raise SettingsError where the register cannot be written."""
    try:
        yield
    except OSError as error:
        raise SettingsError(
            *refusal(error.filename or crawl.file, error, "check the path and its permissions")
        ) from error


def schedule(name: str, every: Every, at: str, *, systemd: bool) -> int:
    """Print the line, and on standard error what is to be done with it."""
    crawl = named(name)
    for line in remarks(crawl, systemd=systemd):
        say(line)
    show(schedule_line(crawl, every, at, systemd=systemd))
    return ExitCode.DONE


def schedule_line(crawl: KnownCrawl, every: Every, at: str, *, systemd: bool) -> str:
    """A line of a crontab, or a command that has systemd run the crawl. Raises SettingsError for what cannot be one."""
    if crawl.has_vanished:
        raise SettingsError(
            tr("{crawl}: there is no store at {store}", crawl=crawl.name, store=crawl.store),
            "{command} crawls forget takes it off",
        )
    if crawl.is_import:
        raise SettingsError(
            tr("{crawl} is an import, which asks no server", crawl=crawl.name),
            tr(
                "go on in its store first: {command} crawl --store {store} --ontology FILE --seeds FILE --max-pages N",
                store=shlex.quote(crawl.store),
            ),
        )
    time = _TIME.fullmatch(at)
    if time is None:
        raise SettingsError(tr("--at {at} is no time", at=at), "write it as --at 03:30")
    when = {"h": int(time[1]), "m": int(time[2])}
    words = [crawl.program, *again(crawl.command), *_more_pages(crawl)]
    if any("\n" in word for word in (*words, crawl.where)):
        raise SettingsError(
            tr("the command of {crawl} has a line end in it", crawl=crawl.name),
            "put its options into a --settings file",
        )
    if systemd:
        return shlex.join(_for_systemd(crawl, words, CALENDAR[every].format(**when)))
    credentials = _credentials(crawl)
    set_first = f"{CREDENTIALS}={shlex.quote(credentials)} " if credentials else ""
    line = f"cd {shlex.quote(crawl.where)} && {set_first}{shlex.join(words)}"
    return f"{CRON[every].format(**when)} {line.replace('%', chr(92) + '%')}"  # crontab(5): % is a line end


def again(command: Sequence[str]) -> Iterator[str]:
    """The words of a run that asks for its pages again, in the language of here: cron and systemd have no locale.

    What needs somebody at the machine is left out.
    """
    yield from (word for word in without_page(command) if word.partition("=")[0] != "--watch")
    if "--recrawl" not in command:
        yield "--recrawl"
    spoken = locale_language()
    if spoken in LANGUAGES and not any(word.startswith(("--lang", "--settings")) for word in command):
        yield from ("--lang", spoken)


def without_page(command: Sequence[str]) -> Iterator[str]:
    """The words of a command without --dashboard and its port."""
    for before, word in zip(("", *command), command, strict=False):
        if before != "--dashboard" and word.partition("=")[0] != "--dashboard":
            yield word


def _more_pages(crawl: KnownCrawl) -> Iterator[str]:
    """A larger --max-pages, which overrides the one before, if that is reached."""
    if crawl.stopped == "max-pages":
        yield from ("--max-pages", str(2 * crawl.pages))


def _for_systemd(crawl: KnownCrawl, words: Iterable[str], when: str) -> Iterator[str]:
    yield from ("systemd-run", "--user", f"--unit=ontocrawl-{re.sub(r'[^A-Za-z0-9_.-]', '-', crawl.name)}")
    yield from (f"--on-calendar={when}", f"--working-directory={crawl.where}")
    credentials = _credentials(crawl)
    if credentials:
        yield f"--setenv={CREDENTIALS}={credentials}"
    yield "--"
    yield from (word.replace("$", "$$") for word in words)  # systemd.service(5): $ begins a variable


def _credentials(crawl: KnownCrawl) -> str:
    """The file of credentials that a crawl on a server is run with, as it is set here."""
    named_here = os.environ.get(CREDENTIALS, "") if "://" in crawl.store else ""
    return named_here and os.path.abspath(named_here)


def remarks(crawl: KnownCrawl, *, systemd: bool) -> Iterator[str]:
    """What the line does, and what it lacks."""
    yield tr("{crawl}: requests its pages on topic again, then continues to --max-pages", crawl=crawl.name)
    if crawl.stopped == "max-pages":
        yield tr("--max-pages is reached: the line has twice as many pages, {pages:,}", pages=2 * crawl.pages)
    if any(word.partition("=")[0] == "--dashboard" for word in crawl.command):
        yield tr("--dashboard is left out: nobody looks at a run by a timetable")
    if systemd:
        yield tr("type this line; the timer lasts until the machine restarts (crontab lines stay)")
    else:
        yield tr("put this line into your crontab: crontab -e")
    if "://" in crawl.store and not _credentials(crawl):
        yield tr(
            "the server's password is not in the line: name a file of it in {credentials} and ask again",
            credentials=CREDENTIALS,
        )
    if any(word.startswith("--proxy") for word in crawl.command):
        yield tr("a user name and password of the proxy, if it has them, are not in the line")
    elif any(os.environ.get(name) for name in PROXIES) and not any(
        word.startswith("--settings") for word in crawl.command
    ):
        yield tr(
            "this machine has a proxy ({names}), but a crawl takes only --proxy, and this one has none",
            names=listed(name for name in PROXIES if os.environ.get(name)),
        )
