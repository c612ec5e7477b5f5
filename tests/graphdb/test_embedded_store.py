"""The embedded store's server: who starts it, who shares it, and that nothing of it is left behind."""

import errno
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link

from graphdb import store_folder
from graphdb.embedded import embedded_store
from graphdb.embedded.embedded_store import SAVING_NICE
from graphdb.embedded.journal import State
from graphdb.file_locks import Lock
from graphdb.store_folder import prepare
from graphdb.stores import open_store, serve_soon
from ontology.errors import StoreError
from semantic.records import Batch

pytestmark = pytest.mark.slow

TURN_SECONDS = 0.2  # the kernel lets a user change a session's level every 0.1 s
WRITER = f"""
import sys
sys.path[:0] = [{str(Path(__file__).resolve().parents[1])!r}, {str(Path(__file__).resolve().parents[2])!r}]
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched
from graphdb.stores import open_store
from semantic.records import Batch
store = open_store(sys.argv[1])
store.open_crawl(CRAWL, CONCEPTS, [SEED])
for number in range(10**9):
    store.save(Batch(pages=(fetched(number), fetched(-number - 1))))
    print(number, flush=True)
"""


def server_of(folder: Path) -> dict[str, int]:
    return json.loads((folder / "server.json").read_text())


def gone(pid: int, seconds: float = 30) -> bool:
    """Whether the process ends (a zombie has ended) within some time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
            os.kill(pid, 0)
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


def test_a_killed_writer_leaves_no_server_and_loses_nothing_acknowledged(tmp_path):
    folder = tmp_path / "store"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    acknowledged = [int(writer.stdout.readline()) for _ in range(5)]
    server = server_of(folder)
    writer.send_signal(signal.SIGKILL)
    acknowledged += [int(line) for line in writer.stdout if line.endswith("\n")]
    writer.wait()
    writer.stdout.close()
    assert gone(server["pid"])
    store = open_store(str(folder), create=False)
    again = server_of(folder)
    known = set(store.known())
    # then the server itself is killed: what it has left behind, server.json and all, keeps nobody out
    os.kill(again["pid"], signal.SIGKILL)
    assert gone(again["pid"])
    assert server_of(folder) == again
    with pytest.raises(StoreError, match="does not answer"):
        store.query("RETURN 1")
    store.close()
    store = open_store(str(folder), create=False)
    assert set(store.known()) == known
    store.close()
    pairs = {int(url.rpartition("/")[2]) for url in known}
    assert set(acknowledged) <= pairs
    assert {-number - 1 for number in pairs if number >= 0} == {number for number in pairs if number < 0}


def test_many_users_share_one_server_that_ends_with_the_last(tmp_path):
    folder = tmp_path / "store"
    with ThreadPoolExecutor(3) as threads:
        stores = list(threads.map(lambda _: open_store(str(folder)), range(3)))
    pid = server_of(folder)["pid"]
    assert len({store.address().uri for store in stores}) == 1
    assert stat.S_IMODE((folder / "password").stat().st_mode) == 0o600
    assert stores[0].address().password_file == folder / "reader-password"
    assert others_may(folder) == []
    stores[0].open_crawl(CRAWL, CONCEPTS, [SEED])
    stores[0].close()
    stores[1].close()
    stores[2].open_crawl(CRAWL, CONCEPTS, [SEED])
    stores[2].save(Batch(pages=(fetched(0),)))
    assert list(stores[2].known()) == [SEED.url]
    stores[2].close()
    assert gone(pid)


def test_a_server_begun_early_is_used_or_ends_unused(tmp_path):
    folder = tmp_path / "store"
    serve_soon(str(folder))()  # none is there: nothing is made, nothing started
    assert not folder.exists()
    prepare(folder, create=True)
    before = children()
    take_back = serve_soon(str(folder))
    (pid,) = children() - before
    take_back()
    assert gone(pid)
    before = children()
    take_back = serve_soon(str(folder), brief=True)
    (pid,) = children() - before
    store = open_store(str(folder), create=False)
    assert server_of(folder)["pid"] == pid
    assert b"brief" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    take_back()
    assert store.query("RETURN 1 AS one").rows == ({"one": 1},)
    store.close()
    assert gone(pid)


def test_a_store_made_early_is_used_or_removed(tmp_path):
    folder = tmp_path / "new" / "store"
    before = children()
    take_back = serve_soon(str(folder), create=True)
    (pid,) = children() - before
    take_back()
    assert gone(pid, 1)
    assert list(tmp_path.iterdir()) == []
    take_back = serve_soon(str(folder), create=True)
    store = open_store(str(folder))
    take_back()
    assert store.query("RETURN 1 AS one").rows == ({"one": 1},)
    store.close()
    (tmp_path / "empty").mkdir()
    serve_soon(str(tmp_path / "empty"), create=True)()
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_store_made_early_stays_if_another_process_uses_it(tmp_path):
    take_back = serve_soon(str(tmp_path / "store"), create=True)
    other = Lock(tmp_path / "store" / store_folder.CLIENTS)
    assert other.share()
    take_back()
    other.release()
    open_store(str(tmp_path / "store"), create=False).close()


def test_a_wait_for_a_starting_server_is_told_once(tmp_path, monkeypatch):
    monkeypatch.setattr(embedded_store, "TELL_SECONDS", 0.0)
    told: list[str] = []
    open_store(str(tmp_path / "store"), tell=told.append).close()
    assert len(told) == 1


def children() -> set[int]:
    """The processes that this one has started."""
    return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


def others_may(folder: Path) -> list[Path]:
    """What of a store other users of the machine can read, write or enter."""
    return [path for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077]


def test_a_store_of_before_is_closed_to_other_users(tmp_path):
    folder = tmp_path / "store"
    before = os.umask(0)
    try:
        prepare(folder, create=True)
        (folder / "databases" / "crawl").mkdir(parents=True)
        (folder / "databases" / "crawl" / "Page_0.bucket").touch()
    finally:
        os.umask(before)
    folder.chmod(0o755)
    (folder / "reader-password").unlink()
    assert len(others_may(folder)) == 4
    prepare(folder, create=False)
    assert others_may(folder) == []
    assert len((folder / "reader-password").read_text()) >= 32


def test_a_save_notices_removals_and_nothing_makes_them_again(tmp_path):
    folder, aside = tmp_path / "store", tmp_path / "aside"
    store = open_store(str(folder))
    server = server_of(folder)
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    store.save(Batch(pages=(fetched(0),)))
    (folder / "databases").rename(aside)
    with pytest.raises(StoreError, match="was damaged while it was in use") as damaged:
        store.save(Batch(pages=(fetched(1),)))
    shutil.rmtree(folder)
    with pytest.raises(StoreError, match="was removed while it was in use") as removed:
        store.save(Batch(pages=(fetched(2),)))
    store.close()
    assert all("copy" in told.value.cure for told in (damaged, removed))
    assert gone(server["pid"])
    assert not folder.exists()


def test_a_store_another_process_is_making_is_one(tmp_path, monkeypatch):
    def made_meanwhile(folder, listing=Path.iterdir):
        for name in (store_folder.MARK, store_folder.SERVER):
            (folder / name).touch()
        return listing(folder)

    monkeypatch.setattr(Path, "iterdir", made_meanwhile)
    prepare(tmp_path, create=True)


def test_a_password_is_random_and_private_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        for name in ("one", "two"):
            prepare(tmp_path / name, create=True)
    finally:
        os.umask(before)
    files = [tmp_path / name / file for name in ("one", "two") for file in ("password", "reader-password")]
    passwords = {file.read_text() for file in files}
    assert len(passwords) == 4
    assert min(map(len, passwords)) >= 32
    assert others_may(tmp_path / "one") == others_may(tmp_path / "two") == []


def test_the_password_stands_in_one_file_and_nowhere_else(embedded_folder, embedded_kept):
    """Not in a process list or environment, not in logs or the engine's own files, not in a message."""
    embedded_kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    embedded_kept.store.save(Batch(pages=(fetched(0),)))
    with pytest.raises(StoreError) as told:
        embedded_kept.store.query("NO CYPHER")
    for file in (embedded_folder / "password", embedded_folder / "reader-password"):
        assert_secret(embedded_folder, file, str(told.value) + repr(embedded_kept.address))


