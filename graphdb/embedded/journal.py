"""The embedded store's journal: batches that are committed and not in the graph yet. Only this file and
`semantic.memory.strategy_memory` import msgspec.

The journal is a folder of files, each named by the number of its first record. A record consists of its length and its
CRC-32 (4 bytes each), and the batch in MessagePack. It is committed when it is on disk (fsync). Only the crawl that
writes appends, always to a file of its own; only the store's server removes files, when all their records are in the
graph. So a record that was cut off by a crash is the last of its file, and the next file begins with its number; any
other gap means that files were lost.

`state.json` in the same folder is written by the server: up to which record the graph is filled, and why it cannot be
filled further.
"""

import json
import os
import re
import struct
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import msgspec

from graphdb.record.batch_rows import clean
from graphdb.store_folder import JOURNAL
from ontology.errors import StoreError
from ontology.messages import Message, message
from semantic.records import Batch

FILE_BYTES = 2**26  # size after which a new file begins, so that old ones can be removed; chosen, not measured
LOST_CURE = message("put a copy of the whole folder in its place, or crawl into another --store")
OTHER_CURE = message(
    "open the store once with the version of ontocrawl that wrote it: that fills the graph from the journal"
)
STATE = "state.json"
_HEADER = struct.Struct(">II")
_EMPTY, _BYTES = b"\xc4\x00", struct.Struct(">BI")  # no bytes; what precedes up to 2^32 of them ("bin 32", MessagePack)
_NAME = re.compile(r"\d{20}")


@dataclass(frozen=True, slots=True)
class State:
    """The number of the last record in the graph. `failed`: why the graph cannot be filled further, or ''."""

    filled: int = 0
    failed: str = ""


def read_state(folder: Path) -> State:
    """The state as the server has written it; nothing filled if there is none."""
    try:
        return State(**json.loads((folder / JOURNAL / STATE).read_text()))
    except FileNotFoundError:
        return State()


def write_state(folder: Path, state: State) -> None:
    """Write the state for all waiting processes."""
    new = folder / JOURNAL / f"{STATE}.new"
    new.write_text(json.dumps({"filled": state.filled, "failed": state.failed}))
    new.replace(folder / JOURNAL / STATE)


def journal_files(folder: Path) -> list[Path]:
    """The journal's files, oldest first; none in a store that was created before there were journals."""
    try:
        return sorted(path for path in (folder / JOURNAL).iterdir() if _NAME.fullmatch(path.name))
    except FileNotFoundError:
        return []


def new_file(folder: Path, record: int) -> Path:
    """Create an empty file whose first record has this number. An existing file has no complete record, and is
    emptied.
    """
    path = folder / JOURNAL / f"{record:020}"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    at = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(at)
    finally:
        os.close(at)
    return path


class JournalReader:
    """Reads records as they are appended. `record`: the number of the last one read."""

    def __init__(self, folder: Path, record: int) -> None:
        """Start after a record."""
        self._folder = folder
        self._file: BinaryIO | None = None
        self._path = Path()
        self._skip_to = self.record = record

    def __iter__(self) -> Iterator[bytes]:
        """All records that are there now. Raises StoreError if records are missing or damaged."""
        while True:
            payload = self._next()
            if payload is None:
                return
            if self.record > self._skip_to:
                yield payload

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _next(self) -> bytes | None:
        """The next record, if necessary from the next file; None if no further record is complete yet."""
        while True:
            if self._file is not None:
                payload = self._read(self._file)
                if payload is not None:
                    self.record += 1
                    return payload
            if not self._go_on():
                return None

    def _read(self, file: BinaryIO) -> bytes | None:
        at = file.tell()
        header = file.read(_HEADER.size)
        if len(header) == _HEADER.size:
            size, checksum = _HEADER.unpack(header)
            payload = file.read(size)
            if payload and len(payload) == size:
                if zlib.crc32(payload) == checksum:
                    return payload
                if file.read(1):  # not cut off by a crash, because more was written after it
                    raise StoreError(
                        message(
                            "the store's journal is damaged: {path}, record {record}",
                            path=self._path.name,
                            record=self.record + 1,
                        ),
                        LOST_CURE,
                    )
        file.seek(at)
        return None

    def _go_on(self) -> bool:
        """Open the file that contains the next record; False if there is none."""
        later = [path for path in journal_files(self._folder) if path.name > self._path.name]
        if self._file is None:  # begin with the last file that begins early enough, or with the first
            early = [path for path in later if int(path.name) <= self.record + 1]
            later = early[-1:] or later
        if not later:
            return False
        first = int(later[0].name)
        if first != self.record + 1 and (self._file is not None or first > self.record + 1):
            missing = message(
                "of the store's journal the records {record} to {first} are missing",
                record=self.record + 1,
                first=first - 1,
            )
            raise StoreError(missing, LOST_CURE)
        self.close()
        self._path, self._file = later[0], later[0].open("rb")
        self.record = first - 1
        return True


