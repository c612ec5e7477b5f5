"""A WARC file as a source: the same crawl without the network. Only this file imports fastwarc.

A page is found by its identity (`semantic.addresses.identity`): scheme, default port, %-coding and a trailing
`index.html` do not matter. It was recorded under one address: an answer to another spelling is a redirect there, as a
server would give it, so that no page counts twice. Of two records with one identity the first counts, unless it was
not answered 200 and the second was. What is missing answers 404, and so does a missing robots.txt.
"""

import lzma
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from crawler.ports import Fetched, Outcome
from ontology.errors import SettingsError
from semantic.addresses import identity, normalise

_XZ = b"\xfd7zXZ\x00"


@dataclass(frozen=True, slots=True)
class _Recorded:
    """One answer; `packed`: its body, compressed (a web of 300 MB takes 70)."""

    url: str
    status: int
    headers: Mapping[str, str]
    packed: bytes


class ArchiveSource:
    """Answers from a `.warc`, `.warc.gz` or `.warc.xz` file, told apart by content, read whole when made.

    Raises SettingsError where the file cannot be read or holds no responses. One that is cut short gives what it has.
    """

    def __init__(self, path: Path) -> None:
        self._pages: dict[str, _Recorded] = {}
        try:
            with _opened(path) as stream:
                self._load(stream)
        except (OSError, EOFError, lzma.LZMAError) as error:
            if not self._pages:
                raise SettingsError(f"{path}: {error}", "give a WARC file that can be read") from error
        if not self._pages:
            raise SettingsError(f"{path} holds no HTTP responses", "give a WARC file (.warc, .warc.gz, .warc.xz)")

    def answers(self) -> Iterator[tuple[str, Fetched]]:
        """Every recorded answer once, with the name under which it is found, in the order of the file.

        The name is the identity of the address as recorded, which with tracking parameters is not that of the answer's.
        """
        for name, page in self._pages.items():
            yield name, Fetched(page.url, page.status, page.headers, zlib.decompress(page.packed))

    async def fetch(self, url: str) -> Outcome:
        """Answer as recorded."""
        page = self._pages.get(identity(url))
        if page is None:
            return Fetched(url, 404, {}, b"")
        if page.url != url:
            return Fetched(url, 301, {"location": page.url}, b"")
        return Fetched(url, page.status, page.headers, zlib.decompress(page.packed))

    async def close(self) -> None:
        """Nothing to free."""

    def _load(self, stream: IO[bytes]) -> None:
        for record in _responses(stream):
            address = (record.headers.get("WARC-Target-URI") or "").strip("<>")
            name = identity(address)
            held = self._pages.get(name)
            if held is not None and held.status == 200:
                continue
            page = _recorded(record, normalise(address) or address)
            if held is None or page.status == 200:
                self._pages[name] = page


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as stream:
        packed = stream.read(len(_XZ)) == _XZ
    return cast("IO[bytes]", lzma.open(path)) if packed else path.open("rb")


def _responses(stream: IO[bytes]) -> Iterator[WarcRecord]:
    return iter(ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True, auto_decode="all"))


def _recorded(record: WarcRecord, url: str) -> _Recorded:
    http = record.http_headers
    headers = {name.lower(): value for name, value in http.items()}
    return _Recorded(url, http.status_code or 200, headers, zlib.compress(record.reader.read(), 1))
