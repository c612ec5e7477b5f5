"""The embedded store's server: `python -m graphdb.embedded.server_process FOLDER [brief] [record=FILE]`.

Only this file imports arcadedb_embedded.

There is one server process for a folder. It holds an exclusive lock on `server.json` as long as it runs, and writes its
address there. It ends when no process uses the store any more (all have closed it or are dead, also by kill -9), or on
SIGTERM. It is a process of its own so that the JVM's signal handling, memory and crashes do not affect the crawl. It
listens on 127.0.0.1 only.
"""

import contextlib
import json
import os
import random
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from graphdb.embedded import direct_writing, engine_archive
from graphdb.embedded.abandoned_queries import RunningQueries
from graphdb.embedded.file_sizes import ALL, GROWING, damage, note_sizes
from graphdb.embedded.journal_filling import Filling, remove
from graphdb.file_locks import Lock
from graphdb.neo4j.bolt_driver import Connection
from graphdb.store_answers import Address
from graphdb.store_folder import (
    CLIENTS,
    DAMAGED,
    DATABASE,
    PASSWORD,
    PORT_TAKEN,
    READER,
    READER_PASSWORD,
    SERVER,
    TAKEN,
)

NAME = Path(DATABASE).name
LOOPBACK = "127.0.0.1"
# No signal handling, the simplest garbage collector, and the JIT's second compiler (C2) with little inlining. Measured
# for 2,000 pages with 60 links: C2 uses 7 s of CPU, the whole server 30 s; with C2's usual inlining 24 s and 53 s;
# without C2 the server uses 37 s. C2 compiles a method after eight times as many calls as usual: measured for 3,000
# pages with 108,000 links, 2.0 instead of 3.2 s for compiling, and 11.0 instead of 11.5 s in all. The space for new
# objects is as large from the start as it may become (a third of the heap): measured for 3,000 pages, 2.2 instead of
# 3.1 s of CPU for collecting garbage. Without compact headers the archive of the engine's classes fits all servers.
JVM = (
    "-Xrs",
    "-XX:NewSize=340m",
    "-XX:+UseSerialGC",
    "-XX:-UseCompactObjectHeaders",
    "-XX:FreqInlineSize=50",
    "-XX:MaxInlineLevel=4",
    "-XX:InlineSmallCode=600",
    "-XX:Tier4InvocationThreshold=40000",
    "-XX:Tier4MinInvocationThreshold=5000",
    "-XX:Tier4CompileThreshold=120000",
    "-XX:Tier4BackEdgeThreshold=320000",
)
# For a command that ends within seconds, only the JIT's first compiler, which compiles sooner. Measured for `status` of
# 2,000 pages: 2.8 instead of 4.2 s of CPU in the server; for `rejudge` 6.4 instead of 8.3 s.
BRIEF_JVM = (*JVM, "-XX:TieredStopAtLevel=1")
LARGEST_MESSAGE = 128 * 2**20  # bytes of one statement with its rows; chosen, not measured
NOTE_SECONDS = 60.0  # between two records of the files' sizes; chosen, not measured
READ_RECORDS = {"access": ["readRecord"]}
# the rights of users who may read records and do nothing else
READERS = {"resultSetLimit": -1, "readTimeout": -1, "access": [], "types": {"*": READ_RECORDS}}
# The graph is filled with the CPU time that a crawl leaves. At this nice level the server has a third of the weight of
# a normal process (335 to 1024, kernel/sched/core.c), so it also progresses beside other work. A server for a brief
# command has the usual weight, because the command waits for it. See also `embedded_store.SAVING_NICE`.
NICE = 5
PORTS = (10_000, 32_768)  # registered ports below Linux' default range for outgoing connections (ip_local_port_range)
IDLE_SECONDS = 0.1  # between two checks whether any process uses the store; chosen, not measured


def main(folder: Path, *, brief: bool = False, record: str = "") -> None:
    """Serve the folder until no process uses it; ends the process. `brief`: it is started for a command that ends soon,
    so the JVM does not compile thoroughly. `record`: where to write an archive of the classes used, at the end.
    """
    if not brief:
        os.nice(NICE)
    os.umask(0o077)  # only the owner may read pages and passwords
    lock = Lock(folder / SERVER)
    if not _own(lock):
        sys.exit(TAKEN)
    (folder / SERVER).write_text("")
    stopping = threading.Event()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.chdir(folder)  # the engine writes its log to the working directory
    here = Path.cwd()
    clients = Lock(here / CLIENTS)
    if damage(here):
        sys.exit(DAMAGED)
    note_sizes(here, GROWING)
    with ending_where_nobody_waits(clients):
        archive = (f"-XX:AOTCacheOutput={record}",) if record else engine_archive.flags()
        filling, queries, stop = serve(here, (*(BRIEF_JVM if brief else JVM), *archive))
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())  # before this, SIGTERM ends the process at once
    noted = time.monotonic()
    while not stopping.wait(IDLE_SECONDS) and not clients.own():
        if not clients.is_there():
            os._exit(1)  # the folder was removed, and the engine would create it again at its end
        queries.end_abandoned()
        filled = filling.filled_files()
        if filled or time.monotonic() - noted > NOTE_SECONDS:
            with contextlib.suppress(OSError):  # the crawl reports a full disk
                note_sizes(here, GROWING)
                remove(filled)
            noted = time.monotonic()
    Path(SERVER).write_text("")
    queries.end_all()
    filling.stop()
    stop()
    note_sizes(here, ALL)
    remove(filling.filled_files())  # after the sizes of the remaining files were recorded
    if record:
        _end_java()  # as only Java's own end writes the archive
    engine_archive.make_soon()
    os._exit(0)  # the database is closed; the JVM's own shutdown takes longer and can hang


