"""`ontocrawl crawls merge`: two crawls about one topic become one, also when the merge is broken off."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, shown
from store_fixtures import EMPTY
from store_snapshots import snapshot

from graphdb.graph import graph_merging
from graphdb.graph.graph_merging import Merged
from graphdb.record.sqlite_store import open_record
from graphdb.stores import Store, merge, open_store
from ontology.errors import StoreError
from semantic.reasons import Reason
from semantic.records import (
    AskedRecord,
    Batch,
    Counters,
    CrawlRecord,
    MentionRecord,
    PageRecord,
    QueuedRecord,
    SiteRecord,
)

ROOT = Path(__file__).resolve().parents[2]
OTHER = replace(CRAWL, id="c2")
OTHER_SEED = QueuedRecord(page_url(100), 10.0, 0, reasons=(Reason("a seed"),))
MENTION = MentionRecord(concept="urn:ice", count=3, weight=0.5, where={"h1": 3})
NOT_HERE = MentionRecord(concept="urn:elsewhere", count=1, weight=0.5, where={"text": 1})


def page(number: int, order: int, **about) -> PageRecord:
    record = fetched(
        number, **{name: about.pop(name) for name in ("parent", "links", "depth", "on_topic") if name in about}
    )
    given = {
        "order": order,
        "content": b"text",
        "fingerprint": f"{number:016x}",
        "fetched_at": f"2026-01-01T00:00:{order:02}",
    }
    return replace(record, **(given | about))


def failed(number: int) -> PageRecord:
    return PageRecord(url=page_url(number), status="failed", depth=1, parent=page_url(0), http_status=500)


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Iterator[Path]:
    """100 -> 0 (the other's seed) -> 1, 2 (waits there) -> 9; 100 -> 50 (with the text of 3), 60 (a copy of 50)."""
    folder = tmp_path_factory.mktemp("merged") / "source"
    store = open_store(str(folder))
    store.open_crawl(OTHER, CONCEPTS, [OTHER_SEED])
    pages = (
        page(100, 1, links=(link(0, 0.9), link(50, 0.8), link(60, 0.7), link(70, 0.1)), mentions=(MENTION, NOT_HERE)),
        page(0, 2, parent=100, depth=1, links=(link(1, 0.9), link(2, 0.6), link(5, 0.5), link(8, None), link(72, 0.1))),
        page(1, 3, parent=0, depth=2, on_topic=True, title="read by the second"),
        page(2, 4, parent=0, depth=2, on_topic=True, links=(link(9, 0.9), link(4, 0.95), link(71, 0.3))),
        page(50, 5, parent=100, depth=1, fingerprint=f"{3:016x}", links=(link(51, 0.4), link(3, None))),
        page(9, 6, parent=2, depth=3, mentions=(MENTION,), chosen=shown("ice")),
        replace(page(60, 0, parent=100, depth=1), order=None, content=None, fingerprint=None, copy_of=page_url(50)),
        failed(5),
        failed(6),
    )
    sites = (SiteRecord(host="one.example", delay=9.0), SiteRecord(host="two.example", delay=2.0, robots="x"))
    counters = Counters(pages=6, on_topic=2, requests=20, errors=2, inversions=1, seconds=30.0, copies=1)
    store.save(Batch(pages=pages, sites=sites, counters=counters, memory=b"what it learned"))
    store.mark({page_url(1): False, page_url(9): True})
    with closing(open_store(str(folder), create=False)):  # one server for all merges
        store.close()
        yield folder


def crawled(store: Store, crawl: CrawlRecord = CRAWL) -> Store:
    """0 -> 1, 3 fetched; 2 and 4 wait, 5 failed, 6 is only named by a link without priority."""
    store.open_crawl(crawl, CONCEPTS, [SEED])
    links = (link(1, 0.5), link(2, 0.4), link(3, 0.3), link(4, 0.2), link(5, 0.1), link(6, None))
    pages = (
        page(0, 1, links=links, on_topic=True),
        page(1, 2, parent=0, depth=1, on_topic=True),
        page(3, 3, parent=0, depth=1, on_topic=True, mentions=(MENTION,)),
        failed(5),
    )
    counters = Counters(pages=3, on_topic=3, requests=5, errors=1, inversions=2, seconds=10.0, copies=0)
    store.save(Batch(pages=pages, sites=(SiteRecord(host="one.example", delay=1.0),), counters=counters, memory=b"m"))
    store.wait_until_filled()
    return store


def merged(source: Path, store: Store, **given) -> Merged:
    return merge(str(source), store, "bolt://target", given.get("progress", lambda stage, done: None))


def test_two_crawls_become_one(source, graph_kept):
    store = crawled(graph_kept.reopened())
    store = graph_kept.reopened()
    done = merged(source, store)
    assert (done.pages, done.copies, done.waiting) == (3, 2, 4)
    found = snapshot(store)
    pages = {url: row for url, row in found["pages"].items()}
    said = {number: pages[page_url(number)] for number in (0, 1, 2, 3, 4, 5, 6, 9, 50, 51, 60, 70, 71, 72, 100)}
    assert len(said) == len(pages)
    assert {n: row.get("order") for n, row in said.items() if row["status"] == "fetched"} == {
        0: 1, 1: 2, 3: 3, 100: 4, 2: 5, 9: 6, 50: None, 60: None,
    }  # fmt: skip
    assert {n: row.get("depth") for n, row in said.items()} == {
        0: 0, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 9: 2, 50: 1, 51: 2, 60: 1, 70: 1, 71: 2, 72: 1, 100: 0,
    }  # fmt: skip
    assert (said[1]["title"], said[1]["verdict"]) == ("page 1", "bad")
    assert (said[9]["verdict"], said[9]["chosen"]) == ("good", ["anchor: ice"])
    assert said[4]["priority"] == 0.95
    assert {n for n, row in said.items() if row["status"] == "queued"} == {4, 51, 70, 71, 72}
    assert found["links"][page_url(0), page_url(72)]["priority"] == 0.1
    assert found["copies"] == {(page_url(n), page_url(3)): {} for n in (50, 60)}
    assert (page_url(50), page_url(51)) in found["links"] and (page_url(50), page_url(3)) not in found["links"]
    assert said[50]["stale"] and "content" not in said[50]

    parents = {child: parent for child, parent in found["parents"]}
    assert page_url(0) not in parents and page_url(100) not in parents
    assert (parents[page_url(2)], parents[page_url(9)]) == (page_url(0), page_url(2))
    assert {url for _, url in found["seeds"]} == {page_url(0), page_url(100)}
    assert set(found["mentions"]) == {(page_url(n), "urn:ice") for n in (3, 9, 100)}
    assert found["sites"]["one.example"]["delay"] == 1.0 and found["sites"]["two.example"]["robots"] == "x"
    resumed = store.open_crawl(CRAWL, CONCEPTS, [SEED])
    assert resumed.counters == Counters(
        pages=6, on_topic=4, requests=25, errors=3, inversions=3, seconds=40.0, copies=2
    )
    assert resumed.memory == b""


def test_what_is_gone_here_stays_gone_and_makes_no_copies(source, embedded_kept):
    """1 is gone, which the other crawl has as a result; so is 3, of which the other crawl has the text as 50."""
    store = crawled(embedded_kept.store)
    gone = tuple(AskedRecord(page_url(n), "2026-01-02", 410) for n in (1, 3))
    store.save(Batch(asked=gone, counters=Counters(pages=3, on_topic=1)))
    store = embedded_kept.reopened()
    merged(source, store)
    pages = snapshot(store)["pages"]
    assert [(pages[page_url(n)]["status"], pages[page_url(n)]["on_topic"]) for n in (1, 3)] == [("failed", False)] * 2
    assert pages[page_url(50)]["order"] and "content" in pages[page_url(50)]
    counters = store.open_crawl(CRAWL, CONCEPTS, [SEED]).counters
    results = [url for url, row in pages.items() if row.get("on_topic")]
    assert (counters.on_topic, sorted(results)) == (2, [page_url(0), page_url(2)])
    assert counters.pages == max(row.get("order", 0) for row in pages.values())


def test_a_second_merge_changes_nothing(source, embedded_kept):
    crawled(embedded_kept.store)
    store = embedded_kept.reopened()
    merged(source, store)
    before = snapshot(store)
    again = merged(source, store)
    assert (again.pages, again.waiting) == (0, 0)
    assert snapshot(store) == before
    assert store.open_crawl(CRAWL, CONCEPTS, [SEED]).counters.requests == 25


class Broken(Exception):
    """Of a merge that is ended from outside."""


@pytest.fixture(scope="module")
def undisturbed(source, embedded_folder) -> tuple[dict, Counters]:
    """What a merge leaves that nothing disturbs."""
    with closing(open_store(str(embedded_folder))) as store:
        store.connection.write(lambda run: run(EMPTY))
        crawled(store)
    with closing(open_store(str(embedded_folder))) as store:
        merged(source, store)
        return snapshot(store), store.open_crawl(CRAWL, CONCEPTS, [SEED]).counters


def test_a_merge_that_broke_off_goes_on(source, undisturbed, embedded_kept, monkeypatch):
    whole, counters = undisturbed
    crawled(embedded_kept.store)
    store = embedded_kept.reopened()
    monkeypatch.setattr(graph_merging, "READ_AT_ONCE", 1)
    for ends_after in (1, 3, 5):
        parts = iter(range(1, 20))

        def progress(stage: str, done: int, parts=parts, ends_after=ends_after) -> None:
            if next(parts) == ends_after:
                raise Broken

        with pytest.raises(Broken):
            merged(source, store, progress=progress)
        known = store.open_crawl(CRAWL, CONCEPTS, [SEED])
        orders = [row["order"] for row in snapshot(store)["pages"].values() if row.get("order")]
        assert sorted(orders) == list(range(1, known.counters.pages + 1))
    merged(source, store)
    now = snapshot(store)
    assert without_ranks(now) == without_ranks(whole)
    assert store.open_crawl(CRAWL, CONCEPTS, [SEED]).counters == counters


KILLED = """
import os, signal, sys
from graphdb.graph import graph_merging
from graphdb.stores import merge, open_store
graph_merging.READ_AT_ONCE = 1
parts = iter(range(1, 20))
def progress(stage, done):
    if next(parts) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
merge(sys.argv[1], open_store(sys.argv[2]), "bolt://target", progress)
"""


def test_a_killed_merge_goes_on_and_loses_nothing(source, undisturbed, embedded_kept):
    whole, counters = undisturbed
    crawled(embedded_kept.store)
    before = snapshot(embedded_kept.reopened())
    for part in ("2", "3"):
        command = [sys.executable, "-c", KILLED, str(source), str(embedded_kept.folder), part]
        assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    store = embedded_kept.reopened()
    half = snapshot(store)
    assert before["pages"].keys() < half["pages"].keys() < whole["pages"].keys()
    assert before["links"].keys() <= half["links"].keys() <= whole["links"].keys()
    merged(source, store)
    assert without_ranks(snapshot(store)) == without_ranks(whole)
    assert store.open_crawl(CRAWL, CONCEPTS, [SEED]).counters == counters


def without_ranks(found: dict) -> dict:
    """The ranks of finding go on after those of the part that was merged before."""
    pages = {
        url: {name: value for name, value in row.items() if name != "found"} for url, row in found["pages"].items()
    }
    return found | {"pages": pages}


def test_another_topic_is_refused(source, embedded_kept):
    embedded_kept.store.open_crawl(replace(CRAWL, topic="urn:elsewhere"), CONCEPTS, [SEED])
    store = embedded_kept.reopened()
    before = snapshot(store)
    with pytest.raises(StoreError, match="urn:topic and urn:elsewhere"):
        merged(source, store)
    assert snapshot(store) == before


def test_a_crawl_is_not_merged_into_itself_or_nothing(source, embedded_kept, tmp_path):
    with pytest.raises(StoreError, match="into itself"):
        merge(str(source), embedded_kept.store, f"{source}/.", lambda stage, done: None)
    with pytest.raises(StoreError, match="no crawl"):
        merged(source, embedded_kept.store)
    with pytest.raises(StoreError, match="ends with this command"):
        merged(source, open_record(":memory:"))
