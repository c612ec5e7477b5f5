"""The embedded engine: a graph database in a folder of its own, served by a child process while any process uses it.

It holds a graph that is filled from the record of a crawl (`graphdb.graph.filling`), so nothing in its folder is worth
keeping: what is damaged or of another version is removed and filled again.

The first process that uses it starts the server (`server_process`), later ones find its address in `server.json`. Every
user holds a shared lock on `clients.lock`; the server ends when it gets that lock exclusively. The kernel manages both
locks, so a process that dies leaves nothing behind.
"""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from graphdb.file_locks import Lock, is_owned
from graphdb.neo4j.bolt_driver import READER, Connection, load_driver
from graphdb.store_answers import BoltAddress
from ontology.child_process import child_environment
from ontology.errors import StoreError
from ontology.file_failures import why_refused
from ontology.messages import message

PASSWORD = "password"  # file: password of the user root, who fills the graph
READER_PASSWORD = "reader-password"  # file: password of the user who may only read
SERVER = "server.json"  # address of the running server, which holds an exclusive lock on this file
CLIENTS = "clients.lock"  # every process that uses the engine holds a shared lock; the server ends when none does
FILLING = "filling.lock"  # the process that fills the graph holds an exclusive lock
LOG = "server.log"
DATABASE = "databases/crawl"  # the engine's files
# Exit codes of the server; chosen.
TAKEN = 75  # another server is serving the folder
PORT_TAKEN = 77  # another process has opened a port that the server had chosen
# Times in seconds; chosen, not measured.
TELL_SECONDS = 2.0  # waiting time after which the user is told the reason
START_SECONDS = 120.0  # for a server to start, or for another one to end first
STOP_SECONDS = 30.0  # for the server to end
LOOK_SECONDS = 0.05  # between two checks while waiting
ROOT = Path(__file__).resolve().parents[2]  # the folder that contains the packages, installed or not

Tell = Callable[[str], None]


class Engine:
    """This process as a user of the engine in a folder. `tell`: receives messages for a user who has to wait.

    Raises StoreError if the engine does not start.
    """

    def __init__(self, folder: Path, tell: Tell = lambda line: None) -> None:
        self.folder = folder.resolve()
        self._child: subprocess.Popen[bytes] | None = None
        try:
            _prepare(self.folder)
            self._share = Lock(self.folder / CLIENTS)
        except OSError as error:
            raise StoreError(
                message("{folder} cannot be used: {why}", folder=folder, why=why_refused(error)),
                "run it as the folder's owner, on a disk that can be written",
            ) from error
        try:
            self.connection = Connection(*self._attach(tell))
        except BaseException:
            self._leave()
            raise

    @contextlib.contextmanager
    def filling(self) -> Iterator[None]:
        """Only one process fills the graph; others wait for it."""
        lock = Lock(self.folder / FILLING)
        try:
            while not lock.own():
                time.sleep(LOOK_SECONDS)
            yield
        finally:
            lock.release()

    def close(self) -> None:
        """Stop using the engine. Waits for the server's end if this process started it and is the last user."""
        self.connection.close()
        self._leave()

    def _leave(self) -> None:
        last = self._share.own()
        self._share.release()
        if last and self._child is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):  # it will end by itself later
                self._child.wait(STOP_SECONDS)

    def _attach(self, tell: Tell) -> tuple[BoltAddress, str]:
        """Wait for a running server, or start one; returns its address and the name of its database."""
        began = time.monotonic()
        shared = is_told = False
        while (waited := time.monotonic() - began) < START_SECONDS:
            if waited >= TELL_SECONDS and not is_told:
                tell(message("waiting for the graph's server to start ..."))
                is_told = True
            shared = shared or self._share.share()  # fails while a server is ending
            found = find_server(self.folder) if shared else None
            if found is not None:
                return found
            if shared:
                self._start()
                load_driver()  # while the server starts
            time.sleep(LOOK_SECONDS)
        raise StoreError(
            message("the graph at {folder} does not answer", folder=self.folder),
            message("see {folder}", folder=self.folder / LOG),
        )

    def _start(self) -> None:
        """Start a server unless one is running or starting; StoreError if the server started by this process has
        failed.
        """
        if self._child is not None:
            code = self._child.poll()
            if code is None:
                return
            if code not in (TAKEN, PORT_TAKEN):
                raise StoreError(
                    message("the graph's server ended while starting (exit code {code})", code=code),
                    message(
                        "is the disk full? {log} has details; remove {folder}, and the graph is filled again",
                        log=self.folder / LOG,
                        folder=self.folder,
                    ),
                )
        if (self.folder / SERVER).exists() and is_owned(self.folder / SERVER):
            return
        (self.folder / LOG).touch(0o600)
        with (self.folder / LOG).open("ab") as log:
            self._child = subprocess.Popen(
                [sys.executable, "-m", "graphdb.embedded.server_process", str(self.folder)],
                cwd=ROOT,
                env=child_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in the terminal must reach the command only
            )


def find_server(folder: Path) -> tuple[BoltAddress, str] | None:
    """The server that runs for this folder, and the name of its database; None if no server answers."""
    path = folder / SERVER
    text = path.read_text() if path.exists() and is_owned(path) else ""
    if not text:  # none runs, or it is still starting
        return None
    server = json.loads(text)
    try:
        socket.create_connection(("127.0.0.1", server["port"]), 1).close()
    except OSError:
        return None
    uri = f"bolt://127.0.0.1:{server['port']}"
    reader = _address(uri, READER, folder / READER_PASSWORD)
    return replace(_address(uri, "root", folder / PASSWORD), reader=reader), server["database"]


def remove(folder: Path) -> bool:
    """Remove the graph in a folder, unless a process uses it; False then."""
    if not folder.is_dir():
        return True
    lock = Lock(folder / CLIENTS)
    try:
        if not lock.own():
            return False
        shutil.rmtree(folder, ignore_errors=True)
        return True
    finally:
        lock.release()


def _address(uri: str, user: str, password: Path) -> BoltAddress:
    return BoltAddress(uri, user, password.read_text(), password)


def _prepare(folder: Path) -> None:
    """Make the folder and the passwords, for the owner alone."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in (PASSWORD, READER_PASSWORD):
        path = folder / name
        if path.exists() and path.stat().st_size:
            continue
        aside = folder / f"{name}.{os.getpid()}"
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
            stream.write(secrets.token_urlsafe(24))
        if path.exists() and not path.stat().st_size:  # an interrupted creation
            path.unlink()
        with contextlib.suppress(FileExistsError):  # another process has created it meanwhile
            os.link(aside, path)
        aside.unlink()
