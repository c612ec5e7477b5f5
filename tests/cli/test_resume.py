"""Crawls with a stop half-way: the same order as without one, whatever strategy and store.

The demonstration web comes without its one Crawl-delay: a host's rest is time, and lends its turn to others; a resumed
crawl begins with none.
"""

import asyncio
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
from records_at_hand import CRAWL
from store_fixtures import Lasting
from store_snapshots import crawl_row, snapshot, totals

from cli.crawling.crawl import hosts_away
from cli.crawling.rejudge import Judging
from cli.inputs.concept_names import concept_records
from cli.inputs.seed_lists import read_seeds
from cli.settings import Settings
from crawler.archive.warc_source import ArchiveSource
from crawler.engine.actions import Done, Fetch, Limits, Wait
from crawler.engine.session import Session
from crawler.ports import Fetched, Outcome
from crawler.rejudging.record_rejudging import judge_again
from crawler.simulation.simulator import simulate
from crawler.traps.trap_detection import Traps
from examples.pages import answer
from examples.sites import ONTOLOGY, SEEDS, read_sites
from graphdb.record.sqlite_store import open_record
from ontology.lexicon.lexicon import build_lexicon
from ontology.loading.ontology_reader import read_ontology
from ontology.topic import build_topic
from semantic.parsing.page_reader import pack, read_page
from semantic.records import Batch, HostRecord, QueuedRecord, Resumed, StoredPage
from semantic.strategies.strategy_table import build_understanding
from semantic.urls import host_of

SITES = read_sites()
read_once = cache(read_ontology)
MADE = read_once(ONTOLOGY)
TOPIC = build_topic(MADE)
LEXICON = build_lexicon(MADE, TOPIC, None)
PAGES = 80
FURTHER = {"off_topic": 1, "expand": 1}  # as paper J has it, the queue runs empty on so small a web
PARAMETERS = {"jlse": {"cf": 10, **FURTHER}, "ata": FURTHER}  # the link graph is read before the stop and after it
SETTINGS = Settings(None, (), 1)


@dataclass(frozen=True)
class Web:
    """What a crawl is of."""

    ontology: Path
    seeds: Sequence[str]
    fetch: Callable[[str], Outcome]


def fetched(url):
    found = answer(SITES, url)
    body = found.body.replace(b"Crawl-delay", b"#") if url.endswith("/robots.txt") else found.body
    return Fetched(url, found.status, {name.lower(): value for name, value in found.headers}, body)


DEMONSTRATION = Web(ONTOLOGY, SEEDS.read_text("utf-8").split(), fetched)


def crawl(strategy, store, max_pages, web=DEMONSTRATION, delay=0.0):
    """Crawl on from what the store holds; the addresses of the pages that were fetched, in order."""
    made = read_once(web.ontology)
    topic = build_topic(made)
    lexicon = build_lexicon(made, topic, None)
    seeds = [QueuedRecord(url, 10.0, 0, found=rank) for rank, url in enumerate(web.seeds, 1)]
    resumed = store.open_crawl(CRAWL, concept_records(made, lexicon, topic), seeds)
    understanding = build_understanding(
        strategy, topic, lexicon, parameters=PARAMETERS.get(strategy), seeds=web.seeds, seed=1
    )
    limits = Limits(max_pages=max_pages, delay=delay, connections=1)
    results = [visit.url for visit in store.visits() if visit.on_topic]
    session = Session(
        understanding,
        limits,
        resumed,
        store.queued(),
        store.known(),
        fingerprints=store.fingerprints(),
        traps=Traps(store.visits()),
        results=results,
    )
    asked = []

    def fetch(url):
        asked.append(url)
        return web.fetch(url)

    simulate(session, fetch, store, lambda progress: None)
    return [url for url in asked if not url.endswith("/robots.txt")]


@cache
def undisturbed(strategy):
    return crawl(strategy, open_record(":memory:"), PAGES)


