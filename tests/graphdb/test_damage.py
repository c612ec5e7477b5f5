"""Stores whose files were cut off or removed: each is told, and none is opened as a smaller one."""

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link

from graphdb.embedded.file_sizes import GROWING, damage, note_sizes
from graphdb.embedded.journal import journal_files, new_file
from graphdb.embedded.journal_filling import remove
from graphdb.file_locks import is_owned
from graphdb.store_folder import DATABASE, JOURNAL, LOG, SERVER, SIZES, prepare
from graphdb.stores import Store, open_store
from ontology.errors import StoreError
from semantic.records import Batch

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
COUNT = "MATCH (p:Page) RETURN count(p) AS pages"


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A store that was closed in order."""
    folder = tmp_path_factory.mktemp("whole") / "store"
    store = open_store(str(folder))
    fill(store)
    store.close()
    return folder


def fill(store: Store) -> None:
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    store.save(Batch(pages=(fetched(0, links=(link(1, 0.5),)),)))
    store.wait_until_filled()


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "store")


def named(folder: Path, pattern: str) -> Path:
    return next((folder / DATABASE).glob(pattern))


def cut(folder: Path, pattern: str, size: Callable[[int], int]) -> None:
    path = named(folder, pattern)
    os.truncate(path, size(path.stat().st_size))


def told(folder: Path) -> StoreError:
    """What is said of the store, the second time it is opened too."""
    for _ in range(2):
        with pytest.raises(StoreError, match=f"{folder.name} is damaged") as caught:
            open_store(str(folder), create=False)
    assert "\n" not in str(caught.value)
    assert "another --store" in caught.value.cure
    return caught.value


def pages(folder: Path) -> object:
    store = open_store(str(folder), create=False)
    try:
        return store.query(COUNT).rows[0]["pages"]
    finally:
        store.close()


@pytest.mark.parametrize("pattern", ["Page_0.*.bucket", "LINKS_TO_0.*.bucket", "*.dict", "*.umtidx", "schema.json"])
@pytest.mark.parametrize("left", [lambda size: 0, lambda size: size // 2, None], ids=["empty", "half", "removed"])
def test_a_file_that_is_cut_off_or_gone_is_named(folder, pattern, left):
    path = named(folder, pattern)
    assert path.stat().st_size > 0
    if left is None:
        path.unlink()
    else:
        cut(folder, pattern, left)
    assert damage(folder).startswith(path.name)


@pytest.mark.parametrize("gone", ["databases", DATABASE])
def test_a_store_without_its_database_is_no_new_one(folder, gone):
    shutil.rmtree(folder / gone)
    assert "is missing, and" in str(told(folder))
    assert not (folder / gone).exists()


def test_a_repaired_store_opens_and_unneeded_files_are_not_missed(folder, whole):
    (bucket,) = (folder / DATABASE).glob("Page_0.*.bucket")
    cut(folder, "Page_0.*.bucket", lambda size: size - 1)
    assert re.search(rf"{bucket.name} .*\b65,535 of 65,536 bytes", str(told(folder)))
    shutil.rmtree(folder)
    shutil.copytree(whole, folder)
    for name in ("statistics.json", "last-tx-id.bin", "schema.prev.json"):
        named(folder, name).unlink()
    assert pages(folder) == 2


def test_after_a_server_s_death_only_growing_files_are_compared(folder):
    """An index may have been made anew under another name, a schema be half written."""
    store = open_store(str(folder), create=False)
    noted = json.loads((folder / SIZES).read_text())
    os.kill(json.loads((folder / SERVER).read_text())["pid"], signal.SIGKILL)
    store.close()
    assert {Path(name).suffix or Path(name).parent.name for name in noted} == {".bucket", ".dict", JOURNAL}
    cut(folder, "Page_0.*.bucket", lambda size: size - 1)
    assert damage(folder)


def test_what_a_server_wrote_before_its_death_is_examined_too(tmp_path):
    folder = tmp_path / "store"
    prepare(folder, create=True)
    code = (
        "import sys; from pathlib import Path; from graphdb.embedded import server_process as c; c.NOTE_SECONDS = 0.1; "
    )
    command = [sys.executable, "-c", f"{code}c.main(Path(sys.argv[1]))", str(folder)]
    with (folder / LOG).open("wb") as log:
        server = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    while not ((folder / SERVER).exists() and is_owned(folder / SERVER)):
        assert server.poll() is None
    store = open_store(str(folder))
    fill(store)
    deadline = time.monotonic() + 30
    while not (json.loads((folder / SIZES).read_text()).get(named(folder, "Page_0.*.bucket").name)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    server.kill()
    server.wait()
    store.close()
    cut(folder, "Page_0.*.bucket", lambda size: size - 1)
    assert damage(folder)


def test_a_journal_file_removed_during_the_comparison_is_not_missed(tmp_path):
    (tmp_path / JOURNAL).mkdir()
    stopping = threading.Event()

    def serve() -> None:
        former: Path | None = None
        for record in itertools.count(1):
            newest = new_file(tmp_path, record)
            note_sizes(tmp_path, GROWING)
            remove([former] if former else [])
            former = newest
            if stopping.is_set():
                return

    server = threading.Thread(target=serve)
    server.start()
    found = {damage(tmp_path) for _ in range(3_000)}
    stopping.set()
    server.join()
    assert found == {""}
    remove(journal_files(tmp_path))
    assert damage(tmp_path)


def test_a_store_whose_sizes_were_not_written_down_is_opened(folder):
    (folder / SIZES).unlink()
    assert not damage(folder)
    (folder / SIZES).write_text('{"half')
    assert pages(folder) == 2
    cut(folder, "Page_0.*.bucket", lambda size: 0)
    assert damage(folder)


def test_the_command_says_it_in_two_lines(folder):
    shutil.rmtree(folder / DATABASE)
    command = [sys.executable, "-c", "from cli.main import main; main()", "status", "--store", str(folder)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "is damaged" in ended.stderr
    assert len(ended.stderr.splitlines()) == 2


def test_damage_and_a_full_disk_are_told_with_the_cure(folder):
    """Garbage in an index: a statement fails. Garbage in the configuration: the server does not start."""
    database = folder / DATABASE
    for path in database.glob("*idx"):
        path.write_bytes(bytes(range(256)) * (path.stat().st_size // 256))
    store = open_store(str(folder))
    try:
        with pytest.raises(StoreError) as refused:
            store.open_crawl(CRAWL, CONCEPTS, [SEED])
    finally:
        store.close()
    (database / "configuration.json").write_text('{"half')
    with pytest.raises(StoreError) as broken:
        open_store(str(folder))
    assert all("damaged" in error.value.cure and "\n" not in str(error.value) for error in (refused, broken))


def test_a_question_that_meets_damage_inside_a_file_says_so(folder):
    path = named(folder, "LINKS_TO_0.*.bucket")
    path.write_bytes(bytes(range(256)) * (path.stat().st_size // 256))
    store = open_store(str(folder), create=False)
    try:
        with pytest.raises(StoreError) as caught:
            store.query("MATCH (:Page)-[l:LINKS_TO]->() RETURN l.anchor")
    finally:
        store.close()
    assert "damaged" in caught.value.cure
