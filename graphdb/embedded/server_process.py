"""The embedded engine's server: `python -m graphdb.embedded.server_process FOLDER`.

Only this file imports arcadedb_embedded.

There is one server process for a folder. It holds an exclusive lock on `server.json` as long as it runs, and writes its
address there. It ends when no process uses the engine any more (all have closed it or are dead, also by kill -9), or on
SIGTERM. It is a process of its own so that the JVM's signal handling, memory and crashes do not affect others. It
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
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphdb.embedded.engine import (
    CLIENTS,
    DATABASE,
    PASSWORD,
    PORT_TAKEN,
    READER_PASSWORD,
    SERVER,
    TAKEN,
)
from graphdb.file_locks import Lock
from graphdb.neo4j.bolt_driver import READER

NAME = Path(DATABASE).name
LOOPBACK = "127.0.0.1"
# No signal handling, the simplest garbage collector, and the JIT's second compiler (C2) with little inlining. Measured
# for 2,000 pages with 60 links: C2 uses 7 s of CPU, the whole server 30 s; with C2's usual inlining 24 s and 53 s;
# without C2 the server uses 37 s. C2 compiles a method after eight times as many calls as usual: measured for 3,000
# pages with 108,000 links, 2.0 instead of 3.2 s for compiling, and 11.0 instead of 11.5 s in all. The space for new
# objects is as large from the start as it may become (a third of the heap): measured for 3,000 pages, 2.2 instead of
# 3.1 s of CPU for collecting garbage.
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
LARGEST_MESSAGE = 128 * 2**20  # bytes of one statement with its rows; chosen, not measured
READ_RECORDS = {"access": ["readRecord"]}
# the rights of users who may read records and do nothing else
READERS = {"resultSetLimit": -1, "readTimeout": -1, "access": [], "types": {"*": READ_RECORDS}}
PORTS = (10_000, 32_768)  # registered ports below Linux' default range for outgoing connections (ip_local_port_range)
IDLE_SECONDS = 0.1  # between two checks whether any process uses the store; chosen, not measured


def main(folder: Path) -> None:
    """Serve the folder until no process uses it; ends the process."""
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
    with ending_where_nobody_waits(clients):
        server = serve(here)
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())  # before this, SIGTERM ends the process at once
    while not stopping.wait(IDLE_SECONDS) and not clients.own():
        if not clients.is_there():
            os._exit(1)  # the folder was removed, and the engine would create it again at its end
    Path(SERVER).write_text("")
    for query in server._java_server.getRunningQueries().getRunning():
        query.terminate("nobody uses the graph")
    server.stop()
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


def _own(lock: Lock) -> bool:
    """Get the lock exclusively. A process that only checks the lock holds it for an instant, so this tries for a
    moment.
    """
    for _ in range(20):
        if lock.own():
            return True
        time.sleep(0.02)
    return False


def serve(folder: Path) -> Any:
    """Start the server and publish its address; returns the engine's server."""
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
        {"heap_size": "1g", "jvm_args": JVM},
    )
    try:
        server.start()
    except Exception:
        if _is_free(port) and _is_free(http_port):
            raise
        traceback.print_exc()
        os._exit(PORT_TAKEN)
    server.create_database(NAME)
    _admit_reader(server._java_server.getSecurity(), (folder / READER_PASSWORD).read_text())
    address = json.dumps({"pid": os.getpid(), "port": port, "database": NAME, "reader": READER})
    Path(SERVER).write_text(address)
    return server


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
        main(Path(sys.argv[1]))
    except Exception:
        traceback.print_exc()
        os._exit(1)  # otherwise threads of a partly started JVM would keep the process alive
