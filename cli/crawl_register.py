"""The crawls that this machine knows: one small file for each store, in `$XDG_STATE_HOME/ontocrawl/crawls`.

A crawl, or an import, writes there where its store is, how it was begun, and how far it is; so a list of all crawls
opens no store. Beside the file lies a lock that the crawl holds as long as it runs, however it ends. Nothing depends on
the register: where it cannot be written, the crawl says so and goes on.
"""

import contextlib
import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cli.render.language import listed, tr
from cli.render.terminal import say
from cli.settings import Settings
from cli.store_option import DEFAULT_STORE
from graphdb.file_locks import Lock, is_owned
from graphdb.store_folder import MEMORY, RECORD
from ontology.errors import SettingsError
from ontology.file_failures import why_refused
from ontology.messages import COMMAND, message
from semantic.urls import without_password

if TYPE_CHECKING:  # a crawl's machinery takes a second to import
    from cli.render.live_progress import Observe
    from crawler.engine.crawl_records import Progress

SHOWN = 5  # crawls named where another one was asked for; chosen, not measured
LARGEST = 10**6  # bytes of an entry, which has a command and two paths; chosen, not measured
EVERY_SECONDS = 5.0  # between two notes of a crawl that runs


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCrawl:
    """`store`: its absolute path or address; `command`: what was typed after `ontocrawl`, in the folder `where`.

    `began`, `seen`: ISO text, UTC; `stopped`: why the last run ended, '' while it runs or where it was broken off.
    """

    name: str
    store: str
    command: tuple[str, ...]
    where: str
    program: str
    ontology: str = ""
    strategy: str = ""
    began: str = ""
    seen: str = ""
    pages: int = 0
    on_topic: int = 0
    waiting: int = 0
    stopped: str = ""

    @property
    def file(self) -> Path:
        """Where it is written."""
        return _file(self.store)

    @property
    def is_running(self) -> bool:
        """Whether a run goes on at this moment."""
        lock = self.file.with_suffix(".lock")
        try:
            return lock.exists() and is_owned(lock)
        except OSError:  # not a file of this user
            return False

    @property
    def is_import(self) -> bool:
        """Whether its last run was one of `ontocrawl import`."""
        return next((word for word in self.command if word in ("crawl", "import")), "") == "import"

    @property
    def has_vanished(self) -> bool:
        """Whether its folder is there no more, or is no store; a server is not asked."""
        return "://" not in self.store and not os.path.isfile(Path(self.store) / RECORD)

    @property
    def state(self) -> str:
        """In words how it stands."""
        if self.has_vanished:
            return message("vanished: no store is there")
        ended = "all imported" if self.is_import and self.stopped == "max-pages" else self.stopped
        return message("running" if self.is_running else ended or "broken off")

    def keep(self) -> None:
        """Write it. Raises OSError."""
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        aside = self.file.with_suffix(f".{os.getpid()}.new")
        aside.touch(0o600)
        aside.write_text(json.dumps(asdict(self)), "ascii")  # escapes keep words of the command that are no UTF-8
        aside.replace(self.file)

    def forget(self) -> None:
        """Take it off the register. Raises OSError."""
        self.file.unlink(missing_ok=True)
        for beside in (".lock", ".log"):
            self.file.with_suffix(beside).unlink(missing_ok=True)


# the type of each value of an entry in its file
KINDS = {
    field.name: list if field.name == "command" else int if isinstance(field.default, int) else str
    for field in fields(KnownCrawl)
}


def known_crawls() -> list[KnownCrawl]:
    """All of them, the last seen first. What cannot be read is told and left out."""
    found = []
    for file in sorted(_folder().glob("*.json")):
        try:
            found.append(_read(file))
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            _tell_damaged(file, why_refused(error) if isinstance(error, OSError) else tr("it is damaged"))
    return sorted(found, key=lambda crawl: crawl.seen, reverse=True)


def _read(file: Path) -> KnownCrawl:
    """One entry, without what a newer version has added to it. Raises an error of many kinds for one that is none."""
    if not (file.is_file() or file.is_dir()) or file.stat().st_size > LARGEST:  # a pipe would be waited for
        raise ValueError(file)
    held = json.loads(file.read_bytes())  # in UTF-8, UTF-16 or UTF-32: RFC 7159, 8.1
    held = {name: held[name] for name in KINDS if name in held}
    if not all(type(value) is KINDS[name] for name, value in held.items()):
        raise TypeError(file)
    if not all(isinstance(word, str) for word in held["command"]):
        raise TypeError(file)
    crawl = KnownCrawl(**held | {"command": tuple(held["command"])})
    if crawl.file != file:  # a copy, which `forget` would not find
        raise ValueError(file)
    return crawl


@cache
def _tell_damaged(file: Path, why: str) -> None:
    """Say it once, however often the register is read."""
    say(
        tr(
            "{file} cannot be read: {why}; remove it, and the next run of its crawl writes it again",
            file=file,
            why=why,
        )
    )


def named(name: str) -> KnownCrawl:
    """The crawl of this name, or with this store. Raises SettingsError where there is none."""
    crawls = known_crawls()
    for crawl in crawls:
        if name in (crawl.name, crawl.store) or crawl.store == _place(name):
            return crawl
    names = [crawl.name for crawl in crawls]
    near = listed(get_close_matches(name, names, SHOWN) or names[:SHOWN])
    raise SettingsError(
        tr("no crawl is called {name}", name=name),
        tr("there are: {near}; all of them: {command} crawls", near=near) if near else tr("crawl first"),
    )


