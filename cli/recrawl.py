"""`ontocrawl crawl --recrawl`: judge what was kept by the ontology of now, then want again what it still wants.

A round that was broken off goes on: what is marked as wanted in the store is what is left of it.
"""

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cli.terminal import say
from crawler.judging import Judging, judge_again
from crawler.ports import Record
from graphdb.batches import parts
from graphdb.stores import Store
from semantic.records import Batch, Counters, JudgedRecord, KeptPage, Resumed, WantedRecord

AT_ONCE = 200  # pages saved in one transaction
TELL_EVERY = 1000  # pages


def want_again(
    store: Store, record: Record, understanding: Judging, resumed: Resumed, stop: threading.Event
) -> tuple[Resumed, Sequence[WantedRecord]]:
    """The pages to be asked for again, and how the crawl goes on: with what a new round has taught `understanding`.

    Raises KeyboardInterrupt where `stop` is set before a round has begun.
    """
    wanted = list(store.wanted())
    if wanted:
        say(f"recrawl: goes on, {len(wanted):,} pages are still to be asked for again")
        return resumed, wanted
    if not resumed.counters.pages:
        return resumed, ()
    resumed = replace(resumed, memory=b"", counters=_judge(store, record, understanding, resumed.counters, stop))
    record.save(Batch(counters=resumed.counters, memory=understanding.remember()))
    store.want_again()
    wanted = list(store.wanted())
    say(f"recrawl: {resumed.counters.on_topic:,} pages are on topic by the ontology of now")
    say(f"  {len(wanted):,} are asked for again: these, the seeds, feeds and sitemaps")
    return resumed, wanted


def judged_again(
    pages: Iterable[KeptPage], understanding: Judging, stop: threading.Event, done: str
) -> Iterator[JudgedRecord]:
    """As `judge_again`, telling now and then how many are `done`. Raises KeyboardInterrupt where `stop` is set."""
    for number, judged in enumerate(judge_again(pages, understanding), 1):
        if stop.is_set():
            say("  interrupted; the same command begins this again")
            raise KeyboardInterrupt
        if number % TELL_EVERY == 0:
            say(f"  {number:,} pages {done}")
        yield judged


def _judge(store: Store, record: Record, understanding: Judging, counters: Counters, stop: threading.Event) -> Counters:
    on_topic = 0
    for some in parts(judged_again(store.kept_pages(), understanding, stop, "judged anew"), AT_ONCE):
        on_topic += sum(one.on_topic for one in some)
        counters = replace(counters, on_topic=on_topic)
        record.save(Batch(counters=counters, judged=tuple(some)))
    return counters
