"""The embedded store's journal: what a crash leaves of it, what is lost of it, and when its files go."""

import errno
import json
import os
import signal
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, shown

from graphdb.embedded import embedded_store, journal
from graphdb.embedded.file_sizes import damage
from graphdb.embedded.journal import JournalReader, JournalWriter, State, journal_files, read_state, unpacked
from graphdb.embedded.journal_filling import Filling
from graphdb.graph import graph_store
from graphdb.store_folder import SERVER
from graphdb.stores import open_store
from ontology.errors import StoreError
from ontology.messages import message
from semantic.records import Batch, CopyRecord, Counters, JudgedRecord

BATCH = Batch(pages=(fetched(0, links=(link(1, 0.5),)),), counters=Counters(pages=1, seconds=1.5), memory=b"\x00\xff")


def written(folder: Path, *batches: Batch, record: int = 0) -> Path:
    """A file of the journal with these batches."""
    writer = JournalWriter(folder, record)
    for batch in batches:
        writer.append(batch)
    writer.close()
    return journal_files(folder)[-1]


def read(folder: Path, record: int = 0) -> list[Batch]:
    return [unpacked(payload) for payload in JournalReader(folder, record)]


def test_what_was_appended_is_read_back_the_same(tmp_path):
    written(tmp_path, BATCH, Batch())
    written(tmp_path, Batch(memory=b"later"), record=2)
    assert read(tmp_path) == [BATCH, Batch(), Batch(memory=b"later")]
    assert read(tmp_path, 2) == [Batch(memory=b"later")]


def test_a_file_that_cannot_be_opened_now_loses_nothing(tmp_path, monkeypatch):
    """Too many files are open just when the next file of the journal is due: the batch is appended later."""
    monkeypatch.setattr(journal, "FILE_BYTES", 1)
    writer = JournalWriter(tmp_path, 0)
    writer.append(BATCH)
    open_file = os.open
    for left in (0, 1):  # so many files may still be opened
        monkeypatch.setattr(os, "open", lambda *given, left=[left]: limited(left, open_file, *given))
        with pytest.raises(OSError, match="too many"):
            writer.append(Batch(memory=b"later"))
    monkeypatch.setattr(os, "open", open_file)
    writer.append(Batch(memory=b"later"))
    writer.close()
    assert read(tmp_path) == [BATCH, Batch(memory=b"later")]


def limited(left, open_file, *given):
    left[0] -= 1
    if left[0] < 0:
        raise OSError(errno.EMFILE, "too many open files")
    return open_file(*given)


def test_a_message_is_kept_as_its_text(tmp_path):
    said = message("{host} is away", host="a.example")
    written(tmp_path, replace(BATCH, pages=(replace(fetched(0), title=said),)))
    assert read(tmp_path)[0].pages[0].title == "a.example is away"


def test_a_reader_goes_on_as_records_come(tmp_path):
    reader = JournalReader(tmp_path, 0)
    assert list(reader) == []
    written(tmp_path, BATCH)
    assert len(list(reader)) == reader.record == 1
    written(tmp_path, BATCH, record=1)
    assert len(list(reader)) == 1
    assert reader.record == 2


