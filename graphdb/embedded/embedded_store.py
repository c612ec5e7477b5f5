"""The embedded store: a folder with a graph database, served by a child process as long as any process uses it.

A crawl's batches are committed to a journal in the folder (`journal`). The server fills the graph from it, beside the
crawl (`journal_filling`). Every query waits until the graph has everything that the journal had at that moment. The
graph is at most `BEHIND_BYTES` behind: beyond that, a save waits. On an idle machine so much is filled in within half a
minute; the end of a crawl, or the next command after a `kill -9`, may have to wait for that long.

The first process that uses the store starts the server (`server_process`), later ones find its address in
`server.json`, so a second terminal can query a running crawl. Every user holds a shared lock on `clients.lock`; the
server ends when it gets that lock exclusively. The kernel manages both locks, so a process that dies leaves nothing
behind.
"""

import contextlib
import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphdb.embedded.file_sizes import damage
from graphdb.embedded.journal import JournalReader, JournalWriter, State, read_state
from graphdb.file_locks import Lock, is_owned
from graphdb.graph.graph_store import GraphStore
from graphdb.graph.stored_crawl import stored_link_graph
from graphdb.neo4j.bolt_driver import REFUSED, Connection, load_driver
from graphdb.record.batch_rows import check_addresses
from graphdb.store_answers import Address
from graphdb.store_folder import (
    CLIENTS,
    DAMAGED,
    LOG,
    MARK,
    PASSWORD,
    PORT_TAKEN,
    READER,
    READER_PASSWORD,
    SERVER,
    TAKEN,
    WRITER,
    prepare,
    unusable,
)
from ontology.child_process import child_environment, weigh_session
from ontology.errors import StoreAway, StoreError
from ontology.file_failures import is_there, why_refused
from ontology.messages import message
from semantic.records import Batch, ConceptRecord, CrawlRecord, LinkGraph, QueuedRecord, Resumed

# The nice level of the server's session while a crawl saves and asks nothing: a 28th of the usual weight (36 to 1024,
# kernel/sched/core.c). With questions, at its start and after the crawl it has the usual one. Measured with 3,000 pages
# and 64 connections, pages a second during the crawl and until the graph is whole: 109 and 75, with level 10 90 and 78,
# with level 5 85 and 85.
SAVING_NICE = 15
BEHIND_BYTES = 2**28  # of the journal: about 4,000 pages; measured: 63 kB a page, with 2,000 pages of a wiki
# Times in seconds; chosen, not measured.
TELL_SECONDS = 2.0  # waiting time after which the user is told the reason
START_SECONDS = 120.0  # for a server to start, or for another one to end first
STOP_SECONDS = 30.0  # for the server to end
LOOK_SECONDS = 0.05  # between two checks while waiting
RESTORE = message(
    "put a copy of the whole folder in its place, or crawl into another --store, "
    "with --archive DIR if --warc DIR has kept what was fetched"
)
GONE = message("its content is lost, unless there is a copy to put in its place")
ROOT = Path(__file__).resolve().parents[2]  # the folder that contains the packages, installed or not


Tell = Callable[[str], None]


def open_embedded(
    folder: Path, *, create: bool, tell: Tell = lambda line: None, how: tuple[str, ...] = ()
) -> GraphStore:
    """Open the store in a folder. `tell`: receives messages for a user who has to wait. `how`: arguments of the server
    (`server_process`), if one is started here.

    Raises StoreError if the folder is not a store, or if its server does not start.
    """
    prepare(folder, create=create)
    try:
        user = _early.pop(folder.resolve(), None) or _User(folder, how)
    except OSError as error:
        raise unusable(folder, error) from error
    try:
        return EmbeddedStore(user, tell)
    except BaseException as error:
        user.leave()
        if isinstance(error, OSError):
            raise unusable(folder, error) from error
        raise


def serve_soon(folder: Path, *, create: bool = False, brief: bool = False) -> Callable[[], None]:
    """Start the server of a store without waiting for it; `open_embedded` will wait. Meanwhile this process can do
    other things, such as its imports.

    - `create`: where there is nothing of this name, make a store.
    - `brief`: this process ends within seconds, so the server should rather start quickly than run fast.

    Returns a function that cancels this, to be called if the store is not opened in the end. A store that was made here
    is removed again, unless another process uses it by now.
    """
    user: _User | None = None
    made = [path for path in (folder, *folder.parents) if not is_there(path)] if create else []
    try:
        if ((folder / MARK).is_file() or made) and folder.resolve() not in _early:
            prepare(folder, create=bool(made))
            user = _User(folder, ("brief",) if brief else ())
            user.begin()
            _early[user.folder] = user
    except (OSError, StoreError):
        if user is not None:
            user.leave()

    def take_back() -> None:
        if user is not None and _early.get(user.folder) is user:
            del _early[user.folder]
            if made and user.is_alone():
                user.remove(made)
            else:
                user.leave()

    return take_back


