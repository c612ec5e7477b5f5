"""Judge the pages of a crawl again and reorder its queue, without any request.

There are three cases, of which the cheapest sufficient one is used:
- another ontology or strategy, or memory of another version: every page is read again from the record, and everything
  is learned again;
- other marks of the expert, or another --results: what was learned stays, and pages are judged again by it;
- another threshold: pages keep their relevance, only `on_topic` is set again (`cli.crawling.changed_settings`).
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeVar

from cli.crawling.changed_settings import decide_again
from cli.render.language import tr
from cli.render.terminal import say
from cli.settings import Settings
from cli.store_option import DEFAULT_STORE, store_words
from crawler.engine.garbage_collection import rare_collections
from crawler.engine.steering import raising
from crawler.rejudging.record_frames import FramesAhead, Kept, frames
from crawler.rejudging.record_rejudging import judge_frames_again
from graphdb.record.batch_rows import parts
from graphdb.stores import Store
from ontology.errors import OutdatedMemory
from semantic.frame import Frame
from semantic.records import Batch, CrawlRecord, JudgedRecord, Mark, Resumed
from semantic.understanding import TopicUnderstanding, revised_record
from semantic.urls import identity

AT_ONCE = 200  # pages saved in one transaction; chosen, not measured
# the same for pages of which only numbers are saved, and for priorities of waiting links; chosen, not measured
LIGHT = 2000
TELL_EVERY = 1000  # pages between two progress messages

Item = TypeVar("Item")


@dataclass(slots=True)
class Judging:
    """Updates the judgements of a crawl that is resumed. `stop` aborts it with KeyboardInterrupt.

    It notes what it did: `changed`, the judgements that were saved, by page; `has_decided`, whether a threshold has
    changed, by which pages are on topic or not with the relevance they had.
    """

    store: Store
    understanding: TopicUnderstanding
    stop: threading.Event
    given: Mapping[str, Mark] = field(default_factory=dict)  # marks from --examples; those in the store override them
    begun: FramesAhead | None = None  # frames of all pages, if they are being made already
    where: str = DEFAULT_STORE  # the store, as it is named in a suggested command
    changed: dict[str, JudgedRecord] = field(default_factory=dict)
    has_decided: bool = False
    on_saved: Callable[[], None] = lambda: None  # called when `changed` is saved, before the graph is filled with it

    def bring_up_to_date(self, resumed: Resumed, now: CrawlRecord, settings: Settings) -> Resumed:
        """Restore what the understanding learned, and judge pages again where necessary.

        Gives the state to resume from, without memory, because the understanding has it already.
        """
        judged = self._judged(resumed, now)
        decided, told = decide_again(self.store, judged, now, settings)
        self.has_decided = bool(told)
        for line in told:
            say(f"  {line}")
        if decided != judged:
            self.store.save(Batch(counters=decided.counters))
        return decided

    def _judged(self, resumed: Resumed, now: CrawlRecord) -> Resumed:
        if not resumed.counters.pages or resumed.previous is None:
            return replace(resumed, memory=b"")
        before = resumed.previous
        if before.fingerprint != now.fingerprint or before.strategy != now.strategy or not self._restored(resumed):
            with rare_collections():
                return self._all_anew(resumed)
        marks = {identity(url): mark for url, mark in self._marks().items()}
        if self.understanding.takes_marks and marks != self.understanding.marks:
            return self._by_marks(resumed)
        if self.understanding.takes_marks and _results(before) != _results(now):
            say(tr("  --results has changed: pages are judged again by it"))
            return self._settled(resumed, {})
        return replace(resumed, memory=b"")

    def _marks(self) -> dict[str, Mark]:
        return all_marks(self.given, self.store)

    def _restored(self, resumed: Resumed) -> bool:
        """Restore the understanding from its memory, and learn from what ended after that was saved. Whether it
        worked.
        """
        if not resumed.memory:
            return False
        try:
            self.understanding.restore(resumed.memory)
        except OutdatedMemory as error:
            say(f"  {error}")
            return False
        pages = self.store.unremembered()
        first = next(pages, None)
        if first is not None:
            say(tr("  the last run was killed: what it had not saved of its learning is learned again from the record"))
            made = frames(chain([first], pages), self.understanding.analyst)
            for _ in self._learned(made, done=tr("learned again")):
                pass
        return True

    def _all_anew(self, resumed: Resumed) -> Resumed:
        """Learn everything again. Nothing is saved before all pages are learned, so an interrupted run changes
        nothing.
        """
        say(tr("  {pages:,} pages are judged again from the record", pages=resumed.counters.pages))
        if self.understanding.takes_marks:
            self.understanding.teach(self._marks(), lambda: iter(()))
        judged: dict[str, JudgedRecord] = {}
        put_judged(judged, self._learned(self._made(), done=tr("judged again")))
        self.store.forget_laid_aside()
        return self._settled(resumed, judged)

    def _by_marks(self, resumed: Resumed) -> Resumed:
        say(tr("  marks have changed: pages are judged again by them"))
        self.understanding.teach(self._marks(), self._frames)
        return self._settled(resumed, {})

    def _frames(self) -> Iterator[Frame]:
        return (frame for part in self._going_on(self._made()) for _, frame in part if frame)

    def _made(self) -> Iterable[list[Kept]]:
        """All pages of the record with their frames."""
        return self.begun or frames(self.store.pages_to_judge(), self.understanding.analyst)

    def _settled(self, resumed: Resumed, judged: dict[str, JudgedRecord]) -> Resumed:
        """Save the judgements (`judged`, or those known at the end), the priorities of waiting links, and the
        memory.
        """
        raised = raising(self.store.hosts_wanted())
        places = (revised_record(url, raised(url, place)) for url, place in self.understanding.scorer.places())
        # Priorities come first, because the graph takes longest to be filled with them.
        for rows in parts(self._going_on(places), LIGHT):
            self.store.save(Batch(counters=resumed.counters, revised=tuple(rows)))
        at_once = AT_ONCE if judged else LIGHT
        put_judged(judged, self._going_on(self.understanding.settle()))
        for some in parts(self._going_on(judged.values()), at_once):
            self.store.save(Batch(counters=resumed.counters, judged=tuple(some)))
        self.changed.update(judged)
        self.on_saved()
        memory = self.understanding.remember()  # before the store is asked, because its graph is being filled meanwhile
        on_topic = self.store.update_paths()
        counters = replace(resumed.counters, on_topic=on_topic)
        self.store.save(Batch(counters=counters, memory=memory))
        say(
            tr(
                "  {on_topic:,} of {pages:,} pages are on topic now; before {before:,}",
                on_topic=on_topic,
                pages=counters.pages,
                before=resumed.counters.on_topic,
            )
        )
        if self.understanding.marks:
            self._tell_thresholds(resumed.counters.on_topic, on_topic)
        return replace(resumed, memory=b"", counters=counters)

    def _tell_thresholds(self, before: int, now: int) -> None:
        """Name the threshold that keeps as many pages on topic as `before`, if more have left than are marked bad or as
        hubs; and the one that the marks propose, if it would change anything. Neither is applied unasked.
        """
        store = store_words(self.where)
        if before - now > sum(mark != "good" for mark in self.understanding.marks.values()):
            say(
                tr(
                    "  pages like those marked bad are no longer on topic; to have as many on topic as before: "
                    "{command} rejudge{store} --threshold {threshold:g}",
                    store=store,
                    threshold=self.understanding.threshold_for(before),
                )
            )
        likely = self.understanding.likely
        if likely is not None and likely[1] != now:
            say(
                tr(
                    "  by your marks a page is more likely good than bad from a relevance of {border:g} on "
                    "({pages:,} pages); to have just these on topic: {command} rejudge{store} --threshold {border:g}",
                    border=likely[0],
                    pages=likely[1],
                    store=store,
                )
            )

    def _learned(self, made: Iterable[list[Kept]], done: str) -> Iterator[JudgedRecord]:
        """Learn from pages, printing from time to time how many are `done`."""
        for number, judged in enumerate(self._going_on(judge_frames_again(made, self.understanding)), 1):
            if number % TELL_EVERY == 0:
                say(tr("  {number:,} pages {done}", number=number, done=done))
            yield judged

    def _going_on(self, records: Iterable[Item]) -> Iterator[Item]:
        """Pass the records on until Ctrl-C."""
        for record in records:
            if self.stop.is_set():
                say(tr("  interrupted; the same command begins this again"))
                raise KeyboardInterrupt
            yield record


def _results(record: CrawlRecord) -> str | None:
    """The setting that says what may be a result."""
    found: str | None = json.loads(record.settings).get("results")
    return found


def all_marks(given: Mapping[str, Mark], store: Store) -> dict[str, Mark]:
    """The expert's marks by address: those `given` with --examples, overridden by the store's of the same pages."""
    by_page = {identity(url): (url, mark) for url, mark in [*given.items(), *store.marks().items()]}
    return dict(by_page.values())


def put_judged(judged: dict[str, JudgedRecord], records: Iterable[JudgedRecord]) -> None:
    """Add new judgements. What a record leaves open keeps its earlier value."""
    for record in records:
        before = judged.get(record.url, record) if record.mentions is None else record
        judged[record.url] = replace(record, mentions=before.mentions, unsaid=before.unsaid, kind=before.kind)