def assert_secret(embedded_folder: Path, file: Path, told: str) -> None:
    secret = file.read_bytes()
    held = [path for path in embedded_folder.rglob("*") if path.is_file() and secret in path.read_bytes()]
    assert held == [file]
    seen = [path for path in Path("/proc").glob("[0-9]*/cmdline") if secret in _read(path)]
    seen += [path for path in [Path(f"/proc/{server_of(embedded_folder)['pid']}/environ")] if secret in _read(path)]
    assert seen == []
    assert secret.decode() not in told


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # the process has ended
        return b""


def test_a_second_crawl_is_refused_while_one_writes(embedded_folder, embedded_kept):
    first, second = (open_store(str(embedded_folder)) for _ in range(2))
    first.open_crawl(CRAWL, CONCEPTS, [SEED])
    with pytest.raises(StoreError, match="another crawl is writing"):
        second.open_crawl(CRAWL, CONCEPTS, [SEED])
    first.save(Batch(pages=(fetched(0),)))
    with pytest.raises(StoreError, match="another crawl is writing"):
        second.mark({fetched(0).url: True})
    assert second.marks() == {}
    first.close()
    assert second.open_crawl(CRAWL, CONCEPTS, [SEED]).previous == CRAWL
    second.close()


def test_the_server_listens_on_this_machine_only(embedded_folder):
    pid = server_of(embedded_folder)["pid"]
    inodes = {
        os.readlink(link)[8:-1]
        for link in Path(f"/proc/{pid}/fd").iterdir()
        if link.is_symlink() and os.readlink(link).startswith("socket:")
    }
    listening = [
        line.split()
        for table in ("tcp", "tcp6")
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
    ]
    addresses = [row[1].partition(":")[0] for row in listening if row[3] == "0A" and row[9] in inodes]
    assert addresses
    assert set(addresses) <= {"0100007F", "0000000000000000FFFF00000100007F"}


