"""WARC files as a source: the same crawl without the network.

A page is found by its identity (`semantic.urls.identity`): scheme, default port, %-coding and a trailing
`index.html` do not matter. It was recorded under one address: an answer to another spelling is a redirect there, as a
server would give it, so that no page counts twice. Of two records with one identity the first counts, unless it was
not answered 200 and the second was. What was recorded with tracking parameters alone (`?utm_source=x`), which no crawl
asks with, is found without. What is missing answers 404, and so does a missing robots.txt.

What `crawl --warc` wrote answers more exactly: by the very address, as at the last time it was asked, so that the same
crawl again gets what the first one got; only what was not asked for under that spelling is looked up as above. An
answer that nothing has changed (304) leaves the one before. Retry-After is left out: it was meant for who recorded it.
"""

import lzma
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from crawler.archive.warc_format import Response, read_responses
from crawler.fetch.content_coding import CodingError, decoder_for
from crawler.ports import Conditions, Failed, Fetched, Outcome
from ontology.errors import SettingsError
from semantic.urls import identity, normalise

_XZ = b"\xfd7zXZ\x00"
OURS = "ontocrawl/"
LARGEST = 10_000_000  # bytes of a body, decompressed: a sitemap's
_KINDS = {"length": "too-large", "time": "timeout", "disconnect": "read"}  # how a crawl calls a body that is not whole


@dataclass(frozen=True, slots=True)
class _Recorded:
    """One answer; `packed`: its body, compressed (a web of 300 MB takes 70). `problem`: why it is no whole answer."""

    url: str
    status: int
    headers: Mapping[str, str]
    packed: bytes
    problem: str

    def outcome(self) -> Fetched | Failed:
        if self.problem:
            return Failed(self.url, self.problem, "as recorded", self.headers)
        return Fetched(self.url, self.status, self.headers, zlib.decompress(self.packed))


class ArchiveSource:
    """Answers from a `.warc`, `.warc.gz` or `.warc.xz` file, told apart by content, or from a folder of them, in the
    order of their names. All is read when made.

    A file that is cut short or damaged gives what it has before that; `remarks` tell. `spelled`: name -> address as
    recorded, where the crawl spells it otherwise. Raises SettingsError where nothing can be read.
    """

    def __init__(self, path: Path) -> None:
        self._pages: dict[str, _Recorded] = {}
        self._ours: dict[str, _Recorded] = {}
        self.spelled: dict[str, str] = {}
        self.remarks: list[str] = []
        for file in archive_files(path):
            self._read(file)
        if not self._pages:
            told = self.remarks[0] if self.remarks else f"{path} holds no HTTP responses"
            raise SettingsError(told, "give a WARC file (.warc, .warc.gz, .warc.xz)")
        self._name_tracked()

    def answers(self) -> Iterator[tuple[str, Fetched]]:
        """Every whole answer once, as `fetch` gives it, with the name under which it is found, in the files' order.

        The name is the identity of the address as recorded, which with tracking parameters is not that of the answer's.
        """
        for name, page in self._pages.items():
            outcome = self._ours.get(page.url, page).outcome()
            if isinstance(outcome, Fetched):
                yield name, outcome

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Answer as recorded, on whatever conditions."""
        page = self._ours.get(url) or self._pages.get(identity(url))
        if page is None:
            return Fetched(url, 404, {}, b"")
        if page.url != url:
            return Fetched(url, 301, {"location": page.url}, b"")
        return page.outcome()

    async def close(self) -> None:
        """Nothing to free."""

    def _read(self, file: Path) -> None:
        number = 0
        try:
            with _opened(file) as stream:
                for response in read_responses(stream):
                    self._take(response)
                    number += 1
        except (OSError, EOFError, lzma.LZMAError) as error:
            told = f"only its first {number:,} answers could be read: {error}" if number else str(error)
            self.remarks.append(f"{file}: {told}")

    def _take(self, response: Response) -> None:
        name = identity(response.url)
        held = self._pages.get(name)
        ours = response.software.startswith(OURS)
        better = held is None or (held.status != 200 and response.status == 200)
        if (not better and not ours) or (held is not None and response.status == 304):
            return
        page = _recorded(response)
        if better or held is None:
            self._pages[name] = page
            self.spelled[name] = response.url
        if ours:
            self._ours[page.url] = page

    def _name_tracked(self) -> None:
        """What was recorded under no other address than one with tracking parameters gets the name without."""
        for name in list(self._pages):
            plain = identity(self._pages[name].url)
            if plain not in self._pages:
                self._pages[plain] = self._pages.pop(name)
                self.spelled[plain] = self.spelled.pop(name)
        self.spelled = {name: url for name, url in self.spelled.items() if url != self._pages[name].url}


def archive_files(path: Path) -> list[Path]:
    """The files of an archive, in the order of their names."""
    try:
        return sorted(file for file in path.iterdir() if ".warc" in file.suffixes) if path.is_dir() else [path]
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}", "give a folder that can be read") from error


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as stream:
        packed = stream.read(len(_XZ)) == _XZ
    return cast("IO[bytes]", lzma.open(path)) if packed else path.open("rb")


def _recorded(response: Response) -> _Recorded:
    ours = response.software.startswith(OURS)
    problem = _KINDS.get(response.truncated, "") if ours else ""
    try:
        body = b"" if problem else _decoded(response)
    except CodingError:  # elsewhere a body may have been decoded, and its header left as it was
        body, problem = (b"", problem or "encoding") if ours else (response.body, "")
    url = normalise(response.url) or response.url
    headers = {name: value for name, value in response.headers.items() if name != "retry-after"}
    return _Recorded(url, response.status, headers, zlib.compress(body, 1), problem)


def _decoded(response: Response) -> bytes:
    if response.status != 200 and not response.body:
        return b""
    decoder = decoder_for(response.headers.get("content-encoding", ""))
    return decoder.feed(response.body, LARGEST) if response.body else b""