def store_called(name: str) -> str:
    """The store that a command is asked to read: a folder or an address as it is, or that of the crawl of this name."""
    if "://" in name or os.path.lexists(name):
        return name
    return next((crawl.store for crawl in known_crawls() if crawl.name == name and not crawl.has_vanished), name)


def crawls_to_give() -> str | None:
    """What to do where no store is: which crawls of this machine could be given; None if there are none."""
    names = [crawl.name for crawl in known_crawls() if not crawl.has_vanished]
    some = listed([*names[:SHOWN], *(["…"] if names[SHOWN:] else [])])
    return tr("give --store the folder or the name of a crawl: {names}", names=some) if names else None


def free_name(wanted: str, store: str) -> str:
    """The name, with a number where another crawl has it."""
    taken = {crawl.name for crawl in known_crawls() if crawl.store != store}
    names = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


@contextlib.contextmanager
def registered(settings: Settings, observe: "Observe") -> Iterator["Observe"]:
    """Note the crawl while it runs, and how it ended; nothing of one that keeps nothing."""

    if settings.store == MEMORY:
        yield observe
        return
    entry = _Entry(settings)

    def watched(progress: "Progress") -> None:
        entry.note(progress)
        observe(progress)

    try:
        yield watched
    finally:
        entry.close()


def note_on_topic(store: str, pages: int) -> None:
    """Note how many pages are on topic, after all were judged again without a crawl."""
    place = _place(store)
    known = next((crawl for crawl in known_crawls() if crawl.store == place), None)
    if known is not None:
        with contextlib.suppress(OSError):  # the next run writes it
            replace(known, on_topic=pages).keep()


class _Entry:
    """The entry of a crawl that runs: made when it shows its first progress, for then its store is open."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._crawl: KnownCrawl | None = None
        self._lock: Lock | None = None
        self._noted = 0.0

    def note(self, progress: "Progress") -> None:
        """Write how far it is, where that was not written lately."""
        if self._crawl is None:
            self._crawl, self._lock = _begun(self._settings)
        elif not progress.stopped and time.monotonic() - self._noted < EVERY_SECONDS:
            return
        self._noted = time.monotonic()
        self._crawl = _at(self._crawl, progress)
        with contextlib.suppress(OSError):  # said when it began
            self._crawl.keep()

    def close(self) -> None:
        """It runs no more."""
        if self._lock is not None:
            self._lock.release()


def _begun(settings: Settings) -> tuple[KnownCrawl, Lock | None]:
    place = _place(settings.store)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    crawl = KnownCrawl(
        name="",
        store=place,
        command=without_secrets(sys.argv[1:]),
        where=str(Path.cwd()),
        program=_program(),
        ontology=settings.ontology or "",
        strategy=settings.strategy,
        began=now,
        seen=now,
    )
    try:
        before = next((known for known in known_crawls() if known.store == place), None)
        if before is None:
            crawl = replace(crawl, name=free_name(_name(settings.store), place))
        else:
            crawl = replace(crawl, name=before.name, began=before.began)
        crawl.keep()
        lock = Lock(crawl.file.with_suffix(".lock"))
        lock.own()
    except OSError as error:
        say(
            tr(
                "this crawl is not noted among the crawls of this machine: {file}: {why}",
                file=error.filename or crawl.file,
                why=why_refused(error),
            )
        )
        return crawl, None
    return crawl, lock


def _at(crawl: KnownCrawl, progress: "Progress") -> KnownCrawl:
    return replace(
        crawl,
        seen=datetime.now(UTC).isoformat(timespec="seconds"),
        pages=progress.pages,
        on_topic=progress.on_topic,
        waiting=progress.queued,
        stopped=progress.stopped,
    )


def _name(store: str) -> str:
    """A first name: the server's address, or the store's folder, with the one above it where that is the usual one."""
    if "://" in store:
        return store.partition("://")[2]
    path = Path(store).resolve()
    return path.parent.name if path.name == Path(DEFAULT_STORE).name and path.parent.name else path.name


def _place(store: str) -> str:
    return without_password(store).rstrip("/") if "://" in store else str(Path(store).resolve())


def _folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(state).absolute() / "ontocrawl" / "crawls"


def log_of(store: str) -> Path:
    """The file of what a crawl says that was begun from a page, and so has no terminal."""
    _folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    return _file(store).with_suffix(".log")


def digest_of(store: str) -> str:
    """A short name of a store for files about it, the same however the store is typed."""
    return hashlib.sha256(_place(store).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _file(store: str) -> Path:
    return _folder() / f"{digest_of(store)}.json"


def without_secrets(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a command, without the user name and password of a proxy or a server."""
    kept = []
    for before, word in zip(("", *words), words, strict=False):
        option, divider, value = word.partition("=")
        if before == "--proxy" or word.startswith(("bolt", "neo4j")):
            kept.append(without_password(word))
        elif divider and option in ("--proxy", "--store"):
            kept.append(f"{option}={without_password(value)}")
        else:
            kept.append(word)
    return tuple(kept)


def _program() -> str:
    """How this command is called from anywhere."""
    called = Path(sys.argv[0]).absolute()
    return str(called) if called.is_file() else shutil.which(COMMAND) or COMMAND
