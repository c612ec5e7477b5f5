"""`--warc`: writes what is fetched, as it was sent, to WARC files beside the crawl.

- An exchange is written before its answer is used, so that the store contains no page that is missing on disk.
- Packing and writing run in a thread of their own, one exchange at a time; zlib runs beside the event loop.
- A record is written in one piece: after a kill, every file can be read up to its last complete record. A full disk
  ends the crawl; the incomplete record is removed first.
- An existing file is never opened: each run begins a new one, and another one when a file has reached its size.
"""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from crawler.archive.warc_format import pack_conversion, pack_exchange, pack_info
from crawler.ports import Exchange
from ontology.errors import CrawlBroken, SettingsError
from ontology.file_failures import is_short_of_files, why_refused
from ontology.messages import message

FILE_BYTES = 1_000_000_000  # size after which a new file begins, as ISO 28500 recommends
RECENT = 10_000  # answers of which the ids are remembered: about 2 MB; chosen, not measured
AWAY_SECONDS, RETRY_SECONDS = 180.0, 1.0  # for which a new file is tried again; as `crawler.engine.patient_store`
ROOM_CURE = message("make room there, then run the same command again: it goes on")


class WarcFiles:
    """WARC files in a folder; a `Recorder`. Creates the folder. Raises SettingsError if that is not possible.

    `noted`: is told of each response that was written: its file's name, where it begins, its length, the exchange.
    """

    def __init__(
        self,
        folder: Path,
        software: str,
        size: int = FILE_BYTES,
        write: Callable[[int, bytes], int] = os.write,
        noted: Callable[[str, int, int, Exchange], None] = lambda *_: None,
    ) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(
                message("--warc {folder}: {why}", folder=folder, why=why_refused(error)),
                "give a folder that can be written",
            ) from error
        self._folder = folder
        self._software = software
        self._size = size
        self._write = write
        self._noted = noted
        self._name = ""
        self._recent: dict[str, str] = {}  # the ids of the last records, by address
        self._file: int | None = None
        self._written = 0
        self._info = ""
        self._thread = ThreadPoolExecutor(1, "warc")

    async def record(self, exchange: Exchange) -> None:
        """Write request and response; raises CrawlBroken if they cannot be written."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._record, exchange)

    async def convert(self, url: str, html: bytes) -> None:
        """Write what a page became, beside its answer; raises CrawlBroken if it cannot be written."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._convert, url, html)

    def close(self) -> None:
        """Close the file, after everything passed to `record` is written."""
        self._thread.shutdown()
        self._end_file()

    def _record(self, exchange: Exchange) -> None:
        try:
            self._begin_if_due()
            start = self._written
            response, request, identity = pack_exchange(exchange, self._info)
            self._append(response + request)
            self._remember(exchange.url, identity)
            self._noted(self._name, start, len(response), exchange)
        except OSError as error:
            raise self._broken(error) from error

    def _convert(self, url: str, html: bytes) -> None:
        identity = self._recent.get(url)
        if identity is None:
            return
        try:
            self._begin_if_due()
            self._append(pack_conversion(url, html, datetime.now(UTC), identity, self._info))
        except OSError as error:
            raise self._broken(error) from error

    def _remember(self, url: str, identity: str) -> None:
        self._recent.pop(url, None)
        self._recent[url] = identity
        if len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]

    def _broken(self, error: OSError) -> CrawlBroken:
        what = message("the WARC files in {folder}: {why}", folder=self._folder, why=why_refused(error))
        return CrawlBroken(what, ROOM_CURE)

    def _begin_if_due(self) -> None:
        """Begin a file where one is wanted, as soon as the system lets this process open it."""
        until = time.monotonic() + AWAY_SECONDS
        is_due = self._file is None or self._written >= self._size
        while is_due:
            try:
                self._begin_file()
                is_due = False
            except OSError as error:
                if not is_short_of_files(error) or time.monotonic() > until:
                    raise
                time.sleep(RETRY_SECONDS)

    def _begin_file(self) -> None:
        self._end_file()
        now = datetime.now(UTC)
        path, self._file = self._new_file(f"{now:%Y%m%dT%H%M%SZ}")
        self._name = path.name
        record, self._info = pack_info(path.name, now, self._software)
        self._append(record)

    def _new_file(self, moment: str) -> tuple[Path, int]:
        number = 0
        while True:
            path = self._folder / f"ontocrawl-{moment}-{number:05}.warc.gz"
            try:
                return path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            except FileExistsError:
                number += 1

    def _append(self, data: bytes) -> None:
        assert self._file is not None
        left = data
        try:
            while left:
                left = left[self._write(self._file, left) :]
        except OSError:
            os.ftruncate(self._file, self._written)
            os.lseek(self._file, self._written, os.SEEK_SET)
            raise
        self._written += len(data)

    def _end_file(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file, self._written = None, 0
