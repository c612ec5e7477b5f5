"""Puts the journal's records into the graph, in a thread of the store's server, as soon as they are there.

All records that have arrived go into the graph as one transaction, up to `GROUP_BYTES`: the further the graph is
behind, the larger the transaction, and the less a page costs. The same transaction stores the number of its last
record, so this may be interrupted at any moment and started again.
"""

import contextlib
import gc
import threading
import traceback
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from graphdb.embedded.journal import (
    LOST_CURE,
    JournalReader,
    State,
    journal_files,
    new_file,
    unpacked,
    write_state,
)
from graphdb.graph.graph_store import Writing, fill, filled_up_to
from graphdb.neo4j.bolt_driver import Result, Rows, Run
from ontology.errors import StoreAway, StoreError
from semantic.records import Batch

LOOK_SECONDS = 0.02  # between two checks for new records; chosen, not measured
# The same where nothing has come for some time. Measured: a server that nobody asks uses 1.0 instead of 2.2 % of a core
IDLE_LOOK_SECONDS = 0.2
RETRY_SECONDS = 1.0  # after an error; chosen, not measured
# About 250 pages (63 kB each, measured). The server's heap of 1 GB has several times as much as the batches and their
# transaction need. Chosen, not measured.
GROUP_BYTES = 2**24


class Filling:
    """Fills the graph of the store in `folder` until it is stopped. `connect`: called when there is a first record."""

    def __init__(self, folder: Path, connect: Callable[[], Writing]) -> None:
        self._folder = folder
        self._connect = connect
        self._connection: Writing | None = None
        self._stopping = threading.Event()
        self._state = State()
        self._reader = JournalReader(folder, 0)
        self._left: bytes | None = None  # a record that was read and did not fit into the former group
        self._must_restart = False  # records that were read did not get into the graph
        self._thread = threading.Thread(target=self._run, name="filling", daemon=True)

    def start(self) -> None:
        """Write up to where the graph is filled, and begin.

        From then on garbage is only collected after each group. Measured: collection took half of the time of reading
        the records. Objects that exist already, such as modules, are not examined again: 26 ms for each group.
        """
        gc.freeze()
        gc.disable()
        if journal_files(self._folder):
            self._begin()
        self._thread.start()

    def stop(self) -> None:
        """End, and undo the current transaction: the next server repeats it. If everything is in the graph, begin a new
        file, so that the others can be removed.
        """
        self._stopping.set()
        self._thread.join()
        files = journal_files(self._folder)
        is_complete = not self._must_restart and self._left is None and next(iter(self._reader), None) is None
        if files and is_complete and int(files[-1].name) <= self._state.filled:
            new_file(self._folder, self._state.filled + 1)
        self._reader.close()
        if self._connection is not None:
            self._connection.close()

    def filled_files(self) -> list[Path]:
        """The files whose records are all in the graph, without the newest file."""
        files = journal_files(self._folder)
        return [path for path, later in pairwise(files) if int(later.name) <= self._state.filled + 1]

    def _begin(self) -> None:
        """Find the last record in the graph. The graph is not asked if the journal is empty."""
        files = journal_files(self._folder)
        if any(path.stat().st_size for path in files):
            self._connection = self._connection or self._connect()
            filled = filled_up_to(self._connection)
        else:
            filled = int(files[-1].name) - 1
        self._reader.close()
        self._reader, self._left, self._must_restart = JournalReader(self._folder, filled), None, False
        self._say(State(filled, self._state.failed))

    def _run(self) -> None:
        wait = LOOK_SECONDS
        while not self._stopping.is_set():
            try:
                if self._fill_some():
                    wait = LOOK_SECONDS
                else:
                    self._stopping.wait(wait)
                    wait = min(wait * 1.05, IDLE_LOOK_SECONDS)  # that much after 4 seconds without a record
            except _Stopped:
                self._must_restart = True
            except (
                Exception
            ) as error:  # any error is reported to those who wait for the graph, and filling is tried again
                self._must_restart = True
                if not isinstance(error, StoreAway):
                    traceback.print_exc()  # goes to the server's log
                    self._say(State(self._state.filled, str(error) or repr(error)))
                self._stopping.wait(RETRY_SECONDS)

    def _fill_some(self) -> bool:
        if self._must_restart:
            self._begin()
        batches = self._group()
        if not batches:
            if self._reader.record < self._state.filled:
                raise StoreError("the store's journal lacks records that the graph has", LOST_CURE)
            return False
        self._connection = self._connection or self._connect()
        record = self._state.filled + len(batches)
        fill(_UntilStopped(self._connection, self._stopping), batches, record)
        self._say(State(record))
        del batches
        gc.collect()
        return True

    def _group(self) -> list[Batch]:
        """The batches that are there, up to GROUP_BYTES; a batch that turns former pages into copies ends the group."""
        batches: list[Batch] = []
        size = 0
        for payload in self._payloads():
            if batches and size + len(payload) > GROUP_BYTES:
                self._left = payload
                break
            size += len(payload)
            batches.append(unpacked(payload))
            if batches[-1].copies:
                break
        return batches

    def _payloads(self) -> Iterator[bytes]:
        left, self._left = self._left, None
        if left is not None:
            yield left
        yield from self._reader

    def _say(self, state: State) -> None:
        self._state = state
        with contextlib.suppress(OSError):  # the folder was removed, or the disk is full: the others keep waiting
            write_state(self._folder, state)


class _Stopped(Exception):
    """The server is to end in the middle of a transaction."""


class _UntilStopped:
    """A connection whose transactions are undone between two statements once `stopping` is set."""

    def __init__(self, connection: Writing, stopping: threading.Event) -> None:
        self._connection = connection
        self._stopping = stopping
        self.has_labels = connection.has_labels
        self.read = connection.read
        self.close = connection.close

    def write(self, work: Callable[[Run], Result]) -> Result:
        """Do all of `work` in one transaction. Raises _Stopped where the server is to end."""
        return self._connection.write(lambda run: work(self._checked(run)))

    def _checked(self, run: Run) -> Run:
        def checked(statement: str, **parameters: Any) -> Rows:
            if self._stopping.is_set():
                raise _Stopped
            return run(statement, **parameters)

        return checked


def remove(files: list[Path]) -> None:
    """Remove files of the journal."""
    for path in files:
        path.unlink(missing_ok=True)
