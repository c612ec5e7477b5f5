"""What the record in a file promises beyond the contract of stores: one writer, readers beside it, nothing lost."""

import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, random_batches
from store_snapshots import snapshot

from graphdb.record.database import APPLICATION, VERSION, Database
from graphdb.record.sql_statements import FOLDER, SCHEMA, sql
from graphdb.record.sqlite_store import SqliteStore, open_record
from ontology.errors import StoreAway, StoreError
from semantic.records import Batch, CopyRecord, Counters, LinkRecord

ROOT = Path(__file__).resolve().parents[2]
# those of merging need a second record; test_record_merging.py executes each of them
FILES = sorted(path.stem for path in FOLDER.glob("*.sql") if path != SCHEMA and path.stem != "merging")
WRITER = """
import sys
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, queued
from graphdb.record.sqlite_store import open_record
from semantic.records import Batch, Counters
store = open_record(sys.argv[1])
first = store.open_crawl(CRAWL, CONCEPTS, [SEED]).counters.pages
for number in range(first, first + int(sys.argv[2])):
    pages = tuple(fetched(1000 * number + n, links=tuple(link(17 * n + m, 0.5) for m in range(30))) for n in range(10))
    store.save(Batch(pages=pages, counters=Counters(pages=number + 1)))
    print(number + 1, flush=True)
"""
READER = """
import sys, time
from graphdb.record.sqlite_store import open_record
store = open_record(sys.argv[1], create=False)
seen, end = 0, time.monotonic() + 60
while seen < int(sys.argv[2]) and time.monotonic() < end:
    known = sum(1 for _ in store.known())
    assert known >= seen, (known, seen)
    list(store.queued(50))
    seen = known
print(seen)
"""


def in_process(code: str, *words: object) -> subprocess.Popen[str]:
    path = [str(ROOT), str(ROOT / "tests")]
    code = f"import sys; sys.path[:0] = {path}\n{code}"
    return subprocess.Popen([sys.executable, "-c", code, *map(str, words)], stdout=subprocess.PIPE, text=True)


def nothing_for(statement: str) -> dict[str, None] | list[None]:
    """NULL for each of its parameters."""
    names, numbers = re.findall(r":(\w+)", statement), re.findall(r"\?(\d*)", statement)
    return dict.fromkeys(names) if names else [None] * (len(set(numbers)) if any(numbers) else len(numbers))


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "crawl.sqlite"


@pytest.fixture
def store(record_kept) -> SqliteStore:
    record_kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    return record_kept.store


def test_a_killed_writer_loses_nothing_that_was_committed(file):
    for run in range(4):
        with in_process(WRITER, file, 100_000) as writer:
            said = [int(writer.stdout.readline()) for _ in range(20 + run)]
            time.sleep(0.005 * run)
            writer.send_signal(signal.SIGKILL)
            said += map(int, writer.stdout.read().split())
        store = open_record(file)
        assert [row["integrity_check"] for row in store.read("PRAGMA integrity_check")] == ["ok"]
        (saved,) = (row["pages"] for row in store.read("SELECT pages FROM crawl"))
        assert said[-1] <= saved <= said[-1] + 1
        ended = set(store.known())
        assert {page_url(1000 * number + n) for number in range(saved) for n in range(10)} <= ended
        assert len(ended) == 10 * saved
        store.close()


def test_a_reader_goes_on_while_another_process_writes(file):
    open_record(file).close()
    with in_process(READER, file, 300) as reader, in_process(WRITER, file, 30) as writer:
        assert reader.stdout.read() == "300\n"
        assert writer.wait() == reader.wait() == 0


def test_a_read_sees_one_state_whatever_is_saved_meanwhile(store):
    store.save(Batch(pages=(fetched(0, links=tuple(link(n, 0.5) for n in range(1, 500))),)))
    waiting = store.waiting()
    first = next(waiting)
    store.save(Batch(pages=tuple(fetched(n, parent=0, depth=1) for n in range(1, 500))))
    assert {first.url, *(place.url for place in waiting)} == {page_url(n) for n in range(1, 500)}
    assert list(store.queued()) == []


