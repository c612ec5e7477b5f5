"""The embedded store: a folder with a graph database, served by a child process for as long as anybody uses it.

Who comes first starts the server (`server_process`), who comes later finds its address in `server.json`: so a second
terminal can query a crawl that runs. Every user holds a share of `clients.lock`; the server ends when it gets that lock
for itself. The kernel keeps both locks, so nothing is left behind by a process that dies.
"""

import contextlib
import json
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from graphdb.embedded.file_locks import Lock, is_owned
from graphdb.embedded.file_sizes import damage
from graphdb.neo4j.bolt_driver import Connection, load_driver
from graphdb.record.graph_store import GraphStore
from graphdb.store_answers import Address
from graphdb.store_folder import (
    CLIENTS,
    DAMAGED,
    LOG,
    PASSWORD,
    READER,
    READER_PASSWORD,
    SERVER,
    TAKEN,
    WRITER,
    prepare,
    unusable,
)
from ontology.errors import StoreAway, StoreError

START_SECONDS = 120.0  # for a server to start, or to end before ours can start
STOP_SECONDS = 30.0
LOOK_SECONDS = 0.05
RESTORE = (
    "put a copy of the whole folder in its place, or crawl into another --store, "
    "with --archive DIR if --warc DIR has kept what was fetched"
)
GONE = "what it held is lost, unless there is a copy to put in its place"
ROOT = Path(__file__).resolve().parents[1]  # where the packages lie, installed or not


def open_embedded(folder: Path, *, create: bool) -> GraphStore:
    """Open the store in a folder. Raises StoreError where it is none, or where its server does not start."""
    prepare(folder, create=create)
    try:
        user = _User(folder)
    except OSError as error:
        raise unusable(folder, error) from error
    try:
        return GraphStore(Connection(*user.attach(), user.renew), user.claim, user.leave, user.check)
    except BaseException as error:
        user.leave()
        if isinstance(error, OSError):
            raise unusable(folder, error) from error
        raise


def find_server(folder: Path) -> tuple[Address, str | None] | None:
    """The server that runs for this folder, and the name of its database; None where none answers."""
    path = folder / SERVER
    if not path.exists() or not is_owned(path):
        return None
    text = path.read_text()
    if not text:
        return None
    server = json.loads(text)
    if "reader" not in server:
        raise StoreError(f"the store at {folder} is in use by another version of ontocrawl", "wait for the end of that")
    try:
        socket.create_connection(("127.0.0.1", server["port"]), 1).close()
    except OSError:
        return None
    uri = f"bolt://127.0.0.1:{server['port']}"
    reader = _address(uri, READER, folder / READER_PASSWORD)
    return replace(_address(uri, "root", folder / PASSWORD), reader=reader), server["database"]


def _address(uri: str, user: str, password: Path) -> Address:
    return Address(uri, user, password.read_text(), password)


class _User:
    """This process as one of the store's users."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._share = Lock(self._folder / CLIENTS)
        self._writing = Lock(self._folder / WRITER)
        self._child: subprocess.Popen[bytes] | None = None

    def attach(self) -> tuple[Address, str | None]:
        """Wait for a server that runs, or start one; its address and the name of its database."""
        deadline = time.monotonic() + START_SECONDS
        shared = False
        while time.monotonic() < deadline:
            shared = shared or self._share.share()  # not while a server ends
            found = find_server(self._folder) if shared else None
            if found is not None:
                return found
            if shared:
                self._start()
            time.sleep(LOOK_SECONDS)
        raise StoreError(f"the store at {self._folder} does not answer", f"see {self._folder / LOG}")

    def renew(self) -> tuple[Address, str | None]:
        """Attach again, after the server has died."""
        self.check()
        if self._child is not None and self._child.poll() is not None:
            self._child = None
        return self.attach()

    def claim(self) -> bool:
        """Be the one crawl that writes; False while another process is."""
        return self._writing.own()

    def check(self) -> None:
        """Raise StoreError where files were removed under the running server, which goes on without them."""
        if not self._share.is_there():
            raise StoreError(f"the store at {self._folder} was removed while it was in use", GONE)
        lost = damage(self._folder)
        if lost:
            raise StoreError(f"the store at {self._folder} was damaged while it was in use: {lost}", RESTORE)

    def leave(self) -> None:
        """Use the store no more. Waits for the server's end if this process started it and nobody else is left."""
        last = self._share.own()
        self._share.release()
        self._writing.release()
        if last and self._child is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):  # it ends by itself, only later
                self._child.wait(STOP_SECONDS)

    def _start(self) -> None:
        """Start a server unless one runs or is starting; StoreError if ours has failed."""
        if self._child is not None:
            code = self._child.poll()
            if code is None:
                return
            if code == DAMAGED:
                raise StoreError(f"the store at {self._folder} is damaged: {damage(self._folder)}", RESTORE)
            if code != TAKEN:
                cure = (
                    f"is the disk full, or the folder damaged? {self._folder / LOG} tells; another --store begins anew"
                )
                raise StoreAway(f"the store's server ended at its start ({code})", cure)
        if (self._folder / SERVER).exists() and is_owned(self._folder / SERVER):
            return
        (self._folder / LOG).touch(0o600)
        with (self._folder / LOG).open("ab") as log:
            self._child = subprocess.Popen(
                [sys.executable, "-m", "graphdb.embedded.server_process", str(self._folder)],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in the terminal is for the crawl
            )
        load_driver()  # while the server starts