@contextlib.contextmanager
def ending_where_nobody_waits(clients: Lock) -> Iterator[None]:
    """End the process if all clients are gone before the engine has started, because starting may never end."""
    started = threading.Event()

    def watch() -> None:
        while not started.wait(IDLE_SECONDS):
            if clients.own():
                os._exit(1)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        started.set()
        watcher.join()


def _end_java() -> None:
    import jpype  # type: ignore[import-untyped]

    jpype.JClass("java.lang.System").exit(0)


def _own(lock: Lock) -> bool:
    """Get the lock exclusively. A process that only checks the lock holds it for an instant, so this tries for a
    moment.
    """
    for _ in range(20):
        if lock.own():
            return True
        time.sleep(0.02)
    return False


def serve(folder: Path, jvm: tuple[str, ...]) -> tuple[Filling, RunningQueries, Callable[[], None]]:
    """Start the server and publish its address; returns the filling of the graph, the queries that are being answered,
    and a function that stops the server.
    """
    # The bridge to Java would import numpy, for arrays that nothing here has: measured, 0.2 of 2.0 s of CPU of a start.
    sys.modules.setdefault("numpy", None)  # type: ignore[arg-type]  # PEP 328: its import fails
    from arcadedb_embedded.server import ArcadeDBServer  # type: ignore[import-untyped]

    password = (folder / PASSWORD).read_text()
    if not password:  # else the engine would wait for one on the terminal
        raise ValueError(f"{folder / PASSWORD} is empty")
    port, http_port = free_ports()
    server = ArcadeDBServer(
        str(folder),
        password,
        {
            "host": LOOPBACK,
            "http_port": http_port,
            "bolt_host": LOOPBACK,
            "bolt_port": port,
            "bolt_defaultDatabase": NAME,
            "bolt_maxMessageSize": LARGEST_MESSAGE,
            "bolt_packstream_maxValueLength": LARGEST_MESSAGE,
            "opencypher_loadCsv_allowFileUrls": False,
            "opencypher_loadCsv_allowRemoteUrls": False,
            # nothing asks for these, and they take a tenth of the start
            "serverMetrics": False,
            "polyglotEngineEnabled": False,
            # of the hash of a password; ours are random and have 128 bits, so a slow hash adds nothing
            "server_saltIterations": 1,
            "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        },
        {"heap_size": "1g", "jvm_args": jvm},
    )
    try:
        server.start()
    except Exception:
        if _is_free(port) and _is_free(http_port):
            raise
        traceback.print_exc()
        os._exit(PORT_TAKEN)
    server.create_database(NAME)
    direct = _direct(server) if direct_writing.is_wanted() else None
    _admit_reader(server._java_server.getSecurity(), (folder / READER_PASSWORD).read_text())
    note_sizes(folder, GROWING)
    here = Address(f"bolt://{LOOPBACK}:{port}", "root", password)
    filling = Filling(folder, lambda: direct or Connection(here, NAME))
    filling.start()
    address = json.dumps({"pid": os.getpid(), "port": port, "database": NAME, "reader": READER})
    Path(SERVER).write_text(address)
    stop: Callable[[], None] = server.stop
    return filling, RunningQueries(server._java_server.getRunningQueries(), port), stop


def _direct(server: Any) -> direct_writing.DirectWriting:
    """The database, written by the engine's own calls from this process."""
    import jpype

    url = jpype.JClass("java.net.URL")
    parent = jpype.JClass("com.arcadedb.database.Database").class_.getClassLoader()
    loader = jpype.JClass("java.net.URLClassLoader")([url(direct_writing.COMPILED.as_uri())], parent)
    writing = jpype.JClass(direct_writing.CLASS, loader=loader)
    return direct_writing.DirectWriting(writing(server.get_database(NAME)._java_db))


def _admit_reader(security: Any, password: str) -> None:
    """Create the user who may only read, or set its rights and password again. `security`: the engine's object for
    users.
    """
    to_json = type(security.groupsToJSON())
    security.saveGroup("*", READER, to_json(json.dumps(READERS)))
    user = {"name": READER, "password": str(security.encodePassword(password)), "databases": {NAME: [READER]}}
    admit = security.updateUser if security.existsUser(READER) else security.createUser
    admit(to_json(json.dumps(user)))


def free_ports() -> tuple[int, int]:
    """Two free ports. The engine opens them seconds later. So they are drawn at random from ports that the system never
    assigns by itself; a conflict needs another process that has chosen the same.
    """
    port, other = random.sample(range(*PORTS), 2)
    return (port, other) if _is_free(port) and _is_free(other) else free_ports()


def _is_free(port: int) -> bool:
    try:
        socket.create_server((LOOPBACK, port)).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    try:
        words = dict(word.partition("=")[::2] for word in sys.argv[2:])
        main(Path(sys.argv[1]), brief="brief" in words, record=words.get("record", ""))
    except Exception:
        traceback.print_exc()
        os._exit(1)  # otherwise threads of a partly started JVM would keep the process alive
