"""A settings file that changes during its crawl: settings that can change at once are applied between two saves."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TypeVar

from cli.crawling.changed_settings import threshold_of
from cli.crawling.live_ontology import GOES_ON
from cli.render.language import as_told, tr
from cli.render.terminal import say
from cli.settings import Settings
from crawler.engine.actions import Limits
from crawler.engine.session import Session
from crawler.frontier.scope import Scope
from crawler.ports import Store
from crawler.rejudging.requeueing import revived
from crawler.rejudging.rescoping import Rescoped, rescoped
from ontology.errors import OntocrawlError
from semantic.records import Batch, Counters, Resumed
from semantic.strategies.strategy_table import strategy_row
from semantic.understanding import TopicUnderstanding

SCOPE = ("include", "exclude", "stay_on_host", "stay_on_domain")
AT_ONCE = ("parameters", "threshold", "max_pages", "max_minutes", "patience", "max_depth", *SCOPE)
SAVED_AT_ONCE = 5000  # addresses in one batch; chosen, not measured

Record = TypeVar("Record")
# the settings as recorded, the understanding and the limits
Rebuild = Callable[[Settings], tuple[str, TopicUnderstanding, Limits]]


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
        self._state = self._now()

    def news(self) -> Settings | None:
        """Settings that differ from those in use and can be applied at once. All differences are printed.

        An unusable file is reported once, and the crawl continues unchanged.
        """
        state = self._now()
        if state == self._state:
            return None
        self._state = state
        try:
            given = self.read()
        except OntocrawlError as error:
            _tell_unusable(error)
            return None
        differing = {f.name: getattr(given, f.name) for f in fields(given) if _differs(given, self.settings, f.name)}
        for name, value in differing.items():
            when = "" if name in AT_ONCE else tr(" (takes hold with the next run)")
            change = f"{name}: {_word(getattr(self.settings, name))} -> {_word(value)}"
            say(tr("settings: {change}{when}", change=change, when=when))
        changes = {name: value for name, value in differing.items() if name in AT_ONCE}
        return replace(self.settings, **changes) if changes else None

    def _now(self) -> tuple[int, int] | None:
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size


def _tell_unusable(error: OntocrawlError) -> None:
    say(tr("settings: {error}; {goes_on}", error=as_told(error.message), goes_on=tr(GOES_ON)))
    if error.cure:
        say(tr("  try: {cure}", cure=as_told(error.cure)))


def follow(file: SettingsFile, session: Session, store: Store, rebuild: Rebuild) -> None:
    """Apply the settings file to the running crawl if it has changed."""
    news = file.news()
    if news is None:
        return
    try:
        kept, understanding, limits = rebuild(news)
    except OntocrawlError as error:
        _tell_unusable(error)
        return
    store.save(session.take_batch())
    thresholds = [threshold_of(one.strategy, one.threshold, one.parameters) for one in (file.settings, news)]
    if thresholds[0] != thresholds[1] and strategy_row(news.strategy).by_threshold:
        on_topic = store.set_threshold(thresholds[1])
        say(
            tr(
                "  by the threshold of {threshold:g} {on_topic:,} pages so far are on topic",
                threshold=thresholds[1],
                on_topic=on_topic,
            )
        )
    session.change(understanding, limits, store.visits())
    if any(getattr(file.settings, name) != getattr(news, name) for name in SCOPE):
        session.load(_rescope(store, limits.scope, session.take_batch().counters).back)
    store.save_settings(kept)
    file.settings = news
    revive(session, store, understanding)


def bring_into_scope(store: Store, scope: Scope, resumed: Resumed) -> Resumed:
    """Before a crawl resumes: apply the current scope to addresses that waited under another scope."""
    if resumed.scope == scope.text:
        return resumed
    moved = _rescope(store, scope, resumed.counters)
    waiting = resumed.waiting - len(moved.left) + len(moved.back)
    return replace(resumed, waiting=waiting, found=resumed.found + len(moved.back), scope=scope.text)


def _rescope(store: Store, scope: Scope, counters: Counters) -> Rescoped:
    """Apply a scope to the store's addresses. If this is interrupted, the next run completes it."""
    moved = rescoped(store, scope)
    if moved.left or moved.back:
        say(
            tr(
                "  scope: {left:,} links wait no more, {back:,} wait again",
                left=len(moved.left),
                back=len(moved.back),
            )
        )
    batches = [
        *(Batch(counters=counters, outside=some) for some in _parts(moved.reasons)),
        *(Batch(counters=counters, revived=some) for some in _parts(moved.back)),
    ]
    for batch in (*batches, Batch(counters=counters, scope=scope.text)):
        store.save(batch)
    return moved


def _parts(records: Sequence[Record]) -> Iterator[tuple[Record, ...]]:
    for start in range(0, len(records), SAVED_AT_ONCE):
        yield tuple(records[start : start + SAVED_AT_ONCE])


def revive(session: Session, store: Store, understanding: TopicUnderstanding) -> None:
    """Queue links that were discarded before and are not now."""
    if understanding.repeatable:
        links = revived(store.stored_pages(), store.discarded(), understanding)
        if links:
            store.save(replace(session.take_batch(), revived=links))
            session.load(links)
            say(tr("  links queued that were discarded before: {links:,}", links=len(links)))


def _differs(one: Settings, other: Settings, name: str) -> bool:
    return bool(getattr(one, name) != getattr(other, name))


def _word(value: object) -> str:
    """In words, without Python's signs."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_word(each)}" for name, each in value.items()) + "}"
    if isinstance(value, tuple):
        return ", ".join(map(_word, value)) or tr("none")
    if isinstance(value, bool):
        return str(value).lower()
    return tr("none") if value is None else str(value)
