"""WARC files as a source: the same crawl without the network.

A page is found by its identity (`semantic.urls.identity`): scheme, default port, %-coding and a trailing `index.html`
do not matter. It was recorded under one address; another spelling is answered by a redirect to that one, as a server
would do, so that no page counts twice. Of two records with one identity the first is used, unless it was not answered
200 and the second was. A page that was only recorded with tracking parameters (`?utm_source=x`), which a crawl removes,
is found without them. What is missing answers 404, also a missing robots.txt.

Files written by `crawl --warc` answer more exactly: by the exact address, with its last answer, so that the same crawl
again gets what the first one got; only addresses that were not recorded in that spelling are looked up as above. An
answer 304 (not changed) does not replace the one before. Retry-After is removed, because it was meant for the recording
crawl.

Memory. Only addresses and statuses are held; header fields and bodies are compressed into a file without a name, which
begins in memory and goes to the folder for temporary files (TMPDIR) when it has grown beyond `IN_MEMORY`.
"""

import json
import lzma
import tempfile
import weakref
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, cast

from crawler.archive.warc_format import Response, read_responses
from crawler.fetch.content_coding import MAX_BYTES, Body, CodingError, beginning, remark_of_cut
from crawler.ports import Conditions, Failed, Fetched, Outcome
from ontology.errors import SettingsError
from ontology.file_failures import refusal, why_refused
from ontology.messages import message
from semantic.parsing.document_types import true_headers
from semantic.urls import identity, normalise

_XZ = b"\xfd7zXZ\x00"  # the first bytes of an xz file
OURS = "ontocrawl/"  # how `software` begins in files written by this program
LARGEST = 10_000_000  # bytes of a decompressed body, enough for a sitemap; chosen, not measured
IN_MEMORY = 32_000_000  # bytes; the archives of a test or of one site; chosen, not measured
_KINDS = {"time": "timeout", "disconnect": "read"}  # WARC-Truncated -> kind of `Failed`


@dataclass(frozen=True, slots=True)
class _Recorded:
    """One answer. `at`: where its headers and body are. `problem`: why it is not complete, or ''. `is_cut`: its body
    was too large.
    """

    url: str
    status: int
    at: tuple[int, int]
    problem: str
    is_cut: bool = False