def test_a_record_that_a_crash_cut_off_does_not_count(tmp_path):
    path = written(tmp_path, BATCH, BATCH)
    whole = path.stat().st_size
    for size in range(whole // 2, whole):
        os.truncate(path, size)
        assert len(read(tmp_path)) == 1
    written(tmp_path, Batch(memory=b"next"), record=1)
    assert read(tmp_path) == [BATCH, Batch(memory=b"next")]


def test_a_first_record_cut_off_is_written_over(tmp_path):
    os.truncate(written(tmp_path, BATCH), 20)
    written(tmp_path, Batch(memory=b"again"))
    assert read(tmp_path) == [Batch(memory=b"again")]


def test_zeros_after_a_power_cut_are_no_record(tmp_path):
    path = written(tmp_path, BATCH)
    os.truncate(path, path.stat().st_size + 4096)
    assert read(tmp_path) == [BATCH]


def test_damage_before_the_last_record_is_told(tmp_path):
    path = written(tmp_path, BATCH, BATCH)
    path.write_bytes(path.read_bytes().replace(b"page 0", b"page X", 1))
    with pytest.raises(StoreError, match="damaged"):
        read(tmp_path)


@pytest.mark.parametrize("lost", [0, 1])
def test_a_file_that_is_missing_is_told(tmp_path, lost):
    for record in range(3):
        written(tmp_path, BATCH, record=record)
    journal_files(tmp_path)[lost].unlink()
    with pytest.raises(StoreError, match="missing"):
        read(tmp_path)


def test_text_that_utf8_cannot_hold_is_kept_cleaned(tmp_path):
    written(tmp_path, Batch(pages=(replace(fetched(0), title="a\ud800b", content=b"\xff"),)))
    (batch,) = read(tmp_path)
    assert (batch.pages[0].title, batch.pages[0].content) == ("a\ufffdb", b"\xff")


@pytest.mark.slow
def test_a_killed_server_s_journal_is_in_the_next_graph(tmp_path):
    """Opened by who only asks; the graph has it once, and the journal is empty after that."""
    folder = tmp_path / "store"
    store = open_store(str(folder))
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    store.save(BATCH)
    store.wait_until_filled()
    pid = json.loads((folder / SERVER).read_text())["pid"]
    os.kill(pid, signal.SIGSTOP)
    for number in range(1, 9):
        store.save(
            Batch(pages=(fetched(number, parent=0, links=(link(number + 1, 0.4),)),), counters=Counters(pages=number))
        )
    os.kill(pid, signal.SIGKILL)
    store.close()
    assert sum(path.stat().st_size for path in journal_files(folder))
    store = open_store(str(folder), create=False)
    assert set(store.known()) == {page_url(number) for number in range(9)}
    pages = store.query("MATCH (c:Crawl) RETURN c.pages AS pages").rows[0]["pages"]
    assert (pages, len(list(store.queued()))) == (8, 1)
    store.close()
    assert [path.stat().st_size for path in journal_files(folder)] == [0]
    assert not damage(folder)  # what was removed is not missed


def test_the_graph_is_never_further_behind_than_allowed(embedded_folder, embedded_kept, monkeypatch):
    monkeypatch.setattr(embedded_store, "BEHIND_BYTES", 1)
    store = embedded_kept.store
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    before = read_state(embedded_folder).filled
    for saved_before in range(5):
        store.save(BATCH)
        assert read_state(embedded_folder).filled >= before + saved_before


def test_a_graph_that_stays_far_behind_is_told_once(embedded_folder, embedded_kept, monkeypatch):
    monkeypatch.setattr(embedded_store, "BEHIND_BYTES", 1)
    monkeypatch.setattr(embedded_store, "TELL_SECONDS", 0.0)
    server = json.loads((embedded_folder / SERVER).read_text())["pid"]
    told: list[str] = []
    with closing(open_store(str(embedded_folder), tell=told.append)) as store:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        told.clear()
        for _ in range(3):  # the first has nothing before it
            os.kill(server, signal.SIGSTOP)
            threading.Timer(0.2, os.kill, (server, signal.SIGCONT)).start()
            store.save(BATCH)
    assert len(told) == 1


@pytest.mark.slow
def test_a_lost_journal_makes_the_store_damaged(tmp_path):
    folder = tmp_path / "store"
    store = open_store(str(folder))
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    store.save(BATCH)
    store.wait_until_filled()
    store.close()
    for path in journal_files(folder):
        path.unlink()
    with pytest.raises(StoreError, match="damaged"):
        open_store(str(folder), create=False)


def test_an_ending_server_undoes_its_transaction_and_leaves_the_journal(tmp_path):
    """The graph is asked to stop by its third statement."""
    writer = JournalWriter(tmp_path, 0)
    filling = Filling(tmp_path, lambda: graph)
    end = threading.Thread(target=filling.stop)
    graph = StoppedInBetween(end)
    filling.start()
    writer.append(BATCH)
    assert graph.undone.wait(60)
    end.join()
    assert graph.statements == 3
    assert read_state(tmp_path) == State(0, "")
    assert read(tmp_path) == [BATCH]


class StoppedInBetween:
    """A graph that has nothing, whose server is told to end by its third statement."""

    has_labels = False

    def __init__(self, end):
        self.end, self.statements, self.undone = end, 0, threading.Event()

    def write(self, work):
        try:
            return work(self.run)
        except BaseException:
            self.undone.set()
            raise

    def run(self, statement, **parameters):
        self.statements += 1
        if self.statements == 3:
            self.end.start()
            self.end.join(0.5)  # it cannot end before this statement does
        return []

    def read(self, statement, **parameters):
        return iter(())

    def close(self):
        pass


@pytest.mark.parametrize("most", [1, 1000])
def test_many_new_judgements_are_filled_in_parts(embedded_kept, monkeypatch, most):
    """Page 1 is judged again and becomes a copy after that."""
    store = embedded_kept.store
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    monkeypatch.setattr(graph_store, "RENEWED_AT_ONCE", most)
    judged = tuple(JudgedRecord(page_url(n), n / 10, n > 1, shown("anew")) for n in range(4))
    copies = (CopyRecord(page_url(1), page_url(2), shown("the same")),)
    pages = tuple(fetched(n) for n in range(4))
    graph_store.fill(store.connection, [Batch(pages=pages), Batch(judged=judged, copies=copies)], 2)
    found = {row["url"]: (row["relevance"], row["on_topic"]) for row in store.query(JUDGED).rows}
    assert found == {
        page_url(0): (0.0, False),
        page_url(1): (0.1, False),
        page_url(2): (0.2, True),
        page_url(3): (0.3, True),
    }
    assert graph_store.filled_up_to(store.connection) == 2
    graph_store.fill(store.connection, [Batch(judged=(JudgedRecord(page_url(3), 0.9, True, ()),))], 2)
    assert {row["url"]: row["relevance"] for row in store.query(JUDGED).rows}[page_url(3)] == 0.3


JUDGED = "MATCH (p:Page) RETURN p.url AS url, p.relevance AS relevance, p.on_topic AS on_topic"