def test_a_second_process_reads_while_the_first_writes(embedded_folder, embedded_kept):
    embedded_kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    code = "import sys; from graphdb.stores import open_store; s = open_store(sys.argv[1], create=False)\n"
    code += "print(s.query('MATCH (p:Page) RETURN p.url AS url').rows[0]['url']); s.close()"
    root = Path(__file__).resolve().parents[2]
    asked = subprocess.run(
        [sys.executable, "-c", code, str(embedded_folder)], cwd=root, capture_output=True, text=True, check=True
    )
    assert asked.stdout.strip() == SEED.url
    assert [q.url for q in embedded_kept.store.queued()] == [SEED.url]


def test_a_folder_of_other_files_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(StoreError, match="other files") as caught:
        open_store(str(tmp_path))
    assert caught.value.cure
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_newer_version_s_store_is_refused_and_left_alone(tmp_path):
    prepare(tmp_path / "store", create=True)
    mark = tmp_path / "store" / store_folder.MARK
    mark.write_text(mark.read_text().replace(f"version {store_folder.VERSION}", f"version {store_folder.VERSION + 1}"))
    with pytest.raises(StoreError, match="a newer version") as caught:
        open_store(str(tmp_path / "store"))
    assert "another --store" in caught.value.cure
    assert not (tmp_path / "store" / store_folder.LOG).exists()


def test_a_store_of_before_versions_were_written_is_one(tmp_path):
    prepare(tmp_path / "store", create=True)
    (tmp_path / "store" / store_folder.MARK).write_text("An ontocrawl store (ArcadeDB).")
    prepare(tmp_path / "store", create=False)


def test_a_file_is_no_store(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="is a file"):
        open_store(str(tmp_path / "file"))


def test_a_question_does_not_make_a_store_that_is_missing(tmp_path):
    with pytest.raises(StoreError, match="no store at"):
        open_store(str(tmp_path / "nowhere"), create=False)
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_begun_and_not_finished_becomes_a_store(tmp_path):
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "password").write_text("half a beginning")
    store_folder.prepare(folder, create=True)
    assert (folder / store_folder.MARK).is_file()
    assert (folder / "password").read_text() == "half a beginning"


def test_a_password_left_empty_by_a_full_disk_is_rewritten(tmp_path, monkeypatch):
    folder = tmp_path / "store"

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match="the disk is full"):
            store_folder.prepare(folder, create=True)
    assert list(folder.iterdir()) == []
    (folder / "password").touch()  # as programs of before left it
    store_folder.prepare(folder, create=True)
    assert len((folder / "password").read_text()) > 20
    assert stat.S_IMODE((folder / "password").stat().st_mode) == 0o600
    assert sorted(path.name for path in folder.iterdir()) == [store_folder.MARK, "password", "reader-password"]


def test_a_store_that_cannot_be_written_is_a_users_mistake(tmp_path):
    folder = tmp_path / "store"
    store_folder.prepare(folder, create=True)
    (folder / "clients.lock").mkdir()
    with pytest.raises(StoreError, match="cannot be used: it is a folder: ") as error:
        open_store(str(folder))
    assert "owner" in error.value.cure