def test_one_process_writes_and_all_read(store, record_kept):
    other = record_kept.again()
    for write in (
        lambda: other.open_crawl(CRAWL, CONCEPTS, [SEED]),
        lambda: other.save(Batch(pages=(fetched(0),))),
        other.claim,
    ):
        with pytest.raises(StoreError, match="another crawl is writing") as caught:
            write()
        assert "--store" in caught.value.cure
    assert other.is_taken()
    other.wish("threshold", 0.5)
    assert store.wishes() == [("threshold", 0.5)]
    assert store.wishes() == []
    with in_process(WRITER, record_kept.file, 1) as writer:
        assert writer.stdout.read() == ""
    assert [place.url for place in other.queued()] == [SEED.url]
    store.close()
    other.save(Batch(pages=(fetched(0),)))
    assert list(other.known()) == [SEED.url]


def test_a_save_that_fails_midway_leaves_nothing(store, record_kept):
    before = snapshot(store)
    last = LinkRecord(page_url(4), "", "", 0.5, 2**70)  # more than SQLite holds; the pages are written by then
    with pytest.raises(OverflowError):
        store.save(Batch(pages=(fetched(0, links=(link(1, None), last)),)))
    assert snapshot(record_kept.again()) == snapshot(store) == before
    store.save(Batch(pages=(fetched(0),)))
    assert list(record_kept.again().known()) == [SEED.url]


def test_every_reference_leads_to_a_row(store):
    for batch in random_batches(random.Random(1)):
        store.save(batch)
        store.save(Batch(copies=(CopyRecord(batch.pages[4].url, batch.pages[0].url),), counters=batch.counters))
    assert list(store.read("PRAGMA foreign_key_check")) == []


def test_imported_pages_are_found_on_the_first_that_links(store):
    """0 links to 1, 1 and 2 link to each other, nothing links to 3, and a page read later does not count."""
    pages = [
        fetched(0, links=(link(1, None),)),
        fetched(1, links=(link(2, None), link(0, None))),
        fetched(2, links=(link(1, None), link(4, 0.5)), new=()),
        fetched(3, links=(link(3, None),)),
    ]
    store.open_crawl(CRAWL, CONCEPTS, [SEED._replace(url=page_url(n)) for n in range(4)])
    store.save(Batch(pages=tuple(replace(page, order=n) for n, page in enumerate(pages, 1))))
    for _ in range(2):
        assert store.find_ways() == 2
        found = {
            row["url"]: (row["above"], row["depth"])
            for row in store.read(
                "SELECT pages.url, pages.depth, parents.url AS above FROM pages LEFT JOIN pages AS parents "
                "ON parents.id = pages.parent WHERE pages.status = 'fetched'"
            )
        }
        assert found == {
            page_url(0): (None, 0),
            page_url(1): (page_url(0), 1),
            page_url(2): (page_url(1), 2),
            page_url(3): (None, 0),
        }


def test_what_was_asked_of_an_archive_does_not_count(store):
    assert open_record(":memory:").requested() == (0, 0)
    store.save(Batch(counters=Counters(requests=7, inversions=2)))
    store.keep_requested(3, 1)
    assert store.requested() == (3, 1)


@pytest.mark.parametrize("content", ["this is no database, and long enough to be taken for one\n" * 40, "short"])
def test_a_file_of_another_kind_is_refused_and_left_alone(file, content):
    file.write_text(content)
    with pytest.raises(StoreError, match="is not the record of a crawl"):
        open_record(file)
    assert file.read_text() == content


def test_another_program_s_database_is_refused_and_left_alone(file):
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
    other.close()
    before = file.read_bytes()
    with pytest.raises(StoreError, match="is not the record of a crawl"):
        open_record(file)
    assert file.read_bytes() == before


def test_a_newer_version_s_record_is_refused(store, record_kept):
    store.close()
    with sqlite3.connect(record_kept.file) as newer:
        assert newer.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
        newer.execute(f"PRAGMA user_version = {VERSION + 1}")
    newer.close()
    with pytest.raises(StoreError, match="made by a newer version"):
        record_kept.again()


def test_a_missing_record_is_made_only_if_wanted(file):
    for make in (lambda: None, file.touch):
        make()
        with pytest.raises(StoreError, match="there is no store at") as caught:
            open_record(file, create=False)
        assert "crawl" in caught.value.cure
        assert list(file.parent.glob("*.sqlite?*")) == []
    open_record(file).close()
    open_record(file, create=False).close()


