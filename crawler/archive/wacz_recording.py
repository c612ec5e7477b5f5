"""`--warc NAME.wacz`: writes what is fetched to a WACZ file (specs.webrecorder.net/wacz/1.1.1).

While the crawl runs, the records go to WARC files in a folder beside it, NAME.wacz.parts, with a line of the index for
each answer. The WACZ file is made of these when the crawl ends, and replaces an earlier one only when it is complete.
After a kill the folder stays, and the next run of the crawl takes its files, too. So does a run that goes on after the
end: the earlier WACZ file's parts are taken out of it first. Memory holds the index of one WARC file.
"""

import hashlib
import heapq
import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import BadZipFile, ZipFile, ZipInfo

from crawler.archive.warc_recording import ROOM_CURE, WarcFiles
from crawler.ports import Exchange, read_headers
from ontology.errors import CrawlBroken, SettingsError
from ontology.file_failures import why_refused
from ontology.messages import message

ENDING = ".wacz"
_VERSION = "1.1.1"
_CURE = message("give the name of a new file")
_PIECE = 1_000_000  # bytes copied at once
_INDEX, _PAGES, _ARCHIVE = "indexes/index.cdxj", "pages/pages.jsonl", "archive/"
_HEAD_OF_PAGES = {"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}


class WaczFile:
    """A WACZ file; a `Recorder`. Raises SettingsError if it cannot be begun."""

    def __init__(self, path: Path, software: str) -> None:
        self._path = path
        self._software = software
        self._parts = path.with_name(path.name + ".parts")
        try:
            _take_apart(path, self._parts)
        except (OSError, BadZipFile) as error:
            raise SettingsError(
                message("--warc {folder}: {why}", folder=path, why=why_refused(error)), _CURE
            ) from error
        self._files = WarcFiles(self._parts, software, noted=self._note)

    async def record(self, exchange: Exchange) -> None:
        """Write request and response; raises CrawlBroken if they cannot be written."""
        await self._files.record(exchange)

    async def convert(self, url: str, html: bytes) -> None:
        """Write what a page became, beside its answer; raises CrawlBroken if it cannot be written."""
        await self._files.convert(url, html)

    def close(self) -> None:
        """Make the WACZ file. Raises CrawlBroken if it cannot be written; its parts are kept then."""
        self._files.close()
        if not any(self._parts.glob("*.warc.gz")):
            shutil.rmtree(self._parts, ignore_errors=True)
            return
        aside = self._path.with_name(self._path.name + ".part")
        try:
            _pack(self._parts, aside, self._software)
            aside.replace(self._path)
            shutil.rmtree(self._parts)
        except OSError as error:
            raise CrawlBroken(
                message("the WARC files in {folder}: {why}", folder=self._parts, why=why_refused(error)), ROOM_CURE
            ) from error

    def _note(self, name: str, start: int, length: int, exchange: Exchange) -> None:
        line = _index_line(name, start, length, exchange)
        with (self._parts / f"{name}.cdxj").open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def _index_line(name: str, start: int, length: int, exchange: Exchange) -> str:
    """A line of CDXJ: the address from its domain down, the time, and where the record is."""
    headers = read_headers(exchange.headers)
    words = exchange.status_line.split()
    entry = {
        "url": exchange.url,
        "mime": headers.get("content-type", "").partition(";")[0].strip(),
        "status": words[1].decode("latin-1") if len(words) > 1 else "",
        "digest": "sha256:" + hashlib.sha256(exchange.body).hexdigest(),
        "length": str(length),
        "offset": str(start),
        "filename": name,
    }
    return f"{_sort_key(exchange.url)} {exchange.sent:%Y%m%d%H%M%S} {json.dumps(entry)}"


def _sort_key(url: str) -> str:
    """`http://a.example:81/B?c` -> `example,a:81)/b?c` (SURT)."""
    parts = urlsplit(url)
    host, colon, port = parts.netloc.rpartition("@")[2].partition(":")
    query = f"?{parts.query}" if parts.query else ""
    return f"{','.join(reversed(host.split('.')))}{colon}{port}){parts.path}{query}".lower()


def _take_apart(path: Path, parts: Path) -> None:
    """Put the WARC files and the index of an earlier run into the folder, so that this run adds to them."""
    if parts.exists() or not path.exists():
        return
    aside = parts.with_name(parts.name + ".new")
    with ZipFile(path) as zipped:
        files = [name for name in zipped.namelist() if name.startswith(_ARCHIVE)]
        if _INDEX not in zipped.namelist() or not all(name.endswith(".warc.gz") for name in files):
            raise SettingsError(message("--warc {folder}: another program has written it", folder=path), _CURE)
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir()
        for each in (_INDEX, *files):
            target = aside / ("earlier.cdxj" if each == _INDEX else Path(each).name)
            with zipped.open(each) as read, target.open("wb") as file:
                shutil.copyfileobj(read, file, _PIECE)
    aside.replace(parts)


def _pack(parts: Path, path: Path, software: str) -> None:
    resources = []
    with ZipFile(path, "w") as zipped:
        for file in sorted(parts.glob("*.warc.gz")):
            with file.open("rb") as stream:
                pieces = iter(lambda stream=stream: stream.read(_PIECE), b"")  # type: ignore[misc]
                resources.append(_write(zipped, _ARCHIVE + file.name, pieces))
        resources.append(_write(zipped, _INDEX, (line.encode() for line in _index_lines(parts))))
        resources.append(_write(zipped, _PAGES, _page_lines(parts)))
        package = {
            "profile": "data-package",
            "wacz_version": _VERSION,
            "software": software,
            "created": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
            "resources": resources,
        }
        told = _write(zipped, "datapackage.json", iter([json.dumps(package, indent=2).encode()]))
        digest = {"path": "datapackage.json", "hash": told["hash"]}
        _write(zipped, "datapackage-digest.json", iter([json.dumps(digest).encode()]))


def _write(zipped: ZipFile, name: str, pieces: Iterator[bytes]) -> dict[str, object]:
    """Store a file as it is, as readers of WACZ need it; returns its entry of datapackage.json."""
    digest, size = hashlib.sha256(), 0
    about = ZipInfo(name, datetime.now(UTC).timetuple()[:6])
    with zipped.open(about, "w", force_zip64=True) as file:
        for piece in pieces:
            file.write(piece)
            digest.update(piece)
            size += len(piece)
    return {"name": Path(name).name, "path": name, "hash": f"sha256:{digest.hexdigest()}", "bytes": size}


def _index_lines(parts: Path) -> Iterator[str]:
    """The lines of the index in their order."""
    for file in sorted(parts.glob("*.cdxj")):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join(sorted(line for line in lines if line.endswith("}\n"))), encoding="utf-8")
    yield from heapq.merge(*map(_lines, sorted(parts.glob("*.cdxj"))))


def _lines(file: Path) -> Iterator[str]:
    with file.open(encoding="utf-8") as lines:
        yield from lines


def _page_lines(parts: Path) -> Iterator[bytes]:
    """The pages: answers with HTML."""
    yield json.dumps(_HEAD_OF_PAGES).encode() + b"\n"
    for line in heapq.merge(*map(_lines, sorted(parts.glob("*.cdxj")))):
        _, moment, told = line.split(" ", 2)
        entry = json.loads(told)
        if entry["status"] == "200" and "html" in entry["mime"]:
            when = datetime.strptime(moment, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
            page = {"url": entry["url"], "ts": f"{when:%Y-%m-%dT%H:%M:%SZ}"}
            yield json.dumps(page).encode() + b"\n"