@pytest.mark.parametrize("strategy", ["opic", "shark", "fused", "jlse"])
def test_a_stopped_crawl_goes_on_in_the_same_order(strategy):
    store = open_record(":memory:")
    assert len(undisturbed(strategy)) >= PAGES
    assert crawl(strategy, store, PAGES // 2) + crawl(strategy, store, PAGES) == undisturbed(strategy)


@pytest.mark.slow
def test_an_archive_stopped_halfway_goes_on_in_the_same_order(shared):
    """Stopped where no verdict changes: one that does, and changes back, leaves its path in the link graph."""
    folder = shared / "webs" / "lohelpzh"
    task = folder / "tasks" / "database"
    source = ArchiveSource(folder / "web.warc.xz")
    with asyncio.Runner() as runner:
        web = Web(task / "topic.owl", read_seeds([str(task / "seeds.txt")]), lambda url: runner.run(source.fetch(url)))
        store = open_record(":memory:")
        stopped = crawl("fused", store, 100, web)
        assert crawl_row(store)["pages"] == 100
        assert stopped + crawl("fused", store, 220, web) == crawl("fused", open_record(":memory:"), 220, web)


class Killed(Lasting):
    """Has not got what the strategy remembered after 40 pages."""

    def save(self, batch):
        super().save(batch if batch.counters.pages <= 40 else replace(batch, memory=b""))


def awaited(understanding):
    """The addresses that `fused` takes for such as wait."""
    return {url for url, _ in understanding.scorer.places()}


def catch_up(store, understanding, stop=None):
    """As a run that goes on does before its first fetch."""
    previous = Resumed(previous=CRAWL, counters=totals(store), memory=store.remembered())
    judging = Judging(store, understanding, stop or threading.Event())
    return judging.bring_up_to_date(previous, CRAWL, SETTINGS)


@pytest.mark.slow
def test_after_a_kill_the_strategy_learns_again_what_had_ended():
    store = Killed()
    for pages in (40, 90):
        crawl("fused", store, pages, delay=1.0)
    waiting = {record.url for record in store.waiting()}
    old, new = (build_understanding("fused", TOPIC, LEXICON) for _ in "ab")
    old.restore(store.remembered())
    assert len(awaited(old) - waiting) > 10
    assert waiting - awaited(old)
    catch_up(store, new)
    assert awaited(new) == waiting


def marked(good, bad):
    """A crawl of 40 pages, and those at these places by their relevance marked, the best first."""
    store = open_record(":memory:")
    crawl("fused", store, 40)
    judged = {url: row["relevance"] for url, row in snapshot(store)["pages"].items() if "content" in row}
    best = sorted(judged, key=lambda url: (-judged[url], url))
    store.mark({best[place]: mark for places, mark in ((good, "good"), (bad, "bad")) for place in places})
    return store


def test_marks_propose_a_threshold_and_say_how_many_it_keeps(capsys):
    store = marked(good=range(6), bad=range(26, 40))
    catch_up(store, build_understanding("fused", TOPIC, LEXICON, threshold=0.1))
    proposed = re.search(r"\((\d+) pages\).* rejudge --threshold (\S+)", capsys.readouterr().err)
    assert proposed is not None
    assert store.set_threshold(float(proposed[2])) == int(proposed[1])


def test_a_threshold_is_named_that_keeps_as_many_as_before(capsys):
    store = marked(good=range(0, 10, 2), bad=range(1, 10, 2))
    before = crawl_row(store)["on_topic"]
    assert catch_up(store, build_understanding("fused", TOPIC, LEXICON)).counters.on_topic < before - 5
    named = re.search(r" rejudge --threshold (\S+)", capsys.readouterr().err)
    assert named is not None
    assert store.set_threshold(float(named[1])) >= before


def test_links_of_a_raised_host_stay_raised_when_judged_anew():
    priorities = []
    for raised in (0.0, 2.0):
        store = open_record(":memory:")
        crawl("fused", store, 40)
        host = host_of(next(store.queued()).url)
        store.save_hosts([HostRecord(host, banned=False, raised=raised)])
        understanding = build_understanding("fused", TOPIC, LEXICON)
        judging = Judging(store, understanding, threading.Event())
        scores: list[dict[str, float]] = []
        judging.on_saved = lambda: scores.append({url: one.relevance for url, one in judging.changed.items()})  # noqa: B023
        previous = Resumed(previous=replace(CRAWL, fingerprint="other"), counters=totals(store), memory=b"")
        judging.bring_up_to_date(previous, CRAWL, SETTINGS)
        pages = snapshot(store)["pages"]
        assert scores == [{url: pages[url]["relevance"] for url in judging.changed}]
        priorities.append({record.url: record.priority for record in store.waiting()})
    before, after = priorities
    moved = {url: after[url] - before[url] for url in before}
    assert moved == pytest.approx({url: 2.0 if host_of(url) == host else 0.0 for url in before})
    assert {round(by) for by in moved.values()} == {0, 2}


def test_a_textless_page_has_ended_though_links_to_it_follow():
    linking = read_page(b"<a href='http://a/copy'>tea</a> <a href='http://a/else'>tea</a>", "http://a/", {})
    copy = StoredPage("http://a/copy", "fetched", 200, None, "", None, (), None)
    kept = [copy, StoredPage("http://a/", "fetched", 200, 1, "", None, (), pack(linking))]
    understanding = build_understanding("fused", TOPIC, LEXICON)
    assert len(list(judge_again(kept, understanding))) == 1
    assert awaited(understanding) == {"http://a/else"}


@pytest.mark.parametrize(("hours", "ends"), [(0.5, False), (2, True)])
def test_the_next_run_too_leaves_a_resting_host_alone(hours, ends):
    store = open_record(":memory:")
    until = (datetime.now(UTC) + timedelta(hours=hours)).isoformat(timespec="milliseconds")
    resumed = store.open_crawl(CRAWL, [], [QueuedRecord("http://busy.example/", 1.0, 0, found=1)])
    store.save(Batch(away=(("busy.example", until), ("other.example", "2026-01-01T00:00:00.000+00:00"))))
    understanding = build_understanding("fixed", TOPIC, LEXICON)
    limits = Limits(max_pages=10, delay=0.0)
    session = Session(understanding, limits, resumed, store.queued(), store.known(), away=hosts_away(store))
    action = session.next_action(5.0)
    if ends:
        assert action == Done("unreachable")
    else:
        assert isinstance(action, Wait)
        assert 1795 < action.until <= 1805
        assert session.next_action(action.until - 1) == action
        fetch = session.next_action(action.until)
        assert isinstance(fetch, Fetch)
        assert fetch.robots


def test_after_an_orderly_end_there_is_nothing_to_learn_again():
    store = open_record(":memory:")
    crawl("fused", store, 40, delay=1.0)
    understanding = build_understanding("fused", TOPIC, LEXICON)
    catch_up(store, understanding)
    assert not any(True for _ in store.unremembered())
    assert awaited(understanding) == {record.url for record in store.waiting()}


def test_learning_again_ends_at_a_signal_with_a_word(capsys):
    store, stop = Killed(), threading.Event()
    for pages in (40, 90):
        crawl("fused", store, pages, delay=1.0)
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        catch_up(store, build_understanding("fused", TOPIC, LEXICON), stop)
    assert "interrupted; the same command begins this again" in capsys.readouterr().err


class Interrupted(Lasting):
    """Ctrl-C comes while what is now said of the first pages is saved."""

    stop: threading.Event

    def save(self, batch):
        super().save(batch)
        if batch.judged:
            self.stop.set()


@pytest.mark.slow
def test_judging_anew_broken_off_begins_again():
    store = Interrupted()
    store.stop = threading.Event()
    crawl("fused", store, 120)
    edited = replace(CRAWL, fingerprint="edited")
    understandings = [build_understanding("fused", TOPIC, LEXICON) for _ in "ab"]
    judging = Judging(store, understandings[0], store.stop)
    with pytest.raises(KeyboardInterrupt):
        judging.bring_up_to_date(store.open_crawl(edited, [], []), edited, SETTINGS)
    assert not store.remembered()
    store.stop = threading.Event()
    again = Judging(store, understandings[1], threading.Event())
    again.bring_up_to_date(store.open_crawl(edited, [], []), edited, SETTINGS)
    assert store.remembered()
    assert awaited(understandings[1]) >= {record.url for record in store.waiting()}


def test_with_other_code_s_memory_the_record_teaches_all_anew(capsys):
    store = open_record(":memory:")
    crawl("fused", store, 10)
    store.save(Batch(memory=b"ontocrawl 1\n" + store.remembered(), counters=totals(store)))
    understanding = build_understanding("fused", TOPIC, LEXICON)
    catch_up(store, understanding)
    assert "written by another version" in capsys.readouterr().err
    assert awaited(understanding) == {record.url for record in store.waiting()}


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["pagerank", "adaptive", "context-graph", "ata", "customised"])
def test_strategies_that_learn_go_on_in_the_same_order(strategy):
    store = open_record(":memory:")
    assert crawl(strategy, store, PAGES // 2) + crawl(strategy, store, PAGES) == undisturbed(strategy)


LEARNING = ("fused", "jlse", "adaptive", "context-graph")
ORDERS = f"""
import numpy
from test_resume import undisturbed
for strategy in {LEARNING}:
    print(*undisturbed(strategy))
"""


@pytest.mark.slow
def test_the_same_orders_whatever_the_hashes_and_threads():
    """Hashes of this process are random, and it has one thread; another one has no chance, and two threads."""
    here = Path(__file__).resolve()
    path = os.pathsep.join(map(str, (here.parents[2], here.parents[1], here.parent)))
    other = subprocess.run(
        [sys.executable, "-c", ORDERS],
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "2"},
        capture_output=True,
        check=True,
        text=True,
    ).stdout.splitlines()
    assert [order.split() for order in other] == [undisturbed(strategy) for strategy in LEARNING]
    assert all(len(set(undisturbed(strategy))) >= PAGES for strategy in LEARNING)