def test_a_record_is_its_owner_s_alone(tmp_path):
    file = tmp_path / "new" / "folder" / "crawl.sqlite"
    open_record(file).open_crawl(CRAWL, CONCEPTS, [SEED])
    files = [file, *file.parent.glob("crawl.sqlite-*")]
    assert {path.name[12:] for path in files} == {"", "-lock", "-shm", "-wal"}
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


@pytest.mark.parametrize("name", ["file/crawl.sqlite", "n" * 300, "."])
def test_a_path_of_no_file_is_a_users_mistake(tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be used"):
        open_record(tmp_path / name)


def test_damage_is_told_with_the_next_step(store, record_kept):
    store.save(Batch(pages=tuple(fetched(n, links=tuple(link(m, 0.5) for m in range(90))) for n in range(40))))
    store.close()
    size = record_kept.file.stat().st_size
    with record_kept.file.open("r+b") as damaged:
        damaged.seek(4096)
        damaged.write(b"\xff" * (size - 4096))
    with pytest.raises(StoreError, match="is damaged") as caught:
        list(record_kept.again().queued())
    assert ".recover" in caught.value.cure


def test_a_full_disk_is_told_and_saving_goes_on_later():
    store = open_record(":memory:")
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    (used,) = (row["page_count"] for row in store.read("PRAGMA page_count"))
    batch = Batch(pages=(replace(fetched(0), content=bytes(100_000)),))
    list(store.read(f"PRAGMA max_page_count = {used + 2}"))
    with pytest.raises(StoreError, match="the disk is full") as caught:
        store.save(batch)
    assert "goes on" in caught.value.cure
    assert list(store.known()) == []
    list(store.read(f"PRAGMA max_page_count = {used + 200}"))
    store.save(batch)
    assert list(store.known()) == [SEED.url]


def test_a_file_that_may_not_grow_is_told(store, record_kept):
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, most))
    try:
        with pytest.raises(StoreError, match="cannot be read or written"):
            store.save(Batch(pages=(replace(fetched(0), content=bytes(10**6)),)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    assert list(record_kept.again().known()) == []


def test_another_program_s_lock_is_waited_for_and_told(file):
    store = SqliteStore(Database(file, patience=0.05))
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreAway, match="locked by another program"):
        store.save(Batch(pages=(fetched(0),)))
    assert [place.url for place in store.queued()] == [SEED.url]
    other.close()
    store.save(Batch(pages=(fetched(0),)))
    assert list(store.known()) == [SEED.url]
    store.close()


def test_a_removed_or_replaced_file_is_noticed_by_a_save(store, record_kept):
    record_kept.file.unlink()
    for make in (lambda: None, record_kept.file.touch):
        make()
        with pytest.raises(StoreError, match="was removed while it was in use"):
            store.save(Batch(pages=(fetched(0),)))


def test_a_closed_record_may_be_closed_again(store):
    reading = store.waiting()
    next(reading)
    for _ in range(2):
        store.close()
    reading.close()


@pytest.mark.parametrize("name", FILES)
def test_every_statement_is_found_and_fits_the_schema(name):
    statements, store = sql(name), open_record(":memory:")
    text = (FOLDER / f"{name}.sql").read_text("utf-8")
    code = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("--"))
    assert len(statements) == text.count("-- name:") == code.count(";")
    for statement in statements.values():
        list(store.read(f"EXPLAIN {statement}", nothing_for(statement)))


@pytest.mark.parametrize(
    ("scan", "reading"),
    [
        (
            r"SCAN pages$|SCAN pages .*autoindex",
            {"waiting", "waiting_addresses", "sites", "news", "fetched", "missed"},
        ),  # of the queue, or for the lab
        ("SCAN links", {"found_on"}),  # the ways to imported pages
    ],
)
def test_few_statements_go_through_all_pages_or_links(scan, reading):
    store = open_record(":memory:")
    found = {
        name
        for file in FILES
        if file != "export"  # of everything
        for name, statement in sql(file).items()
        for row in store.read(f"EXPLAIN QUERY PLAN {statement}", nothing_for(statement))
        if re.search(scan, row["detail"])
    }
    assert found == reading
