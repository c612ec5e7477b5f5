"""WARC files as a source: the same crawl without the network.

A page is found by its identity (`semantic.urls.identity`): scheme, default port, %-coding and a trailing `index.html`
do not matter. It was recorded under one address; another spelling is answered by a redirect to that one, as a server
would do, so that no page counts twice. Of two records with one identity the first is used, unless it was not answered
200 and the second was. A page that was only recorded with tracking parameters (`?utm_source=x`), which a crawl removes,
is found without them. What is missing fails as `NOT_IN_ARCHIVE`, which is no error; a missing robots.txt answers 404.

Files written by `crawl --warc` answer more exactly: by the exact address, with its last answer, so that the same crawl
again gets what the first one got; only addresses that were not recorded in that spelling are looked up as above. An
answer 304 (not changed) does not replace the one before. Retry-After is removed, because it was meant for the recording
crawl.

Memory. Only addresses and statuses are held; header fields and bodies are compressed into a file without a name, which
begins in memory and goes to the folder for temporary files (TMPDIR) when it has grown beyond `IN_MEMORY`.
"""

import json
import tempfile
import weakref
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from crawler.archive.archive_files import archive_files, warc_streams
from crawler.archive.unpacking import DAMAGE
from crawler.archive.warc_reading import LARGEST as LARGEST_RECORD
from crawler.archive.warc_reading import LeftOut, Response, read_responses
from crawler.fetch.content_coding import MAX_BYTES, Body, CodingError, beginning
from crawler.ports import NOT_IN_ARCHIVE, Conditions, Failed, Fetched, Outcome
from ontology.errors import SettingsError
from ontology.file_failures import why_refused
from ontology.messages import joined, message
from semantic.parsing.document_types import true_headers
from semantic.reasons import because
from semantic.urls import identity, is_robots_url, normalise

OURS = "ontocrawl/"  # how `software` begins in files written by this program
LARGEST = 10_000_000  # bytes of a decompressed body, enough for a sitemap; chosen, not measured
SHOWN_LENGTH = 100  # characters of an address without a page that is named; chosen
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
    """Answers from a WARC or WACZ file, packed or not (recognised by content), or from a folder of such files, in the
    order of their names. Everything is read by the constructor.

    What is damaged costs the records there; `remarks` describe what is left out. `spelled`: name ->
    address as recorded, if the crawl spells it differently. Raises SettingsError if nothing can be read.
    """

    def __init__(self, path: Path) -> None:
        self._pages: dict[str, _Recorded] = {}
        self._ours: dict[str, _Recorded] = {}
        self._revisits: dict[str, tuple[str, str]] = {}
        self._contents = _Contents()
        self.spelled: dict[str, str] = {}
        self.remarks: list[str] = []
        for file in archive_files(path):
            self._read(file)
        self._resolve_revisits()
        if not self._pages:
            what = self.remarks[0] if self.remarks else message("{path} holds no HTTP responses", path=path)
            raise SettingsError(what, "give a WARC or WACZ file, or a folder of them")
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
            return Fetched(url, 404, {}, b"") if robots or is_robots_url(url) else Failed(url, NOT_IN_ARCHIVE)
        if page.url != url:
            return Fetched(url, 301, {"location": page.url}, b"")
        outcome = self._outcome(page)
        return outcome if robots or isinstance(outcome, Fetched) else replace(outcome, body=b"")

    async def fetch_part(self, url: str) -> Outcome:
        """Answer as recorded."""
        return await self.fetch(url)

    async def convert(self, url: str, html: bytes) -> None:
        """Do nothing: an archive is only read."""

    async def close(self) -> None:
        """Do nothing: the archive may be asked again."""

    def _outcome(self, page: _Recorded) -> Fetched | Failed:
        headers, body = self._contents.get(page.at)
        if page.problem:
            return Failed(page.url, page.problem, because("as recorded"), headers, body=body)
        remark = because("cut", number=len(body)) if page.is_cut else None
        return Fetched(page.url, page.status, true_headers(headers, body), body, remark=remark)

    def _read(self, file: Path) -> None:
        try:
            for name, stream in warc_streams(file, self.remarks):
                self._read_warc(name, stream)
        except OSError as error:
            self._remark(str(file), why_refused(error))

    def _read_warc(self, name: str, stream: IO[bytes]) -> None:
        left_out, number = LeftOut(), 0
        try:
            for response in read_responses(stream, left_out):
                self._take(response)
                number += 1
        except DAMAGE as error:
            left_out.damaged, what = 0, why_refused(error)
            if number:
                what = message("only its first {number:,} answers could be read: {error}", number=number, error=what)
            self._remark(name, what)
        if not left_out.kinds and left_out.damaged:
            self._remark(name, message("not a WARC file, or damaged"))
            return
        for what in _told(left_out):
            self._remark(name, what)
        if not number and left_out.kinds:
            kinds = joined(f"{kind or '?'} ({count})" for kind, count in left_out.kinds.most_common(5))
            self._remark(name, message("no HTTP responses among its records: {kinds}", kinds=kinds))

    def _remark(self, name: str, what: str) -> None:
        self.remarks.append(message("{file}: {what}", file=name, what=what))

    def _take(self, response: Response) -> None:
        name = identity(response.url)
        if response.refers_to:
            if name not in self._pages:
                self._revisits[name] = response.url, response.refers_to
            return
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

    def _resolve_revisits(self) -> None:
        """Answer an address whose body was not stored again with the answer that its record refers to."""
        missing = []
        for name, (url, refers_to) in self._revisits.items():
            page = self._pages.get(identity(refers_to))
            if name in self._pages:
                continue
            if page is None:
                missing.append(url)
            else:
                self._pages[name] = replace(page, url=normalise(url) or url)
                self.spelled[name] = url
        if missing:
            what = message(
                "{number:,} answers are left out whose bodies are in another archive, such as {url}",
                number=len(missing),
                url=missing[0],
            )
            self.remarks.append(what)

    def _name_tracked(self) -> None:
        """Give pages that were only recorded with tracking parameters the name without them."""
        for name in list(self._pages):
            plain = identity(self._pages[name].url)
            if plain not in self._pages:
                self._pages[plain] = self._pages.pop(name)
                self.spelled[plain] = self.spelled.pop(name)
        self.spelled = {name: url for name, url in self.spelled.items() if url != self._pages[name].url}


def _told(left_out: LeftOut) -> Iterator[str]:
    """What is said of what was left out of a file."""
    if left_out.damaged:
        yield message("damaged in {number:,} places; the records there are left out", number=left_out.damaged)
    if left_out.too_large:
        size = LARGEST_RECORD // 1_000_000
        yield message("{number:,} records larger than {size} MB are left out", number=left_out.too_large, size=size)
    if left_out.without_address:
        named = joined(target[:SHOWN_LENGTH] or "-" for target in left_out.targets)
        yield message(
            "{number:,} records without the address of a page are left out: {named}",
            number=left_out.without_address,
            named=named,
        )


def _decoded(response: Response) -> bytes:
    if response.status != 200 and not response.body:
        return b""
    body = Body(response.headers.get("content-encoding", ""), LARGEST)
    body.take(response.body)
    return body.decoded()
