"""A recorded web, parsed once and cached in one file (answers, pages and links) for simulated crawls.

The web comes from an archive, or from the stored pages of a crawl (`crawler.archive.stored_pages`). The name of the
cache file contains a hash of the web (for an archive: paths, sizes and modification times of its files) and of the code
that read it, so an outdated cache is never used; older files stay in the folder. A file is written under another name
and renamed when it is complete. Pages are stored as pickled tuples, which load in a fraction of the time of parsing;
the file is written by this program only.
"""

import contextlib
import hashlib
import json
import os
import pickle
import sqlite3
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from crawler import archive, ports
from crawler.archive import archive_files, warc_source
from crawler.archive.stored_pages import RecordedAnswer, stored_answers
from crawler.fetch import content_coding
from crawler.ports import Fetched
from crawler.simulation import order_measures as measures
from ontology.errors import SettingsError
from ontology.file_failures import refusal, why_refused
from ontology.messages import message
from ontology.syntaxes import text_decoding
from semantic import page as plain
from semantic import parsing, reasons, urls
from semantic.page import Page
from semantic.parsing.document_types import has_page, is_redirect
from semantic.parsing.fingerprint import exact_hash
from semantic.parsing.page_reader import read_page
from semantic.reasons import PageError, from_json, to_json
from semantic.records import StoredPage
from semantic.source_hash import C_SOURCES
from semantic.urls import identity

TELL_EVERY = 1000  # answers between two reports of progress; chosen

# the code that reads a web: these modules, and all of the folders
_MODULES = (content_coding, measures, plain, ports, reasons, text_decoding, urls, sys.modules[__name__])
_FOLDERS = (archive, parsing)
_LIBRARIES = ("ada-url", "turbohtml", "fastwarc", "pypdf", "brotli")
_TABLES = """
CREATE TABLE answers (
  name TEXT PRIMARY KEY, url TEXT, status INTEGER, headers TEXT, page BLOB, problem TEXT, text TEXT
);
CREATE TABLE links (graph BLOB);
CREATE TABLE spelled (name TEXT PRIMARY KEY, url TEXT);
CREATE TABLE remarks (text TEXT);
"""


_INSERT = "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class _RecordedAnswer:
    """An answer in memory, without its page."""

    url: str
    status: int
    headers: Mapping[str, str]


