"""`ontocrawl crawls merge`: two crawls about one topic become one, in one transaction."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, shown
from store_snapshots import snapshot, totals

from graphdb.record.database import Database
from graphdb.record.noted_changes import NotedChanges, last_change, next_changes
from graphdb.record.sqlite_store import SqliteStore, open_record
from ontology.errors import StoreError
from semantic.records import (
    AskedRecord,
    Batch,
    Counters,
    MentionRecord,
    OutsideRecord,
    PageRecord,
    QueuedRecord,
    SiteRecord,
)

OTHER = replace(CRAWL, id="c2")
OTHER_SEED = QueuedRecord(page_url(100), 10.0, 0, reasons=shown("a seed"))
MENTION = MentionRecord(concept="urn:ice", count=3, weight=0.5, where={"h1": 3})
NOT_HERE = MentionRecord(concept="urn:elsewhere", count=1, weight=0.5, where={"text": 1})


def page(number: int, order: int, **about) -> PageRecord:
    record = fetched(
        number, **{name: about.pop(name) for name in ("parent", "links", "depth", "on_topic") if name in about}
    )
    given = {
        "order": order,
        "content": b"text",
        "fingerprint": f"{number:016x} {number:016x}",
        "fetched_at": f"2026-01-01T00:00:{order:02}",
    }
    return replace(record, **(given | about))


def failed(number: int) -> PageRecord:
    return PageRecord(url=page_url(number), status="failed", depth=1, parent=page_url(0), http_status=500)


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Iterator[Path]:
    """100 -> 0 (the other's seed) -> 1, 2 (waits there) -> 9; 100 -> 50 (with the text of 3), 60 (a copy of 50)."""
    file = tmp_path_factory.mktemp("merged") / "crawl.sqlite"
    with closing(open_record(file)) as store:
        store.open_crawl(OTHER, CONCEPTS, [OTHER_SEED])
        of_0 = (link(1, 0.9), link(2, 0.6), link(5, 0.5), link(8, None), link(72, 0.1))
        of_2 = (link(9, 0.9), link(4, 0.95), link(71, 0.3), link(73, None), link(74, 0.1))
        pages = (
            page(
                100, 1, links=(link(0, 0.9), link(50, 0.8), link(60, 0.7), link(70, 0.1)), mentions=(MENTION, NOT_HERE)
            ),
            page(0, 2, parent=100, depth=1, links=of_0),
            page(1, 3, parent=0, depth=2, on_topic=True, title="read by the second"),
            page(2, 4, parent=0, depth=2, on_topic=True, links=of_2),
            page(50, 5, parent=100, depth=1, fingerprint=f"{3:016x} short", links=(link(51, 0.4), link(3, None))),
            page(9, 6, parent=2, depth=3, mentions=(MENTION,), chosen=shown("it said ice")),
            replace(page(60, 0, parent=100, depth=1), order=None, content=None, fingerprint=None, copy_of=page_url(50)),
            failed(5),
            failed(6),
        )
        sites = (SiteRecord(host="one.example", delay=9.0), SiteRecord(host="two.example", delay=2.0, robots="x"))
        counters = Counters(pages=6, on_topic=2, requests=20, errors=2, inversions=1, seconds=30.0, copies=1)
        store.save(Batch(pages=pages, sites=sites, counters=counters, memory=b"what it learned"))
        store.save(Batch(outside=(OutsideRecord(page_url(74), "--include"),), counters=counters))
        store.mark({page_url(1): "bad", page_url(9): "good"})
    yield file


@pytest.fixture
def store(tmp_path) -> Iterator[SqliteStore]:
    """0 -> 1, 3 fetched; 2 and 4 wait, 5 failed, 6 is only named by a link without priority."""
    links = (link(1, 0.5), link(2, 0.4), link(3, 0.3), link(4, 0.2), link(5, 0.1), link(6, None))
    pages = (
        page(0, 1, links=links, on_topic=True),
        page(1, 2, parent=0, depth=1, on_topic=True),
        page(3, 3, parent=0, depth=1, on_topic=True, mentions=(MENTION,)),
        failed(5),
    )
    counters = Counters(pages=3, on_topic=3, requests=5, errors=1, inversions=2, seconds=10.0, copies=0)
    sites = (SiteRecord(host="one.example", delay=1.0),)
    with closing(open_record(tmp_path / "crawl.sqlite")) as store:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        store.save(Batch(pages=pages, sites=sites, counters=counters, memory=b"m"))
        yield store


def test_two_crawls_become_one(source, store):
    done = store.merge(source)
    assert (done.pages, done.copies, done.waiting, done.known) == (3, 2, 4, 3)
    found = snapshot(store)
    pages = {int(url.rpartition("/")[2]): row for url, row in found["pages"].items()}
    assert pages.keys() == {0, 1, 2, 3, 4, 5, 6, 9, 50, 51, 60, 70, 71, 72, 73, 74, 8, 100} - {8}
    assert {n: row.get("order") for n, row in pages.items() if row["status"] == "fetched"} == {
        0: 1, 1: 2, 3: 3, 100: 4, 2: 5, 9: 6, 50: None, 60: None,
    }  # fmt: skip
    assert {n: row.get("depth") for n, row in pages.items()} == {
        0: 0, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 9: 2, 50: 1, 51: 2, 60: 1, 70: 1, 71: 2, 72: 1, 73: None, 74: None,
        100: 0,
    }  # fmt: skip
    assert (pages[1]["title"], pages[1]["verdict"]) == ("page 1", "bad")
    assert (pages[9]["verdict"], pages[9]["chosen"]) == ("good", ["anchor: it said ice"])
    assert pages[4]["priority"] == 0.95
    assert {n for n, row in pages.items() if row["status"] == "queued"} == {4, 51, 70, 71, 72}
    assert (pages[74]["outside"], pages[73].get("outside")) == ("--include", None)
    assert found["links"][page_url(0), page_url(72)]["priority"] == 0.1
    assert found["copies"] == {(page_url(n), page_url(3)): {} for n in (50, 60)}
    assert (page_url(50), page_url(51)) in found["links"] and (page_url(50), page_url(3)) not in found["links"]
    assert pages[50]["stale"] and "content" not in pages[50]

    parents = {child: parent for child, parent in found["parents"]}
    assert page_url(0) not in parents and page_url(100) not in parents
    assert (parents[page_url(2)], parents[page_url(9)]) == (page_url(0), page_url(2))
    assert {url for _, url in found["seeds"]} == {page_url(0), page_url(100)}
    assert set(found["mentions"]) == {(page_url(n), "urn:ice") for n in (3, 9, 100)}
    assert found["sites"]["one.example"]["delay"] == 1.0 and found["sites"]["two.example"]["robots"] == "x"
    assert {n for n, row in pages.items() if row.get("on_path")} == {0, 1, 2, 3}
    resumed = store.open_crawl(CRAWL, CONCEPTS, [SEED])
    assert resumed.counters == Counters(
        pages=6, on_topic=4, requests=25, errors=3, inversions=3, seconds=40.0, copies=2
    )
    assert resumed.memory == b""
    assert list(store.read("PRAGMA foreign_key_check")) == []


def test_what_is_gone_here_stays_gone_and_makes_no_copies(source, store):
    """1 is gone, which the other crawl has as a result; so is 3, of which the other crawl has the text as 50."""
    gone = tuple(AskedRecord(page_url(n), "2026-01-02", 410) for n in (1, 3))
    store.save(Batch(asked=gone, counters=Counters(pages=3, on_topic=1)))
    store.merge(source)
    pages = snapshot(store)["pages"]
    assert [(pages[page_url(n)]["status"], pages[page_url(n)]["on_topic"]) for n in (1, 3)] == [("failed", False)] * 2
    assert pages[page_url(50)]["order"] and "content" in pages[page_url(50)]
    results = [url for url, row in pages.items() if row.get("on_topic")]
    assert (totals(store).on_topic, sorted(results)) == (2, [page_url(0), page_url(2)])
    assert totals(store).pages == max(row.get("order", 0) for row in pages.values())


def test_a_second_merge_changes_nothing(source, store):
    store.merge(source)
    before = snapshot(store)
    again = store.merge(source)
    assert (again.pages, again.waiting) == (0, 0)
    assert snapshot(store) == before
    assert totals(store).requests == 25


def test_what_the_other_crawl_does_later_comes_with_another_merge(store, tmp_path):
    with closing(open_record(tmp_path / "other.sqlite")) as other:
        other.open_crawl(OTHER, CONCEPTS, [OTHER_SEED])
        other.save(Batch(pages=(page(100, 1, links=(link(101, 0.5),)),), counters=Counters(pages=1, requests=4)))
        store.merge(tmp_path / "other.sqlite")
        later = page(101, 2, parent=100, depth=1, links=(link(102, 0.5), link(1, 0.5)))
        other.save(Batch(pages=(later,), counters=Counters(pages=2, requests=7)))  # while it is being written
    done = store.merge(tmp_path / "other.sqlite")
    assert (done.pages, done.waiting, done.known) == (1, 1, 1)
    assert (totals(store).pages, totals(store).requests) == (5, 5 + 7)
    found = snapshot(store)
    assert found["pages"][page_url(102)]["depth"] == 2
    assert (page_url(101), page_url(1)) in found["links"]


def test_a_graph_is_to_be_filled_with_what_came(source, store, tmp_path):
    with closing(Database(tmp_path / "crawl.sqlite")) as database:
        before = NotedChanges(database).admit("a graph", "its id")
        store.merge(source)
        with database.reading() as run:
            noted = next_changes(run, before, last_change(run), 10_000)
    numbers = {row["url"]: row["id"] for row in store.read("SELECT id, url FROM pages")}
    came = {numbers[page_url(n)] for n in (100, 2, 9, 50, 60, 51, 70, 71, 72, 73, 74)}
    assert came <= set(noted.pages) and came <= set(noted.relations)
    assert numbers[page_url(1)] in noted.verdicts and numbers[page_url(0)] in noted.relations


def test_copies_of_one_crawl_add_only_what_one_did_more(source, store, tmp_path):
    with closing(open_record(tmp_path / "parted.sqlite")) as parted:
        parted.open_crawl(CRAWL, CONCEPTS, [SEED])
        parted.save(Batch(pages=(page(0, 1),), counters=Counters(pages=1, requests=9, errors=1, seconds=4.0)))
    store.merge(tmp_path / "parted.sqlite")
    assert (totals(store).requests, totals(store).errors, totals(store).seconds) == (9, 1, 10.0)


def test_a_long_way_is_followed_to_its_end(store, tmp_path):
    """The other one found 4, which waits here, by another way; redirects add no depth."""
    with closing(open_record(tmp_path / "other.sqlite")) as other:
        other.open_crawl(OTHER, CONCEPTS, [OTHER_SEED])
        way = [page(n, n - 99, parent=n - 1, depth=n - 100, links=(link(n + 1, 0.5),)) for n in range(101, 150)]
        moved = replace(page(150, 0, parent=149, depth=50, links=(link(4, 0.5),)), order=None, status="redirected")
        found = page(4, 60, parent=150, depth=50, links=(link(160, 0.5), link(161, 0.25)), fingerprint=f"{1:015x}f")
        last = page(160, 61, parent=4, depth=51, fingerprint=f"{2:015x}f")
        other.save(Batch(pages=(page(100, 1, links=(link(101, 0.5),)), *way, moved, found, last)))
    store.merge(tmp_path / "other.sqlite")
    pages = snapshot(store)["pages"]
    assert [pages[page_url(n)]["depth"] for n in (100, 101, 149, 150, 4, 160, 161)] == [0, 1, 49, 50, 1, 2, 2]
    assert pages[page_url(4)]["chosen"] == [] and pages[page_url(4)]["status"] == "fetched"


def test_another_topic_is_refused(source, tmp_path):
    with closing(open_record(tmp_path / "other.sqlite")) as store:
        store.open_crawl(replace(CRAWL, topic="urn:elsewhere"), CONCEPTS, [SEED])
        before = snapshot(store)
        with pytest.raises(StoreError, match="urn:topic and urn:elsewhere"):
            store.merge(source)
        assert snapshot(store) == before


def test_a_crawl_is_not_merged_into_itself_or_nothing(source, store, tmp_path):
    with pytest.raises(StoreError, match="into itself"):
        store.merge(tmp_path / "crawl.sqlite")
    with closing(open_record(tmp_path / "empty.sqlite")) as empty:
        with pytest.raises(StoreError, match="no crawl"):
            empty.merge(source)
        with pytest.raises(StoreError, match="no crawl"):
            store.merge(tmp_path / "empty.sqlite")
    with pytest.raises(StoreError, match="no store"):
        store.merge(tmp_path / "nothing.sqlite")
    store.merge(source)  # nothing is left of the attempts