@pytest.mark.parametrize("is_killed", [False, True])
def test_a_server_whose_engine_never_starts_ends_on_sigterm_too(tmp_path, is_killed):
    """As where the engine asks for a password on its terminal."""
    folder = tmp_path / "store"
    store_folder.prepare(folder, create=True)
    hung = "from graphdb.embedded import server_process as s; import sys, time, pathlib; "
    hung += "s.serve = lambda *given: time.sleep(300)"
    client = Lock(folder / "clients.lock")
    assert client.share()
    server = subprocess.Popen([sys.executable, "-c", f"{hung}; s.main(pathlib.Path(sys.argv[1]))", str(folder)])
    while not (folder / "server.json").exists():
        time.sleep(0.05)
    time.sleep(0.5)
    assert server.poll() is None
    if is_killed:
        server.terminate()
    else:
        client.release()
    assert server.wait(20) != 0
    if is_killed:
        client.release()


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="needs Linux with groups of processes by session")
def test_a_server_stands_back_while_a_crawl_saves_without_asking(embedded_folder, embedded_kept):
    def level() -> int:
        return int(Path(f"/proc/{server_of(embedded_folder)['pid']}/autogroup").read_text().split()[-1])

    store = embedded_kept.store
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    assert level() == 0
    store.save(Batch(pages=(fetched(0),)))
    assert level() == SAVING_NICE
    store.link_graph()
    assert level() == SAVING_NICE  # the crawl goes on meanwhile
    time.sleep(TURN_SECONDS)
    store.link_graph(is_awaited=True)
    assert level() == 0
    time.sleep(TURN_SECONDS)
    store.save(Batch(pages=(fetched(2),)))
    assert level() == SAVING_NICE
    time.sleep(TURN_SECONDS)
    assert list(store.known())
    assert level() == 0
    time.sleep(TURN_SECONDS)
    store.save(Batch(pages=(fetched(1),)))
    time.sleep(TURN_SECONDS)
    embedded_kept.reopened()
    assert level() == 0


def test_a_closed_store_is_not_waited_for(embedded_kept, monkeypatch):
    store = embedded_kept.store
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    monkeypatch.setattr("graphdb.embedded.embedded_store.read_state", lambda folder: State(filled=-1))
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(store.link_graph)
        time.sleep(0.1)
        assert not waiting.done()
        embedded_kept.reopened()
        with pytest.raises(StoreError, match="closed"):
            waiting.result(20)


@pytest.mark.parametrize("which", ["Bolt", "HTTP"])
def test_a_server_whose_port_was_taken_meanwhile_is_started_again(tmp_path, monkeypatch, which):
    folder, servers, start = tmp_path / "store", [], subprocess.Popen
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        drawn = f"({taken}, free()[0])" if which == "Bolt" else f"(free()[0], {taken})"
        first = "from graphdb.embedded import server_process as s; import sys, pathlib; free = s.free_ports; "
        first += f"s.free_ports = lambda: {drawn}; s.main(pathlib.Path(sys.argv[1]))"

        def started(command: list[str], **how: object) -> subprocess.Popen[bytes]:
            servers.append(start(command if servers else [sys.executable, "-c", first, str(folder)], **how))
            return servers[-1]

        monkeypatch.setattr(subprocess, "Popen", started)
        store = open_store(str(folder))
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        store.close()
    assert [server.returncode for server in servers] == [store_folder.PORT_TAKEN, 0]
    assert str(taken) in (folder / "server.log").read_text()


def test_a_crawl_larger_than_the_server_can_sort_comes_back(tmp_path, monkeypatch):
    """The server takes so many rows at once and no more: half a million as it is, fewer of large ones, here 100."""
    count = 130
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Darcadedb.queryMaxHeapElementsAllowedPerOp=100")
    monkeypatch.setattr("graphdb.graph.graph_store.ROWS_AT_ONCE", 30)
    for name in ("VERTICES", "SOURCES", "PAGES"):
        monkeypatch.setattr(f"graphdb.graph.stored_crawl.{name}_AT_ONCE", 30)
    store = open_store(str(tmp_path / "store"))
    try:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        for n in range(count):
            page = fetched(n, parent=0, depth=1, on_topic=True, links=(link(n + 1, 0.5), link(count + n, 0.4)))
            store.save(Batch(pages=(replace(page, order=n + 1, fingerprint=f"{n} 0"),)))
            if n % 15 == 0:  # the server's statements take more rows than it is left here
                store.wait_until_filled()
        with pytest.raises(StoreError, match="Limit of allowed elements"):
            store.query("MATCH (p:Page) RETURN p.url AS url ORDER BY url")
        assert store.open_crawl(CRAWL, CONCEPTS, [SEED]).waiting == count
        assert len(list(store.queued())) == len(list(store.waiting())) == count
        assert list(store.queued(25))
        assert len(list(store.visits())) == len(list(store.known())) == len(list(store.stored_pages())) == count
        assert len(list(store.fingerprints())) == count
        assert len(store.link_graph().links) == count - 1
        store.mark_for_recrawl()
        assert len(list(store.wanted())) == count
    finally:
        store.close()
