"""The file of a record: opened and created, one process that writes, readers that never wait, errors in words.

- The file is in WAL mode, and a commit is on disk when it returns (`synchronous = FULL`). After kill -9 `NORMAL` would
  keep everything, too, but not after a power failure; and one fsync for each batch costs no CPU.
- The process that writes holds flock on a file beside it. SQLite's own lock would not do: held between transactions, it
  keeps readers out (`locking_mode`), and on the file itself it would be lost whenever any other descriptor of that file
  is closed in this process (fcntl(2)).
- Every read has a connection of its own, which sees one state of the record while others are committed. A record in
  memory has one connection for everything; its reads are whole lists, and they take turns with writing.
"""

import errno
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path

from graphdb.file_locks import Lock
from graphdb.record.batch_rows import in_sentences, stored_shares
from graphdb.record.sql_statements import SCHEMA
from graphdb.store_folder import OF_A_CRAWL
from ontology.errors import NoStore, StoreAway, StoreError
from ontology.file_failures import is_there, why_refused
from ontology.messages import message
from semantic.reasons import from_json

MEMORY = ":memory:"
LOCK = "-lock"  # ending of the file that the writer holds, beside SQLite's -wal and -shm
APPLICATION = 0x6F63726C  # "ocrl": `application_id` of the file
VERSION = 1  # `user_version`: to be increased when older programs must not use the file
BUSY_SECONDS = 10.0  # chosen, not measured
WRITER_CACHE, READER_CACHE = 65_536, 8192  # KiB of the file in memory: most of the index of addresses; chosen
# Pages of the file that are written before they are moved into place. Measured with 400,000 waiting links: with the
# default of 1,000 a crawled page costs 7 % more, with 65,536 5 % less and 256 MB of disk.
CHECKPOINT = 16_384
OTHER_WRITER_CURE = message("wait for its end or end it with Ctrl-C, then run this again; or give another --store")
NEWER_CURE = message("use that version, or give another --store")
NONE_CURE = message("crawl first: {command} crawl --store DIR …")
OWNER_CURE = message("run it as the folder's owner; copy a store on a read-only disk to another disk first")
ROOM_CURE = message("free some space, then run the same command again: it goes on")
DAMAGED_CURE = message(
    "put a copy of it in its place; what can be read of it, SQLite's own program saves: sqlite3 FILE .recover"
)
BUSY_CURE = message("close the program that has it open, for example a browser of databases")
GONE_CURE = message("its content is lost, unless there is a copy to put in its place")
DISK_CURE = message("give a --store on a disk of this machine")

Saving = Callable[[], AbstractContextManager[None]]
Parameters = Sequence[object] | Mapping[str, object]

# what a column becomes by its name: `SELECT reasons AS "reasons [json]"`; NULL is always None
sqlite3.register_converter("bool", b"1".__eq__)
sqlite3.register_converter("json", json.loads)
sqlite3.register_converter("reasons", from_json)
sqlite3.register_converter("sentences", in_sentences)
sqlite3.register_converter("shares", stored_shares)


