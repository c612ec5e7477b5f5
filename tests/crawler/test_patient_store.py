"""A store that does not answer, under a clock by hand."""

import errno
import threading
from collections.abc import Iterator

import pytest
from crawl_fakes import FakeStore

from crawler.engine.patient_store import AWAY_SECONDS, patient
from ontology.errors import CrawlBroken, StoreAway, StoreError
from semantic.records import Batch, LinkGraph, QueuedRecord

BATCH = Batch(pages=())
QUEUED = QueuedRecord("http://a/", 1.0, 0)


class Clock(threading.Event):
    """Waiting moves it on. It is set, as by Ctrl-C, at `stops`."""

    def __init__(self, stops: float = float("inf")) -> None:
        super().__init__()
        self.now, self.stops = 0.0, stops

    def wait(self, timeout: float | None = None) -> bool:
        self.now += timeout or 0
        return self.now >= self.stops


class AwayStore(FakeStore):
    """Answers from `back` on; before it says why not."""

    def __init__(self, clock: Clock, back: float, why: Exception) -> None:
        super().__init__()
        self.clock, self.back, self.why = clock, back, why
        self.calls = 0

    def save(self, batch: Batch) -> None:
        self.calls += 1
        self.clock.now += 5.0  # an attempt takes its time too
        if self.clock.now < self.back:
            raise self.why
        super().save(batch)

    def link_graph(self, most: int = 0) -> LinkGraph:
        self.save(BATCH)
        return super().link_graph()


def asked(back: float, why: Exception, stops: float = float("inf")) -> tuple[AwayStore, AwayStore, list[str]]:
    clock, told = Clock(stops), list[str]()
    store = AwayStore(clock, back, why)
    return patient(store, clock, told.append, lambda: clock.now), store, told


AWAY = StoreAway("no answer", "start it")
FULL = OSError(errno.EMFILE, "too many open files")


def test_the_queue_is_read_from_the_beginning_after_an_outage():
    class Breaking(FakeStore):
        broken = 0

        def waiting(self) -> Iterator[QueuedRecord]:
            yield QUEUED
            if self.broken < 3:
                self.broken += 1
                raise AWAY
            yield QUEUED._replace(url="http://b/")

    clock, told = Clock(), list[str]()
    record = patient(Breaking(), clock, told.append, lambda: clock.now)
    assert {queued.url for queued in record.waiting()} == {"http://a/", "http://b/"}
    assert len(told) == 3  # outages


class Listing(FakeStore):
    """Breaks once after the second address; then the addresses may come in another order."""

    def __init__(self, *again: str) -> None:
        super().__init__()
        self.answers = [["a", "b"], list(again)]

    def known(self) -> Iterator[str]:
        yield from self.answers.pop(0)
        if self.answers:
            raise AWAY


def test_rows_are_read_on_where_they_had_stopped():
    assert list(patient(Listing("a", "b", "c"), Clock(), lambda _: None).known()) == ["a", "b", "c"]


def test_rows_in_another_order_end_the_crawl():
    with pytest.raises(CrawlBroken, match="another order"):
        list(patient(Listing("b", "a", "c"), Clock(), lambda _: None).known())


def test_whoever_asks_after_three_minutes_does_not_wait_again():
    record, store, told = asked(10 * AWAY_SECONDS, AWAY)
    for _ in range(2):
        with pytest.raises(CrawlBroken, match="no answer"):
            record.link_graph()
    assert store.clock.now < AWAY_SECONDS + 20
    assert len(told) == 1


def test_three_minutes_of_outage_are_waited_for_and_told_once():
    record, store, told = asked(AWAY_SECONDS, AWAY)
    record.save(BATCH)
    assert store.batches == [BATCH]
    assert store.calls > 10
    assert len(told) == 1
    assert record.link_graph() == store.graph


def test_a_longer_outage_ends_the_crawl_and_names_a_cure():
    record, store, told = asked(10 * AWAY_SECONDS, AWAY)
    with pytest.raises(CrawlBroken, match="no answer") as caught:
        record.save(BATCH)
    assert AWAY_SECONDS <= store.clock.now < AWAY_SECONDS + 20
    assert caught.value.cure.startswith("start it; ")
    assert len(told) == 1


def test_ctrl_c_ends_the_waiting():
    record, store, _ = asked(AWAY_SECONDS, AWAY, stops=30)
    with pytest.raises(CrawlBroken, match="no answer"):
        record.save(BATCH)
    assert store.clock.now < 40


def store_error(why: OSError) -> StoreError:
    error = StoreError("the journal", "make room")
    error.__cause__ = why
    return error


@pytest.mark.parametrize("why", [FULL, store_error(FULL)])
def test_too_many_open_files_are_waited_for_like_an_outage(why: Exception):
    record, store, told = asked(30, why)
    record.save(BATCH)
    assert (store.batches, len(told)) == ([BATCH], 1)
    record, store, _ = asked(10 * AWAY_SECONDS, why)
    with pytest.raises(CrawlBroken):
        record.save(BATCH)
    assert store.clock.now >= AWAY_SECONDS


def test_what_no_waiting_mends_ends_the_crawl_at_once():
    record, store, told = asked(AWAY_SECONDS, StoreError("disk full", "make room"))
    with pytest.raises(CrawlBroken, match="disk full") as caught:
        record.save(BATCH)
    assert caught.value.cure.startswith("make room; ")
    assert store.calls == 1
    assert told == []