class RecordedWeb:
    """Answers without bodies, and the pages read from the bodies. `links` is only for measures."""

    def __init__(self, file: Path) -> None:
        self._connection = _opened(file)
        rows = self._connection.execute("SELECT name, url, status, headers FROM answers")
        self._answers = {name: _RecordedAnswer(url, status, json.loads(headers)) for name, url, status, headers in rows}

    def answer(self, url: str) -> Fetched:
        """The answer of `ArchiveSource.fetch`, with an empty body; 404 for what the archive lacks."""
        found = self._answers.get(identity(url))
        if found is None:
            return Fetched(url, 404, {}, b"")
        if found.url != url:
            return Fetched(url, 301, {"location": found.url}, b"")
        return Fetched(url, found.status, found.headers, b"")

    def read(self, body: bytes, url: str, headers: Mapping[str, str]) -> Page:
        """The page that `read_page` made at `url`; raises the PageError that it raised. A `Reader`."""
        query = "SELECT page, problem FROM answers WHERE name = ?"
        packed, problem = self._connection.execute(query, (identity(url),)).fetchone()
        if packed is None:
            raise PageError(*from_json(problem))
        return _unpacked(packed)

    @cached_property
    def links(self) -> dict[str, list[str]]:
        """Name of a page -> names of the pages it links to, redirects followed; see `order_measures`."""
        ((packed,),) = self._connection.execute("SELECT graph FROM links")
        names, targets = pickle.loads(zlib.decompress(packed))
        return {name: [names[target] for target in row] for name, row in zip(names, targets, strict=True)}

    def page_name(self, url: str) -> str:
        """The name of the page that an address leads to; the address's own name if there is none."""
        name = identity(url)
        return measures.final_name(name, self.links, self._moved) or name

    def same_text(self, name: str) -> list[str]:
        """The names of the pages with the same text as this one, itself included."""
        return self._texts.get(self._text_of.get(name, ""), [name])

    def address(self, name: str) -> str:
        """The address under which a page was recorded."""
        return self._answers[name].url

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @cached_property
    def _text_of(self) -> dict[str, str]:
        return dict(self._connection.execute("SELECT name, text FROM answers WHERE text IS NOT NULL"))

    @cached_property
    def _texts(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for name, text in self._text_of.items():
            names.setdefault(text, []).append(name)
        return names

    @cached_property
    def _moved(self) -> dict[str, str]:
        return {name: found.headers["location"] for name, found in self._answers.items() if _moves(found)}


@dataclass(frozen=True, slots=True)
class _Source:
    """The content of a web; see `ArchiveSource`."""

    answers: Iterable[RecordedAnswer]
    spelled: Mapping[str, str] = field(default_factory=dict)
    remarks: Sequence[str] = ()


def recorded_archive(path: Path, folder: Path, tell: Callable[[str], None]) -> Path:
    """The cache file, in `folder`, of a WARC file or a folder of them; created if necessary.

    `tell`: receives progress messages. Raises SettingsError if the archive cannot be read or the cache cannot be
    written.
    """
    try:
        state = " ".join(map(_state, archive_files.archive_files(path)))
    except OSError as error:
        raise SettingsError(*refusal(path, error, "give a WARC file that is there")) from error
    return _made(path, state, folder, lambda: _archived(path), tell)


def _archived(path: Path) -> _Source:
    source = warc_source.ArchiveSource(path)
    return _Source(map(_read, source.answers()), source.spelled, source.remarks)


def recorded_store(
    name: str, state: str, pages: Callable[[], Iterable[StoredPage]], folder: Path, tell: Callable[[str], None]
) -> Path:
    """The same for the stored pages of a crawl. `state` must differ between states of the crawl."""
    return _made(Path(name), state, folder, lambda: _Source(stored_answers(pages())), tell)


def spelled_in(file: Path) -> dict[str, str]:
    """From a cache file: name -> address as recorded, if a crawl spells it differently."""
    with contextlib.closing(_opened(file)) as connection:
        return dict(connection.execute("SELECT name, url FROM spelled"))


def remarks_in(file: Path) -> list[str]:
    """From a cache file: descriptions of what could not be read of the archive."""
    with contextlib.closing(_opened(file)) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM remarks")]


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def _state(file: Path) -> str:
    """A text that changes when the file does."""
    about = file.stat()
    return f"{file.resolve()} {about.st_size} {about.st_mtime_ns}"


def _made(name: Path, state: str, folder: Path, source: Callable[[], _Source], tell: Callable[[str], None]) -> Path:
    try:
        file = folder / f"{name.name.partition('.')[0]}-{_key(state)}.pages"
        if not _is_whole(file):
            folder.mkdir(parents=True, exist_ok=True)
            tell(message("reading {name} (once; kept in {folder})", name=name, folder=folder))
            _build(file, source(), tell)
    except sqlite3.Error as error:
        raise SettingsError(
            message("the cache in {folder} cannot be used: {error}", folder=folder, error=error),
            message("remove {folder}", folder=folder),
        ) from error
    except OSError as error:
        what = message("the cache in {folder} cannot be written: {why}", folder=folder, why=why_refused(error))
        raise SettingsError(what, "give --out a folder beside which files can be written") from error
    return file


def _is_whole(file: Path) -> bool:
    if not file.exists():
        return False
    try:
        with contextlib.closing(_opened(file)) as connection:
            has_pages = connection.execute("SELECT count(*) FROM links").fetchone() == (1,)
            return has_pages and connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
    except sqlite3.DatabaseError:
        return False


def _key(state: str) -> str:
    digest = hashlib.sha256(f"{state} {sys.version}".encode())
    files = [Path(str(module.__file__)) for module in _MODULES]
    inside = (file for folder in _FOLDERS for file in sorted(Path(str(folder.__file__)).parent.glob("*.py")))
    for file in (*files, *inside, *C_SOURCES):
        digest.update(file.read_bytes())
    digest.update(" ".join(map(version, _LIBRARIES)).encode())
    return digest.hexdigest()[:16]


def _build(file: Path, source: _Source, tell: Callable[[str], None]) -> None:
    """Write to a temporary file and rename it when complete; an interruption leaves nothing behind."""
    aside = file.with_suffix(f".{os.getpid()}")
    aside.unlink(missing_ok=True)
    try:
        with contextlib.closing(sqlite3.connect(aside)) as connection:
            _fill(connection, source, tell)
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, source: _Source, tell: Callable[[str], None]) -> None:
    connection.executescript(_TABLES)
    linked: dict[str, Sequence[str]] = {}
    moved: dict[str, str] = {}
    for number, found in enumerate(source.answers, 1):
        packed = _packed(found.page) if found.page else None
        connection.execute(
            _INSERT,
            (
                found.name,
                found.url,
                found.status,
                json.dumps(dict(found.headers)),
                packed,
                found.problem and to_json([found.problem]),
                _text(found.page),
            ),
        )
        if has_page(found.status, found.headers):
            linked[found.name] = found.linked
        elif _moves(found):
            moved[found.name] = found.headers["location"]
        if number % TELL_EVERY == 0:
            tell(message("  {number} answers read", number=number))
    connection.execute("INSERT INTO links VALUES (?)", (_packed_links(measures.link_graph(linked, moved)),))
    connection.executemany("INSERT INTO spelled VALUES (?, ?)", source.spelled.items())
    connection.executemany("INSERT INTO remarks VALUES (?)", ((text,) for text in source.remarks))
    connection.commit()


def _read(answer: tuple[str, Fetched]) -> RecordedAnswer:
    """An answer of an archive, with its page."""
    name, fetched = answer
    found = RecordedAnswer(name, fetched.url, fetched.status, fetched.headers)
    if not has_page(fetched.status, fetched.headers):
        return found
    found = found._replace(linked=measures.names_linked(fetched.body, name))
    try:
        return found._replace(page=read_page(fetched.body, fetched.url, fetched.headers))
    except PageError as error:
        return found._replace(problem=error.why)


def _text(page: Page | None) -> str | None:
    """A hash that pages with the same text have in common (`crawler.dedup.duplicate_pages`)."""
    return None if page is None or page.source else f"{exact_hash(page):016x}"


def _moves(answer: RecordedAnswer | _RecordedAnswer) -> bool:
    return is_redirect(answer.status, answer.headers)


def _packed_links(graph: Mapping[str, Sequence[str]]) -> bytes:
    rank = {name: number for number, name in enumerate(graph)}
    return zlib.compress(pickle.dumps((list(graph), [[rank[target] for target in row] for row in graph.values()])), 1)


def _packed(read: Page) -> bytes:
    return zlib.compress(pickle.dumps(plain.plain(read), 5), 1)


def _unpacked(packed: bytes) -> Page:
    return plain.page_of(pickle.loads(zlib.decompress(packed)))