class Database:
    """An open record.

    - `path`: of the file; None in memory.
    - `create`: make the file if there is none.
    - `patience`: how many seconds a lock of another program is waited for.
    - `saving`: a context entered for each write, so that others know that one is under way.
    """

    def __init__(
        self, path: Path | None, *, create: bool = True, patience: float = BUSY_SECONDS, saving: Saving = nullcontext
    ) -> None:
        self.path = path
        self._patience = patience
        self._saving = saving
        self._lock: Lock | None = None
        self._turn = threading.RLock()  # of the connection that writes
        self._idle: list[sqlite3.Connection] = []  # for reading
        self._is_closed = False
        with self._told():
            if path is not None and not is_there(path):
                if not create:
                    raise _nothing(path)
                _make(path)
            self._main = self._connection(WRITER_CACHE)
            try:
                self._begin(create=create)
            except BaseException:
                self.close()
                raise
        self._place = None if path is None else _place(path)

    def read(self, statement: str, parameters: Parameters = ()) -> Iterator[sqlite3.Row]:
        """The rows of one statement, in one state of the record."""
        if self.path is None:
            with self._turn, self._told():
                rows = self._main.execute(statement, parameters).fetchall()
            yield from rows
            return
        with self.reading() as connection:
            yield from connection.execute(statement, parameters)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection on which all statements see one state of the record."""
        if self.path is None:
            with self._turn, self._told():
                yield self._main
            return
        with self._told():
            connection = self._idle.pop() if self._idle else self._connection(READER_CACHE)
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                connection.rollback()
                if self._is_closed:
                    connection.close()
                else:
                    self._idle.append(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection in a transaction, which is committed at the end, or undone if that is not reached.

        Raises StoreError if another process writes, StoreAway if another program locks the file.
        """
        self.claim()
        with self.noting() as connection:
            yield connection

    @contextmanager
    def noting(self) -> Iterator[sqlite3.Connection]:
        """The same for a few rows beside the crawl, such as a person's wishes: any process may, one after another.

        Raises StoreAway if another program locks the file for long.
        """
        with self._saving(), self._turn, self._told():
            self._check_place()
            self._main.execute("BEGIN IMMEDIATE")
            try:
                yield self._main
                self._main.execute("COMMIT")
            finally:
                self._main.rollback()  # does nothing after the commit

    @contextmanager
    def writing_from(self, other: Path) -> Iterator[sqlite3.Connection]:
        """The same with another record attached as `other`, which is only read: nobody who writes there waits.

        Raises StoreError if the file is no record.
        """
        Database(other, create=False).close()
        with self._turn, ExitStack() as after, self.writing() as connection:
            # in the transaction, which would lock both files if it began with both; detached after its end
            connection.execute("ATTACH ? AS other", (str(other.resolve()),))
            after.callback(connection.execute, "DETACH other")
            yield connection

    def claim(self) -> None:
        """Become the one process that writes. Raises StoreError if another one is."""
        if not self.try_to_claim():
            raise StoreError("another crawl is writing to this store", OTHER_WRITER_CURE)

    def try_to_claim(self) -> bool:
        """Become the one process that writes; False if another one is."""
        if self.path is None or self._lock is not None:
            return True
        try:
            lock = Lock(Path(f"{self.path}{LOCK}"))
        except OSError as error:
            raise unusable(self.path, why_refused(error)) from error
        if not lock.own():
            lock.release()
            return False
        self._lock = lock
        return True

    def copy_to(self, other: "Database") -> None:
        """Copy one state of the record into an empty one."""
        other.claim()
        with self.reading() as connection, other._turn, other._told():
            connection.backup(other._main)  # copies pages of the file, below SQLite's transactions

    def close(self) -> None:
        """Close the file and let others write. May be called twice."""
        with self._turn:
            self._is_closed = True
            for connection in (*self._idle, self._main):
                connection.close()
            self._idle.clear()
            self._release()

    def _release(self) -> None:
        """Let others write."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _connection(self, cache: int) -> sqlite3.Connection:
        target = MEMORY if self.path is None else str(self.path)
        connection = sqlite3.connect(
            target,
            timeout=self._patience,
            isolation_level=None,
            check_same_thread=False,
            detect_types=sqlite3.PARSE_COLNAMES,
        )
        connection.row_factory = sqlite3.Row
        connection.execute(f"PRAGMA cache_size = -{cache}")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
        return connection

    def _begin(self, *, create: bool) -> None:
        """Make sure that the file is a record."""
        if _is_begun(self._main):
            return
        if self.path is not None and not create:
            raise _nothing(self.path)
        self.claim()
        (mode,) = self._main.execute("PRAGMA journal_mode = WAL").fetchone()
        if self.path is not None and mode != "wal":
            raise StoreError(message("{path} is on a disk that cannot hold a store", path=self.path), DISK_CURE)
        if not _is_begun(self._main):  # another process may have created it before this one had the lock
            stamps = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
            self._main.executescript(f"BEGIN; {SCHEMA.read_text('utf-8')} {stamps} COMMIT;")
        self._release()

    def _check_place(self) -> None:
        if self.path is not None and _place(self.path) != self._place:
            raise StoreError(
                message("the store at {folder} was removed while it was in use", folder=self.path), GONE_CURE
            )

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _refusal(self.path or Path(MEMORY), error) from error


def unusable(path: Path, why: str) -> StoreError:
    """The error for a record of another user, or on a disk that can only be read."""
    return StoreError(message("{path} cannot be used: {why}", path=path, why=why), OWNER_CURE)


def _make(path: Path) -> None:
    """Make the file, for its owner alone."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:  # another process has made it meanwhile; SQLite says what is wrong with a file in the way
        return
    except OSError as error:
        raise unusable(path, why_refused(error)) from error


def _is_begun(connection: sqlite3.Connection) -> bool:
    """Whether the file has a schema; False for an empty file. Raises StoreError for anything else than a record."""
    (application,), (version,), (tables,) = (
        connection.execute(asked).fetchone()
        for asked in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    )
    path = connection.execute("PRAGMA database_list").fetchone()["file"]
    if application != APPLICATION and (application or version or tables):
        raise _foreign(path)
    if version > VERSION:
        raise StoreError(message("{folder} was made by a newer version of ontocrawl", folder=path), NEWER_CURE)
    return bool(tables)


def _nothing(path: Path) -> StoreError:
    return NoStore(message("there is no store at {folder}", folder=path.parent), NONE_CURE)


def _foreign(path: object) -> StoreError:
    return StoreError(message("{path} is not the record of a crawl", path=path), OF_A_CRAWL)


def _place(path: Path) -> tuple[int, int] | None:
    """By which a file is known, whatever its name; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _refusal(path: Path, error: sqlite3.Error) -> Exception:
    """The error for the user; the same error if it is a bug."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the higher bits say more of the same
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreAway(message("{path} is locked by another program", path=path), BUSY_CURE)
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            why = why_refused(OSError(errno.ENOSPC, "")) if code == sqlite3.SQLITE_FULL else error
            return StoreError(message("{path} cannot be read or written: {why}", path=path, why=why), ROOM_CURE)
        case sqlite3.SQLITE_NOTADB:
            return _foreign(path)
        case sqlite3.SQLITE_CORRUPT:
            return StoreError(message("{path} is damaged: {why}", path=path, why=error), DAMAGED_CURE)
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return unusable(path, why_refused(OSError(errno.EISDIR, "") if path.is_dir() else error))
    return error