class _Contents:
    """Headers and bodies, compressed, in a temporary file."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY, prefix="ontocrawl-archive-")  # noqa: SIM115 - as long as this
        self._length = 0
        weakref.finalize(self, self._file.close)

    def put(self, headers: Mapping[str, str], body: bytes) -> tuple[int, int]:
        """Add one; returns where it is."""
        packed = zlib.compress(json.dumps(dict(headers)).encode() + b"\n" + body, 1)
        at = self._length, len(packed)
        try:
            self._file.seek(self._length)
            self._file.write(packed)
        except OSError as error:
            cure = message("make room in {folder}, or name another folder in TMPDIR", folder=tempfile.gettempdir())
            why = message("the pages of the archive cannot be laid out: {error}", error=why_refused(error))
            raise SettingsError(why, cure) from error
        self._length += len(packed)
        return at

    def get(self, at: tuple[int, int]) -> tuple[dict[str, str], bytes]:
        """The headers and the body at a place."""
        self._file.seek(at[0])
        head, _, body = zlib.decompress(self._file.read(at[1])).partition(b"\n")
        return json.loads(head), body


class ArchiveSource:
    """Answers from a `.warc`, `.warc.gz` or `.warc.xz` file (recognised by content), or from a folder of such files, in
    the order of their names. Everything is read by the constructor.

    A file that is cut short or damaged gives what comes before the damage; `remarks` describe it. `spelled`: name ->
    address as recorded, if the crawl spells it differently. Raises SettingsError if nothing can be read.
    """

    def __init__(self, path: Path) -> None:
        self._pages: dict[str, _Recorded] = {}
        self._ours: dict[str, _Recorded] = {}
        self._contents = _Contents()
        self.spelled: dict[str, str] = {}
        self.remarks: list[str] = []
        for file in archive_files(path):
            self._read(file)
        if not self._pages:
            what = self.remarks[0] if self.remarks else message("{path} holds no HTTP responses", path=path)
            raise SettingsError(what, "give a WARC file (.warc, .warc.gz, .warc.xz)")
        self._name_tracked()

    def answers(self) -> Iterator[tuple[str, Fetched]]:
        """Every complete answer once, as from `fetch`, with the name under which it is found, in the files' order.

        The name is the identity of the recorded address. With tracking parameters it differs from that of the answer's
        address.
        """
        for name, page in self._pages.items():
            outcome = self._outcome(self._ours.get(page.url, page))
            if isinstance(outcome, Fetched):
                yield name, outcome

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """Answer as recorded, whatever the conditions."""
        page = self._ours.get(url) or self._pages.get(identity(url))
        if page is None:
            return Fetched(url, 404, {}, b"")
        if page.url != url:
            return Fetched(url, 301, {"location": page.url}, b"")
        outcome = self._outcome(page)
        return outcome if robots or isinstance(outcome, Fetched) else replace(outcome, body=b"")

    async def close(self) -> None:
        """Do nothing: the archive may be asked again."""

    def _outcome(self, page: _Recorded) -> Fetched | Failed:
        headers, body = self._contents.get(page.at)
        if page.problem:
            return Failed(page.url, page.problem, "as recorded", headers, body=body)
        remark = remark_of_cut(len(body)) if page.is_cut else ""
        return Fetched(page.url, page.status, true_headers(headers, body), body, remark=remark)

    def _read(self, file: Path) -> None:
        number = 0
        try:
            with _opened(file) as stream:
                for response in read_responses(stream):
                    self._take(response)
                    number += 1
        except (OSError, EOFError, lzma.LZMAError) as error:
            what = (
                message(
                    "only its first {number:,} answers could be read: {error}", number=number, error=why_refused(error)
                )
                if number
                else why_refused(error)
            )
            self.remarks.append(message("{file}: {what}", file=file, what=what))

    def _take(self, response: Response) -> None:
        name = identity(response.url)
        before = self._pages.get(name)
        ours = response.software.startswith(OURS)
        better = before is None or (before.status != 200 and response.status == 200)
        if (not better and not ours) or (before is not None and response.status == 304):
            return
        page = self._recorded(response)
        if better or before is None:
            self._pages[name] = page
            self.spelled[name] = response.url
        if ours:
            self._ours[page.url] = page

    def _recorded(self, response: Response) -> _Recorded:
        ours = response.software.startswith(OURS)
        problem = _KINDS.get(response.truncated, "") if ours else ""
        is_cut = ours and response.truncated == "length"
        try:
            body = _decoded(response)
        except CodingError:  # other programs may store a decoded body with the original header
            body, problem = (b"", problem or "encoding") if ours else (response.body, "")
        if is_cut:
            body = beginning(body, MAX_BYTES)
            problem = problem if body else "too-large"
        url = normalise(response.url) or response.url
        headers = {name: value for name, value in response.headers.items() if name != "retry-after"}
        return _Recorded(url, response.status, self._contents.put(headers, body), problem, is_cut)

    def _name_tracked(self) -> None:
        """Give pages that were only recorded with tracking parameters the name without them."""
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
        raise SettingsError(*refusal(path, error, "give a folder that can be read")) from error


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as stream:
        packed = stream.read(len(_XZ)) == _XZ
    return cast("IO[bytes]", lzma.open(path)) if packed else path.open("rb")


def _decoded(response: Response) -> bytes:
    if response.status != 200 and not response.body:
        return b""
    body = Body(response.headers.get("content-encoding", ""), LARGEST)
    body.take(response.body)
    return body.decoded()
