"""Files that are edited while their crawl runs: its settings file, and with `--watch` the ontology.

If one has changed, the crawl finishes the requests under way and continues as after a restart with what the file says
now (`cli.crawling.crawl`), in the same process.
"""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from cli.inputs.concept_names import chosen_language
from cli.inputs.crawl_topic import About, files_of
from cli.render.language import as_told, later, listed, tr
from cli.render.terminal import one_line, say
from cli.settings import Settings
from ontology.errors import OntocrawlError
from ontology.inspection.differences import differences, in_words
from semantic.urls import readable

LOOK_SECONDS = 1.0  # between two checks of the files; Protégé takes about as long to write a large file
SHOWN = 10  # differences shown
NAMED = 5  # pages gained, and pages lost, that are named
MISSING, UNREADABLE = "W101", "W103"  # codes of findings about an imported file
GOES_ON = later("the crawl goes on as it was")
# settings that may change while the crawl runs
SCOPE = ("include", "exclude", "stay_on_host", "stay_on_domain")
AT_ONCE = ("parameters", "threshold", "results", "max_pages", "max_minutes", "patience", "max_depth", *SCOPE)

Files = dict[Path, tuple[int, int] | None]  # modification time in ns and size in bytes; None if there is no file


@dataclass(slots=True)
class SettingsFile:
    """Watches a settings file. `read` combines it with the typed options, which override it. Only a changed file is
    read.
    """

    path: Path
    read: Callable[[], Settings]
    settings: Settings
    _state: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._state = _state(self.path)

    def has_changed(self, check: Callable[[Settings], object]) -> bool:
        """Whether `settings` has changed. All differences are printed; those that cannot be applied at once are left.

        `check`: raises OntocrawlError for settings that cannot be used. An unusable file is reported once, and the
        crawl continues unchanged.
        """
        state = _state(self.path)
        if state == self._state:
            return False
        self._state = state
        try:
            given = self.read()
            names = [field.name for field in fields(given)]
            differing = {name: getattr(given, name) for name in names if _differs(given, self.settings, name)}
            for name, value in differing.items():
                when = "" if name in AT_ONCE else tr(" (takes hold with the next run)")
                change = f"{name}: {_word(getattr(self.settings, name))} -> {_word(value)}"
                say(tr("settings: {change}{when}", change=change, when=when))
            changes = {name: value for name, value in differing.items() if name in AT_ONCE}
            if not changes:
                return False
            news = replace(self.settings, **changes)
            check(news)
        except OntocrawlError as error:
            say(tr("settings: {error}; {goes_on}", error=as_told(error.message), goes_on=tr(GOES_ON)))
            if error.cure:
                say(tr("  try: {cure}", cure=as_told(error.cure)))
            return False
        self.settings = news
        return True


def _differs(one: Settings, other: Settings, name: str) -> bool:
    return bool(getattr(one, name) != getattr(other, name))


def _word(value: object) -> str:
    """In words, without Python's signs."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_word(each)}" for name, each in value.items()) + "}"
    if isinstance(value, tuple):
        return listed(map(_word, value)) or tr("none")
    if isinstance(value, bool):
        return str(value).lower()
    return tr("none") if value is None else str(value)


class OntologyFile:
    """The files of the ontology in use, `about`. `read` reads it again, and raises OntocrawlError.

    Saving may take a moment, so files are read only if they have not changed since the previous check.
    """

    def __init__(self, about: About, read: Callable[[], About], look_seconds: float = LOOK_SECONDS) -> None:
        self.about = about
        self._read = read
        self._look_seconds = look_seconds
        self._looked_at = -look_seconds
        self._last: Files = {}  # as at the last check
        # as when they were last read; empty at first, so that changes since the start are noticed
        self._done: Files = {}
        self._reading: _Reading | None = None

    def news(self) -> About | None:
        """The edited ontology, once it is read; the differences are printed. Never blocks, so call it often.

        An unusable file is reported once and then ignored.
        """
        if self._reading is not None:
            return self._answer(self._reading)
        now = time.monotonic()
        if now - self._looked_at >= self._look_seconds:
            self._looked_at = now
            files = self._files()
            if files == self._last and files != self._done:
                self._reading = _Reading(self._read, files)
                self._reading.start()
            self._last = files
        return None

    def _answer(self, reading: "_Reading") -> About | None:
        if reading.is_alive():
            return None
        self._reading = None
        if self._files() != reading.files:  # saved again meanwhile
            return None
        self._done = reading.files
        if isinstance(reading.result, Exception):
            if not isinstance(reading.result, OntocrawlError):
                raise reading.result
            say(tr("ontology: {error}; {goes_on}", error=reading.result, goes_on=tr(GOES_ON)))
            return None
        return self._compared(reading.result)

    def _compared(self, new: About | None) -> About | None:
        assert new is not None, "a thread that has ended has read"
        old = self.about
        if new.fingerprint == old.fingerprint:
            return None
        why = _unusable(old, new)
        if why:
            say(tr("ontology: {why}; {goes_on}", why=why, goes_on=tr(GOES_ON)))
            return None
        say(tr("ontology: {new} was saved", new=new.name))
        language = chosen_language(None, new.ontology)
        lines = [in_words(each) for each in differences(old.ontology, new.ontology, language)]
        for line in lines[:SHOWN]:
            say(f"  {one_line(as_told(line))}")
        if len(lines) > SHOWN:
            say(tr("  and {number:,} more", number=len(lines) - SHOWN))
        if not lines:
            say(tr("  no difference in concepts, names, parents, weights or layers"))
        self.about = new
        return new

    def _files(self) -> Files:
        return {path: _state(path) for path in files_of(self.about.ontology)}


class _Reading(threading.Thread):
    """Reads the ontology in a thread. It ends with the process, even if it hangs."""

    def __init__(self, read: Callable[[], About], files: Files) -> None:
        super().__init__(name="ontology", daemon=True)
        self.files = files
        self.result: About | Exception | None = None
        self._read = read

    def run(self) -> None:
        try:
            self.result = self._read()
        except Exception as error:
            self.result = error


def tell_moved(before: Collection[str], now: Sequence[str]) -> None:
    """Print which addresses have become on topic, and which no longer are."""
    known, held = set(before), set(now)
    gained, lost = [url for url in now if url not in known], [url for url in before if url not in held]
    if not gained and not lost:
        say(tr("  no page was gained or lost"))
    for what, urls in ((tr("gained"), gained), (tr("lost"), lost)):
        if urls:
            more = tr(" and {number:,} more", number=len(urls) - NAMED) if len(urls) > NAMED else ""
            say(f"  {what} {len(urls):,}: {', '.join(map(readable, urls[:NAMED]))}{more}")


def _unusable(old: About, new: About) -> str:
    """Why the crawl cannot continue with the new ontology; '' if it can."""
    if new.iri != old.iri:
        return tr("its topic is {iri} now, and this crawl is about {before}", iri=new.iri, before=old.iri)
    is_gone = not set(old.ontology.imported) <= set(new.ontology.imported)
    codes = (UNREADABLE, MISSING) if is_gone else (UNREADABLE,)
    broken = (each for each in new.ontology.findings if each.code in codes and each not in old.ontology.findings)
    return next((each.message for each in broken), "")


def _state(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size