class EmbeddedStore(GraphStore):
    """A crawl's record in a folder: saving appends to the journal, questions are answered by the complete graph."""

    def __init__(self, user: "_User", tell: Tell) -> None:
        self._user = user
        self._tell = tell
        self._journal: JournalWriter | None = None
        self._reader: JournalReader | None = None
        self._is_closed = False
        self._was_far_behind = False
        self._weighed = 0, 0  # the server's process, and the nice level that its session got last
        self._reading = threading.Lock()  # held by the thread that looks how far the journal goes
        connection = Connection(*user.attach(tell), user.renew, self.wait_until_filled)
        super().__init__(connection, user.claim, user.leave, user.check)

    def open_crawl(
        self, crawl: CrawlRecord, concepts: Sequence[ConceptRecord], seeds: Sequence[QueuedRecord]
    ) -> Resumed:
        """Begin or resume the one crawl of this store. Raises StoreError if the store contains a crawl about another
        topic.
        """
        resumed = super().open_crawl(crawl, concepts, seeds)
        if self._journal is None:
            try:
                self._journal = JournalWriter(self._user.folder, self._last_record())
            except OSError as error:
                raise unusable(self._user.folder, error) from error
        return resumed

    def save(self, batch: Batch) -> None:
        """Commit the whole batch to the journal; waits if the graph is too far behind."""
        if self._journal is None:
            raise StoreError("no crawl was begun in this store", "call open_crawl first")
        check_addresses(batch)
        self._user.check()
        self._keep_server()
        self._await_server()
        self._weigh_server(SAVING_NICE)
        try:
            self._journal.append(batch)
        except OSError as error:
            raise StoreError(
                message("{refused}: {why}", refused=REFUSED[0], why=why_refused(error)), REFUSED[1]
            ) from error

    def _await_server(self) -> None:
        """Wait while the graph is too far behind. The user is told once, because from then on every save may wait."""

        def is_near(state: State) -> bool:
            return self._journal is None or self._journal.waiting_bytes(state.filled) < BEHIND_BYTES

        if not is_near(read_state(self._user.folder)):
            self._weigh_server(0)
            self._wait(is_near, is_told=not self._was_far_behind)
            self._was_far_behind = True

    def wait_until_filled(self) -> None:
        """Wait until the graph has everything that the journal has now. Raises StoreError if that is not possible."""
        self._weigh_server(0)
        goal = self._last_record()
        self._wait(lambda state: state.filled >= goal)

    def link_graph(
        self, most: int = 0, is_wanted: Callable[[], bool] = lambda: True, *, is_awaited: bool = False
    ) -> LinkGraph:
        """See `GraphStore`; of what was saved before. What is saved meanwhile is not waited for. The server keeps its
        weight where the crawl goes on; where it waits, a busy machine would let the server wait for minutes.
        """

        def is_needed() -> bool:  # asked again and again: a weight that was set a moment ago may not be changed yet
            if is_awaited:
                self._weigh_server(0)
            return is_wanted()

        is_needed()
        goal = self._last_record()
        self._wait(lambda state: state.filled >= goal, is_told=False, is_wanted=is_needed)
        with contextlib.closing(Connection(*self._user.renew(), self._user.renew)) as connection:
            return stored_link_graph(connection, most)

    def close(self) -> None:
        """Release the store. Nothing committed is lost: the next user puts the rest of the journal into the graph."""
        self._is_closed = True
        self._weigh_server(0)
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        super().close()

    def _last_record(self) -> int:
        """The number of the journal's last record."""
        if self._journal is not None:
            return self._journal.record
        with self._reading:
            filled = read_state(self._user.folder).filled
            if self._reader is None or self._reader.record < filled:  # its next file may have been removed
                if self._reader is not None:
                    self._reader.close()
                self._reader = JournalReader(self._user.folder, filled)
            for _ in self._reader:
                pass
            return self._reader.record

    def _weigh_server(self, level: int) -> None:
        server = self._user.server
        if (server, level) != self._weighed and weigh_session(server, level):
            self._weighed = server, level

    def _keep_server(self) -> None:
        if not self._user.is_served():
            self._tell(message("the store's server has ended and is being restarted"))
            self._user.renew()
            self.connection.look_anew()

    def _wait(
        self,
        is_reached: Callable[[State], bool],
        *,
        is_told: bool = True,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        """Wait for the server, restarting it if it has died."""
        began = time.monotonic()
        is_reported = not is_told
        while not is_reached(state := read_state(self._user.folder)):
            if state.failed:
                raise StoreError(message("{refused}: {why}", refused=REFUSED[0], why=state.failed), REFUSED[1])
            if self._is_closed:
                raise StoreError("the store was closed while a thread was waiting for it")
            if not is_wanted():
                raise StoreError("what a thread was waiting for is no longer wanted")
            self._keep_server()
            if not is_reported and time.monotonic() - began > TELL_SECONDS:
                self._tell(
                    message(
                        "the graph is being filled with what was saved; "
                        "this takes up to half a minute on an idle machine"
                    )
                )
                is_reported = True
            time.sleep(LOOK_SECONDS)


def find_server(folder: Path) -> tuple[Address, str | None] | None:
    """The server that runs for this folder, and the name of its database; None if no server answers."""
    server = _server_of(folder)
    if not server:
        return None
    if "reader" not in server:
        raise StoreError(
            message("the store at {folder} is in use by another version of ontocrawl", folder=folder),
            "wait until that has ended",
        )
    try:
        socket.create_connection(("127.0.0.1", server["port"]), 1).close()
    except OSError:
        return None
    uri = f"bolt://127.0.0.1:{server['port']}"
    reader = _address(uri, READER, folder / READER_PASSWORD)
    return replace(_address(uri, "root", folder / PASSWORD), reader=reader), server["database"]


def _server_of(folder: Path) -> dict[str, Any]:
    """What the server that runs for a folder says of itself; nothing if none runs, or if it is still starting."""
    path = folder / SERVER
    text = path.read_text() if path.exists() and is_owned(path) else ""
    return json.loads(text) if text else {}


def _address(uri: str, user: str, password: Path) -> Address:
    return Address(uri, user, password.read_text(), password)


class _User:
    """This process as a user of the store."""

    def __init__(self, folder: Path, how: tuple[str, ...] = ()) -> None:
        self.folder = folder.resolve()
        self._how = how
        self._share = Lock(self.folder / CLIENTS)
        self._writing = Lock(self.folder / WRITER)
        self._child: subprocess.Popen[bytes] | None = None
        self._renewing = threading.Lock()  # held by the thread that attaches again

    def attach(self, tell: Tell = lambda line: None) -> tuple[Address, str | None]:
        """Wait for a running server, or start one; returns its address and the name of its database. `tell`: as in
        `open_embedded`.
        """
        began = time.monotonic()
        shared = is_told = False
        while (waited := time.monotonic() - began) < START_SECONDS:
            if waited >= TELL_SECONDS and not is_told:
                tell(message("waiting for the store's server to start ..."))
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
            message("the store at {folder} does not answer", folder=self.folder),
            message("see {folder}", folder=self.folder / LOG),
        )

    def begin(self) -> None:
        """Start a server where none runs, and do not wait for it."""
        if self._share.share() and find_server(self.folder) is None:
            self._start()

    def is_served(self) -> bool:
        """Whether a server is running or starting."""
        return (self.folder / SERVER).exists() and is_owned(self.folder / SERVER)

    @property
    def server(self) -> int:
        """The number of the server's process; 0 if none answers."""
        with contextlib.suppress(OSError, ValueError):  # the folder is being removed
            return int(_server_of(self.folder).get("pid", 0))
        return 0

    def renew(self) -> tuple[Address, str | None]:
        """Attach again after the server has died."""
        with self._renewing:
            self.check()
            if self._child is not None and self._child.poll() is not None:
                self._child = None
            return self.attach()

    def claim(self) -> bool:
        """Become the one crawl that writes; False if another process is."""
        return self._writing.own()

    def check(self) -> None:
        """Raise StoreError if files were removed while the server is running; it would continue without them."""
        if not self._share.is_there():
            raise StoreError(message("the store at {folder} was removed while it was in use", folder=self.folder), GONE)
        lost = damage(self.folder)
        if lost:
            raise StoreError(
                message("the store at {folder} was damaged while it was in use: {lost}", folder=self.folder, lost=lost),
                RESTORE,
            )

    def leave(self) -> None:
        """Stop using the store. Waits for the server's end if this process started it and is the last user."""
        last = self._share.own()
        self._share.release()
        self._writing.release()
        if last and self._child is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):  # it will end by itself later
                self._child.wait(STOP_SECONDS)

    def is_alone(self) -> bool:
        """Whether no other process uses the store; then none can begin to."""
        return self._share.own()

    def remove(self, made: Sequence[Path]) -> None:
        """End the server at once, and remove the store, which only this process uses (`is_alone`). `made`: the folders
        that were made for it, the store's own first.
        """
        if self._child is not None:
            self._child.kill()
            self._child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.leave()
        for path in made[1:]:
            with contextlib.suppress(OSError):  # something else is in it by now
                path.rmdir()

    def _start(self) -> None:
        """Start a server unless one is running or starting; StoreError if the server started by this process has
        failed.
        """
        if self._child is not None:
            code = self._child.poll()
            if code is None:
                return
            if code == DAMAGED:
                raise StoreError(
                    message(
                        "the store at {folder} is damaged: {damage}", folder=self.folder, damage=damage(self.folder)
                    ),
                    RESTORE,
                )
            if code not in (TAKEN, PORT_TAKEN):
                cure = message(
                    "is the disk full, or the folder damaged? {folder} has details; or give another --store",
                    folder=self.folder / LOG,
                )
                raise StoreAway(message("the store's server ended while starting (exit code {code})", code=code), cure)
        if self.is_served():
            return
        (self.folder / LOG).touch(0o600)
        with (self.folder / LOG).open("ab") as log:
            self._child = subprocess.Popen(
                [sys.executable, "-m", "graphdb.embedded.server_process", str(self.folder), *self._how],
                cwd=ROOT,
                env=child_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in the terminal must reach the crawl only
            )


_early: dict[Path, _User] = {}  # whose server this process has begun to start, and not used yet
