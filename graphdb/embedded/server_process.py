"""The embedded store's server: `python -m graphdb.embedded.server_process FOLDER`.

The only file that imports arcadedb_embedded.

One process for one folder: it holds `server.json` alone as long as it lives, and writes there where it answers. It ends
when no process uses the store any more (all have closed it or are dead, kill -9 included), or on SIGTERM. A child, so
that a JVM's signal handling, memory and crash stay its own. It listens on 127.0.0.1 only.
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

from graphdb.embedded.file_locks import Lock
from graphdb.embedded.file_sizes import ALL, GROWING, damage, note_sizes
from graphdb.embedded.journal_filling import Filling, remove
from graphdb.neo4j.bolt_driver import Connection
from graphdb.store_answers import Address
from graphdb.store_folder import CLIENTS, DAMAGED, DATABASE, PASSWORD, READER, READER_PASSWORD, SERVER, TAKEN

NAME = Path(DATABASE).name
LOOPBACK = "127.0.0.1"
# No signal handling; the simplest collector. The second compiler with little inlining: 2,000 pages with 60 links cost
# it 7 s of CPU and the server 30 in all; with its usual inlining 24 and 53, and without it 37.
JVM = (
    "-Xrs",
    "-XX:+UseSerialGC",
    "-XX:+UseCompactObjectHeaders",
    "-XX:FreqInlineSize=50",
    "-XX:MaxInlineLevel=4",
    "-XX:InlineSmallCode=600",
)
LARGEST_MESSAGE = 128 * 2**20  # bytes of one statement with its rows
NOTE_SECONDS = 60.0  # between two looks at how large the files are
LOOKS = {"access": ["readRecord"]}
READERS = {"resultSetLimit": -1, "readTimeout": -1, "access": [], "types": {"*": LOOKS}}  # may look at records, no more
# The graph is filled with what a crawl leaves of the processors: at this level the server has a third of the weight of
# a process that is not nice (335 to 1024, kernel/sched/core.c), so that it goes on beside other work, too.
NICE = 5
PORTS = (10_000, 32_768)  # registered ports below those of connections (ip_local_port_range of Linux)
IDLE_SECONDS = 0.1  # how often it looks whether anybody is left


def main(folder: Path) -> None:
    """Serve the folder until nobody uses it; ends the process."""
    os.nice(NICE)
    os.umask(0o077)  # pages and passwords are their owner's alone
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
    with _ending_where_nobody_waits(clients):
        filling, stop = _serve(here)
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())  # until here it ends the process, whatever the JVM does
    noted = time.monotonic()
    while not stopping.wait(IDLE_SECONDS) and not clients.own():
        if not clients.is_there():
            os._exit(1)  # the folder was removed: the engine would make another one at its end
        filled = filling.filled_files()
        if filled or time.monotonic() - noted > NOTE_SECONDS:
            with contextlib.suppress(OSError):  # a full disk is the crawl's to tell
                note_sizes(here, GROWING)
                remove(filled)
            noted = time.monotonic()
    Path(SERVER).write_text("")
    filling.stop()
    stop()
    note_sizes(here, ALL)
    remove(filling.filled_files())  # not before others are noted in their place
    os._exit(0)  # the database is closed; the JVM's own way out takes longer and can hang


@contextlib.contextmanager
def _ending_where_nobody_waits(clients: Lock) -> Iterator[None]:
    """End the process where all clients are gone before the engine has started: it may never come to its end."""
    started = threading.Event()

    def watch() -> None:
        while not started.wait(IDLE_SECONDS):
            if clients.own():
                os._exit(1)

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield
    started.set()
    watcher.join()


def _own(lock: Lock) -> bool:
    """Hold the lock alone; a process that only looks holds it for an instant, so try for a moment."""
    for _ in range(20):
        if lock.own():
            return True
        time.sleep(0.02)
    return False


def _serve(folder: Path) -> tuple[Filling, Callable[[], None]]:
    """Start the server and make its address known; returns what fills the graph from the journal, and what stops it."""
    from arcadedb_embedded.server import ArcadeDBServer  # type: ignore[import-untyped]

    password = (folder / PASSWORD).read_text()
    if not password:  # the engine would ask for one, for ever
        raise ValueError(f"{folder / PASSWORD} is empty")
    port, http_port = _free_ports()
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
            "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        },
        {"heap_size": "1g", "jvm_args": JVM},
    )
    server.start()
    server.create_database(NAME)
    _admit_reader(server._java_server.getSecurity(), (folder / READER_PASSWORD).read_text())
    note_sizes(folder, GROWING)
    here = Address(f"bolt://{LOOPBACK}:{port}", "root", password)
    filling = Filling(folder, lambda: Connection(here, NAME))
    filling.start()
    address = json.dumps({"pid": os.getpid(), "port": port, "database": NAME, "reader": READER})
    Path(SERVER).write_text(address)
    stop: Callable[[], None] = server.stop
    return filling, stop


def _admit_reader(security: Any, password: str) -> None:
    """Make the user who only reads, or give it its rights and its password anew; `security` is the engine's own."""
    to_json = type(security.groupsToJSON())
    security.saveGroup("*", READER, to_json(json.dumps(READERS)))
    user = {"name": READER, "password": str(security.encodePassword(password)), "databases": {NAME: [READER]}}
    admit = security.updateUser if security.existsUser(READER) else security.createUser
    admit(to_json(json.dumps(user)))


def _free_ports() -> list[int]:
    """Two ports on which nobody listens. The engine binds them seconds later, so they are drawn at random from those
    that the system gives to no connection by itself: whoever takes one meanwhile must have drawn the same.
    """
    ports: set[int] = set()
    while len(ports) < 2:
        port = random.randrange(*PORTS)
        with contextlib.suppress(OSError):
            socket.create_server((LOOPBACK, port)).close()
            ports.add(port)
    return list(ports)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except Exception:
        traceback.print_exc()
        os._exit(1)  # threads of a JVM that is half started would keep the process