class JournalWriter:
    """Appends the batches of one crawl; each is on disk before `append` returns."""

    def __init__(self, folder: Path, record: int) -> None:
        """`record`: the number of the last existing record."""
        self._folder = folder
        self.record = record
        self._encoder = msgspec.msgpack.Encoder(enc_hook=_plain)
        self._sizes: deque[tuple[int, int]] = deque()
        self._open()

    def append(self, batch: Batch) -> None:
        """Commit a batch. Raises OSError if it cannot be written (then no part of it is left), OverflowError for a
        number that no store can hold.
        """
        parts = self._packed(batch)
        size, checksum = 0, 0
        for part in parts:
            size, checksum = size + len(part), zlib.crc32(part, checksum)
        if self._size > FILE_BYTES:
            before = self._file
            self._open()
            os.close(before)
        if not os.fstat(self._file).st_nlink:
            raise FileNotFoundError(f"{self._path} was removed while it was in use")
        try:
            for part in (_HEADER.pack(size, checksum), *parts):
                _write(self._file, part)
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, self._size)
            raise
        self._size += _HEADER.size + size
        self.record += 1
        self._sizes.append((self.record, size))

    def waiting_bytes(self, filled: int) -> int:
        """The size of the records after this one."""
        while self._sizes and self._sizes[0][0] <= filled:
            self._sizes.popleft()
        return sum(size for _, size in self._sizes)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _open(self) -> None:
        path = new_file(self._folder, self.record + 1)
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        self._path, self._size = path, 0

    def _packed(self, batch: Batch) -> list[bytes]:
        """A batch in MessagePack. The strategy's memory, tens of MB after a long crawl, is a part of its own that is
        not copied: it is the batch's last field, so an empty one before it is all that has to be replaced.
        """
        if not batch.memory:
            return [self._encoded(batch)]
        rest = self._encoded(replace(batch, memory=b""))
        assert rest.endswith(_EMPTY)
        return [rest[: -len(_EMPTY)] + _BYTES.pack(0xC6, len(batch.memory)), batch.memory]

    def _encoded(self, batch: Batch) -> bytes:
        try:
            return self._encoder.encode(batch)
        except UnicodeEncodeError:  # rare: lone surrogates, which no store accepts
            return self._encoder.encode(_cleaned(msgspec.to_builtins(batch, builtin_types=(bytes,), enc_hook=_plain)))


def unpacked(payload: bytes) -> Batch:
    """The batch of a record. Raises StoreError if it was written by another version and cannot be read."""
    try:
        return msgspec.msgpack.decode(payload, type=Batch)
    except msgspec.DecodeError as error:
        raise StoreError(
            message("the store's journal is of another version: {error}", error=error), OTHER_CURE
        ) from error


def packed(value: object) -> bytes:
    """Rows of plain properties in MessagePack."""
    return msgspec.msgpack.encode(value)


def _plain(value: object) -> object:
    """A number of numpy as Python's own; a message as its text."""
    if isinstance(value, Message):
        return str(value)
    item = getattr(value, "item", None)
    if item is None:
        raise TypeError(f"no store keeps a {type(value).__name__}")
    return item()


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value


def _write(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]
